/** Sends one chat completion through the egress and reads the parts of its answer. */
import type { EgressStream, EgressStreamRequest, StreamingEgress } from '../../contracts/egress';
import { faultOf, faultOfStatus } from './faults';
import { type AnswerPart, readAnswer } from './read-answer';
import { waitBefore } from './retry-after';
import type { WireRequest } from './write-request';

const logName = 'endpoint';

/** Room for a long reply with an event around each token, and for the silence of a server that loads a model. */
const limits = { maxBytes: 16_000_000, silentMs: 150_000 } as const;
const errorBytes = 20_000;

/** Minimum characters of a real key. A shorter one is a placeholder such as `ollama`, which may be an ordinary word in answers. */
const telling = 12;

export interface Server {
  egress: StreamingEgress;
  /** The address before `/chat/completions`. */
  base: string;
  key: string | undefined;
}

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
 * Fields that some servers reject, with their replacements: OpenAI's newer models use another limit and fix the sampling. If an error names one
 * of them, we repeat the request without it.
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
  /** Throws an `AppError`. After `signal` aborts, it throws whatever comes first. */
  ask: (server: Server, request: WireRequest, signal: AbortSignal) => AsyncGenerator<AnswerPart>;
}

export interface Patience {
  /** Rejects when `signal` aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  now: () => number;
}

type Refusal = { type: 'field'; field: keyof WireRequest } | { type: 'busy'; ms: number };

/** Remembers the fields that its server rejects. Without `patience` each request is sent once. */
export function createAsker(patience?: Patience): Asker {
  const refused = new Set<keyof WireRequest>();

  /** The request to try next. Throws if the refusal is final. */
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

/** Reads about `most` characters. A connection that breaks within an error text is not another error. */
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
