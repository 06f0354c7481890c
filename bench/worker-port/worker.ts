/** A model that writes tokens at a given pace, behind the worker's end of the app's port. */
import { expose } from 'comlink';
import { textOf } from '../../src/contracts/message-parts';
import { serveModel } from '../../src/engines/host/serve-model';

const usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };

expose(
  serveModel(() =>
    Promise.resolve({
      async *respond({ messages }) {
        const [first] = messages;
        const asked = first?.role === 'user' ? textOf(first.content) : '';
        const [tokens = 0, perSecond = 0] = asked.split(' ').map(Number);
        const start = performance.now();
        for (let token = 0; token < tokens; token++) {
          const ahead = (token / perSecond) * 1000 - (performance.now() - start);
          if (ahead > 1) await new Promise((resolve) => setTimeout(resolve, ahead));
          yield { type: 'text-delta', text: 'word ' };
        }
        yield { type: 'finish', message: { role: 'assistant', content: [], finishReason: 'stop' }, usage };
      },
      measure: () => Promise.resolve({ promptTokens: 0, limitTokens: 1, droppedMessages: 0 }),
    }),
  ),
);
