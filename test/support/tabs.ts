/** Fake tabs in this thread: locks and channels as in browsers, and models that log where they run. */
import type { ModelEvent, ModelSpec } from '../../src/contracts/model';
import type { RunningModel } from '../../src/engines/host/running-model';
import type { TabLocksAndChannels } from '../../src/engines/host/tabs/share-models';
import { untilAborted } from '../../src/contracts/until-aborted';
import type { Channel, OnMessage } from '../../src/platform/channels';

interface Wish {
  tab: string;
  grant: () => void;
}

/** Named locks, first come, first served. A closed tab releases its locks and receives no more messages. */
export function createBrowser() {
  const held = new Map<string, { tab: string; steal: () => void }>();
  const lines = new Map<string, Wish[]>();
  const ends = new Set<{ name: string; tab: string; onMessage: OnMessage }>();
  const asleep = new Set<string>();
  const gone = new Set<string>();
  let ids = 0;

  function next(name: string): void {
    if (held.has(name)) return;
    lines.get(name)?.shift()?.grant();
  }

  function linksOf(tab: string): TabLocksAndChannels {
    return {
      newId: () => `${tab}-${(ids += 1)}`,
      hold: (name, { signal, isStealing, onStolen }) =>
        new Promise((resolve, reject) => {
          const line = lines.get(name) ?? [];
          lines.set(name, line);
          const grant = () => {
            const own = { tab, steal: () => onStolen?.() };
            held.set(name, own);
            const release = () => {
              if (held.get(name) !== own) return;
              held.delete(name);
              next(name);
            };
            queueMicrotask(() => resolve(release));
          };
          if (isStealing) {
            const other = held.get(name);
            held.delete(name);
            grant();
            if (other && !asleep.has(other.tab)) other.steal();
            return;
          }
          const wish = { tab, grant };
          line.push(wish);
          signal.addEventListener('abort', () => {
            if (line.includes(wish)) line.splice(line.indexOf(wish), 1);
            reject(signal.reason as Error);
          });
          next(name);
        }),
      openChannel(name, onMessage): Channel {
        const end = { name, tab, onMessage };
        ends.add(end);
        return {
          post(message) {
            if (!ends.has(end) || gone.has(tab)) return;
            const copy = structuredClone(message);
            for (const other of ends) {
              if (other === end || other.name !== name) continue;
              setTimeout(() => {
                if (ends.has(other) && !gone.has(other.tab) && !asleep.has(other.tab)) other.onMessage(copy);
              });
            }
          },
          close: () => void ends.delete(end),
        };
      },
    };
  }

  return {
    linksOf,
    kill(tab: string) {
      gone.add(tab);
      for (const line of lines.values()) {
        line.splice(0, line.length, ...line.filter((wish) => wish.tab !== tab));
      }
      for (const [name, lock] of [...held]) {
        if (lock.tab !== tab) continue;
        held.delete(name);
        next(name);
      }
    },
    freeze: (tab: string) => void asleep.add(tab),
    wake: (tab: string) => void asleep.delete(tab),
    /** Name of the channel that all tabs listen to. */
    lobby: () => [...ends].map(({ name }) => name).find((name) => name.startsWith('engine:')) ?? '',
    /** Returns which tabs hold locks with this prefix. */
    holders: (prefix: string) =>
      [...held].flatMap(([name, { tab }]) => (name.startsWith(prefix) ? [tab] : [])),
  };
}

const usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };

export interface CountingOptions {
  words: number;
  /** The load finishes when this resolves. */
  whole: Promise<void>;
  /** A reply continues after its first word when this resolves, unless it is stopped. */
  goOn: Promise<void>;
  /** A reply that only reads ahead ends when this resolves or it is stopped. */
  hasRead: Promise<void>;
}

/** Counts to `words`, one number every few milliseconds, continuing after the numbers at the end of the chat. */
export function countingModel(
  log: string[],
  tab: string,
  { words, whole, goOn, hasRead }: CountingOptions,
): (spec: ModelSpec) => RunningModel {
  return (spec) => {
    const life = new AbortController();
    return {
      async load(_spec, onProgress) {
        log.push(`${tab} loads ${spec.id}`);
        onProgress({ step: 'weights', loadedBytes: 1, totalBytes: 2 });
        await whole;
        life.signal.throwIfAborted();
      },
      measure: async (_messages, _tools, summary) => ({
        promptTokens: 1,
        limitTokens: 100,
        droppedMessages: 0,
        ...(summary && { summedUpMessages: summary.messages }),
      }),
      async *respond({ messages, onlyRead }, signal): AsyncGenerator<ModelEvent> {
        const either = AbortSignal.any([signal, life.signal]);
        const finish = (text: string): ModelEvent => ({
          type: 'finish',
          message: {
            role: 'assistant',
            content: text === '' ? [] : [{ type: 'text', text }],
            finishReason: signal.aborted ? 'aborted' : 'stop',
          },
          usage,
        });
        if (onlyRead) {
          log.push(`${tab} reads ahead`);
          await untilAborted(hasRead, either).catch(() => undefined);
          log.push(`${tab} ${signal.aborted ? 'stops reading' : 'has read'}`);
          yield finish('');
          return;
        }
        const last = messages.at(-1);
        const said =
          last?.role === 'assistant' && last.content[0]?.type === 'text' ? last.content[0].text : '';
        log.push(`${tab} begins`);
        let text = said;
        for (let at = said.length; at < words && !signal.aborted; at++) {
          await new Promise((resolve) => setTimeout(resolve, 2));
          life.signal.throwIfAborted();
          text += 'w';
          yield { type: 'text-delta', text: 'w' };
          const isFirst = at === said.length;
          if (isFirst) await untilAborted(goOn, either).catch(() => undefined);
        }
        log.push(`${tab} ends`);
        yield finish(text);
      },
      close(reason) {
        log.push(`${tab} closes`);
        life.abort(reason);
      },
    };
  };
}
