/** Two ways for tokens to reach a text node: from a worker through the app's port, and from a loop in the page itself. */
import { ember } from '../../src/ember/spec';
import { createRemoteModel } from '../../src/engines/host/remote-model';

const out = document.getElementById('out');
const never = new AbortController().signal;
const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
const model = createRemoteModel(worker);
await model.load(ember, () => undefined);

function append(text: string): void {
  out?.append(text);
}

async function throughPort(tokens: number, perSecond: number): Promise<void> {
  const question = { type: 'text' as const, text: `${tokens} ${perSecond}` };
  const request = {
    messages: [{ role: 'user' as const, content: [question], origins: [{ door: 'typed' as const }] }],
    tools: [],
    toolChoice: 'none' as const,
  };
  for await (const event of model.respond(request, never))
    if (event.type === 'text-delta') append(event.text);
}

/** The floor: transfers nothing, and appends each token when it is due. */
async function bare(tokens: number, perSecond: number): Promise<void> {
  const start = performance.now();
  for (let token = 0; token < tokens; token++) {
    const ahead = (token / perSecond) * 1000 - (performance.now() - start);
    if (ahead > 1) await new Promise((resolve) => setTimeout(resolve, ahead));
    append('word ');
  }
}

Object.assign(window, { ways: { bare, throughPort }, clear: () => out?.replaceChildren() });
