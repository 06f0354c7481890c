/** Facts about the browser's own model that the app needs before it loads the engine's code. */
import type { ModelSpec } from '../../contracts/model';
import type { EngineKind } from '../engine';

const emptyTemplate = { before: '', after: '' };

const browserModelSpec: ModelSpec = {
  id: 'browser-model',
  name: 'Browser model',
  engine: 'browser-model',
  file: { path: '', bytes: 0 },
  format: 'hermes',
  template: {
    system: emptyTemplate,
    user: emptyTemplate,
    assistant: emptyTemplate,
    tool: emptyTemplate,
    stop: [],
  },
  // A cautious value, because the browser reports the real one only after the load.
  contextTokens: 4096,
  maxReplyTokens: 1024,
  sampling: { temperature: 0.3 },
  languages: ['en'],
  licence: '',
};

export const browserModel: EngineKind = {
  id: browserModelSpec.engine,
  place: 'browser',
  mayPause: true,
  runsIn: 'page',
  create: async () => (await import('./engine')).createBrowserModel(),
  canSee: async () => (await import('./api')).canBrowserModelSee(),
  brought: {
    spec: browserModelSpec,
    about: {
      en: 'The model that this browser brings along. The browser runs it: Chrome and Edge do so on this device, which a page cannot see for itself. Good for sums, searches and short texts.',
      zh: '本浏览器自带的模型，由浏览器运行：Chrome 和 Edge 在本设备上运行，页面自己无法验证。适合计算、搜索和短文。',
    },
    state: async () => (await import('./api')).findBrowserModelState(),
    fetch: async (signal, onShare) => (await import('./api')).downloadBrowserModel(signal, onShare),
  },
};
