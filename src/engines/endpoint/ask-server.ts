/** One chat completion through the door: what goes out, and the parts of what comes back. */
import type { EgressStream, EgressStreamRequest, StreamingEgress } from '../../contracts/egress';
import { faultOf, faultOfStatus } from './faults';
import { type AnswerPart, readAnswer } from './read-answer';
import { waitBefore } from './retry-after';
import type { WireRequest } from './write-request';

/** Under which its requests are in the log. */
const logName = 'endpoint';

/** A long reply with its events around each token; and the longest that a server may be silent while it loads a model. */
const limits = { maxBytes: 16_000_000, silentMs: 150_000 } as const;
/** Bytes of an error that are read. */
const errorBytes = 20_000;

/** Characters. What is shorter is there because a program wants some key, `ollama` say, and stands in answers for what it means. */
const telling = 12;

export interface Server {
  egress: StreamingEgress;
  /** What stands before `/chat/completions`. */
  base: string;
  key: string | undefined;
}

/** The parts of its requests that are the same in each. */
export function requestTo(
  { base, key }: Omit<Server, 'egress'>,
  path: string,
): Pick<EgressStreamRequest, 'url' | 'headers' | 'tool' | 'accept' | 'redirect' | 'secrets'> {
  const authorization = key ? `Bearer ${key}` : undefined;
  return {
    url: base + path,
    headers: { ...(authorization !== undefined && { Authorization: authorization }) },
    tool: logName,
    accept: ['text/event-stream', 'application/json', 'text/plain'],
    redirect: 'never',
    secrets: key !== undefined && key.length >= telling ? [{ name: 'key', value: key }] : [],
  };
}

/**
 * Fields that some servers refuse, with the one that takes its place: OpenAI's own newer models know another limit, and choose their
 * words in one way only. A server that names one in its error is asked once more without it.
 */
const optional: readonly (keyof WireRequest)[] = [
  'max_tokens',
  'temperature',
  'top_p',
  'seed',
  'stream_options',
  'tool_choice',
];

export interface Asker {
  /** Throws an `AppError`; after `signal` aborts whatever comes first. */
  ask: (server: Server, request: WireRequest, signal: AbortSignal) => AsyncGenerator<AnswerPart>;
}

/** How a server is waited for that takes no more requests just now. */
export interface Patience {
  /** Rejects when `signal` aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

type Refusal = { type: 'field'; field: keyof WireRequest } | { type: 'busy'; ms: number };

/** Remembers what its server refuses. Without patience a server is asked once. */
export function createAsker(patience?: Patience): Asker {
  const refused = new Set<keyof WireRequest>();

  /** What the server takes another time; throws where it is final. */
  async function readRefusal(answer: EgressStream, request: WireRequest, times: number): Promise<Refusal> {
    const text = await readSome(answer.text, errorBytes);
    const now = patience?.now() ?? Date.now();
    const fault = faultOfStatus(answer, text, now);
    if (fault.code === 'endpoint-busy' && patience) {
      const ms = waitBefore(answer.headers['retry-after'], times, now);
      if (ms !== undefined) return { type: 'busy', ms };
    }
    const field = optional.find((one) => !refused.has(one) && one in request && text.includes(one));
    if (fault.code !== 'endpoint-refused' || !field) throw fault;
    return { type: 'field', field };
  }

  return {
    async *ask(server, request, signal) {
      let times = 0;
      let hasBegun = false;
      try {
        for (;;) {
          const body = JSON.stringify(without(request, refused));
          const answer = await server.egress.stream(completionFor(server, body), signal);
          if (answer.status >= 200 && answer.status <= 299) {
            hasBegun = true;
            yield* readAnswer(answer.text);
            return;
          }
          const refusal = await readRefusal(answer, request, times);
          if (refusal.type === 'field') refused.add(refusal.field);
          else {
            times += 1;
            yield { type: 'wait', seconds: Math.ceil(refusal.ms / 1000) };
            await patience?.wait(refusal.ms, signal);
          }
        }
      } catch (error) {
        throw faultOf(error, hasBegun);
      }
    },
  };
}

function completionFor(server: Server, body: string): EgressStreamRequest {
  const sent = requestTo(server, '/chat/completions');
  return {
    ...{ ...sent, ...limits, method: 'POST', body },
    headers: { ...sent.headers, 'Content-Type': 'application/json' },
  };
}

function without(request: WireRequest, refused: ReadonlySet<keyof WireRequest>): Partial<WireRequest> {
  const { max_tokens: most, ...rest } = request;
  const limited = refused.has('max_tokens')
    ? { ...rest, max_completion_tokens: most }
    : { ...rest, max_tokens: most };
  return Object.fromEntries(
    Object.entries(limited).filter(([name]) => ![...refused].some((one) => one === name)),
  );
}

/** About so many characters of it. What an error says is no more than its words: that it breaks off is no other error. */
async function readSome(pieces: AsyncIterable<string>, most: number): Promise<string> {
  let text = '';
  try {
    for await (const piece of pieces) {
      text += piece;
      if (text.length > most) break;
    }
  } catch {
    return text;
  }
  return text;
}
