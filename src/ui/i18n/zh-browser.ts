/** What is said of the model that the browser brings along, in Simplified Chinese. */
import type { BrowserWords, enBrowserErrors } from './en-browser';

const said = (detail: string) => (detail === '' ? '' : `（${detail}）`);

export const zhBrowserErrors: typeof enBrowserErrors = {
  'browser-model-language': (model, detail) =>
    `${model} 不读写这种语言，或浏览器对它没有把握${said(detail)}。你的问题还在。请用英文提问，或换一个模型。`,
  'browser-model-withheld': (model, detail) =>
    `浏览器扣下了 ${model} 写的内容${said(detail)}。已收到的内容都保留着。请换个说法，或换一个模型。`,
  'browser-model-refused': (model, detail) =>
    `浏览器不让本页面使用 ${model}：由于设置、策略，或需要再按一次${said(detail)}。聊天记录都在。请再按一次；若仍被拒绝，请在浏览器设置中允许设备端 AI，或换一个模型。`,
  'browser-model-download': (model, detail) =>
    `浏览器没能下载 ${model}${said(detail)}。请连接不限流量的网络，确认磁盘有空间（Chrome 需要 22 GB 可用空间），再按一次“下载”。`,
  'browser-model-unfit': (model) =>
    `浏览器有 ${model}，但不适用于本设备：它需要显存超过 4 GB 的显卡，或 16 GB 内存。请换一个模型。`,
  'browser-model-failed': (model, detail) =>
    `${model} 在浏览器中出错了${said(detail)}。已收到的内容都保留着。请继续；若再次出错，请重启浏览器，或换一个模型。`,
};

export const zhBrowser: BrowserWords = {
  about:
    '本浏览器自带的模型，由浏览器运行：Chrome 和 Edge 在本设备上运行，页面自己无法验证。适合计算、搜索和短文。',
  states: {
    here: '它已在本浏览器中，所有网站共用，无需再下载。',
    coming: '浏览器正在下载它，所有网站共用。',
    'can-come': '浏览器可以下载它，约几 GB，只需一次，所有网站共用。按“下载”后开始。',
    unfit: '',
  },
  window: '一次能读多少，启动后浏览器会说。',
  follow: '显示进度',
  progress: (percent) => `浏览器正在下载：${percent} %`,
  begins: '浏览器开始下载',
  leave: '不再显示',
  left: '已开始的下载可能会在浏览器中继续。',
};
