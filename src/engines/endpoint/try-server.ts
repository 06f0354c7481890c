/** Tests a server: its models, one reply, and whether it reads calls and pictures. */
import { AppError } from '../../contracts/app-error';
import type { ErrorCode } from '../../contracts/error-code';
import type { EndpointReport, ListedModel } from '../../contracts/model-library';
import type { PromptMessage } from '../../contracts/model';
import { read, z } from '../../contracts/schema';
import type { ToolSpec } from '../../contracts/tool';
import { parseJson } from '../engine';
import { basesOf } from './own-endpoint';
import { createAsker, requestTo, type Server, type WireRequest, writeRequest } from './ask-server';
import { faultOf, faultOfStatus, wrongForm } from './faults';
import type { AnswerPart } from './read-answer';

export interface Trial extends Omit<Server, 'base'> {
  address: string;
  /** '' if the user chose none. Then we use the server's only model. */
  model: string;
}

/** Errors that mean a wrong address rather than a broken server. */
const elsewhere: ReadonlySet<ErrorCode> = new Set(['endpoint-missing', 'endpoint-form', 'endpoint-redirect']);
const withoutTools: ReadonlySet<ErrorCode> = new Set([
  'endpoint-refused',
  'endpoint-failed',
  'endpoint-missing',
  'endpoint-form',
]);

/** Never rejects because of the server. Rejects with the reason of `signal`. */
export async function tryServer(trial: Trial, signal: AbortSignal): Promise<EndpointReport> {
  const found = await findList(trial, signal);
  const report: EndpointReport = found;
  if (found.address === '' || found.fault) return report;
  const server = { egress: trial.egress, key: trial.key, base: found.address };
  const only = found.models?.length === 1 ? found.models[0]?.id : undefined;
  const model = trial.model || only;
  if (model === undefined || model === '') return report;
  try {
    const reply = await askWord(server, model, signal);
    const isNative = await tryTools(server, model, signal);
    const asker = createAsker();
    const canSee = await tryPicture(model, trialTokens, (request) =>
      collect(asker.ask(server, request, signal), signal),
    );
    return { ...report, model, reply, isNative, canSee };
  } catch (error) {
    signal.throwIfAborted();
    const { code, message } = faultOf(error, true);
    return { ...report, model, fault: { code, detail: message } };
  }
}

async function findList(trial: Trial, signal: AbortSignal): Promise<EndpointReport> {
  const bases = basesOf(trial.address);
  for (const base of bases) {
    try {
      return { address: base, models: await listModels({ ...trial, base }, signal) };
    } catch (error) {
      signal.throwIfAborted();
      const { code, message } = faultOf(error, false);
      if (!elsewhere.has(code)) return { address: base, fault: { code, detail: message } };
    }
  }
  // Some gateways have no list of models.
  return { address: bases.find((base) => /\/v\d/.test(base)) ?? bases[0] ?? '' };
}

const List = z.object({ data: z.array(z.looseObject({ id: z.string() })) });

async function listModels(server: Server, signal: AbortSignal): Promise<readonly ListedModel[]> {
  const request = {
    ...requestTo(server, '/models'),
    method: 'GET',
    maxBytes: 4_000_000,
    timeoutMs: 20_000,
  } as const;
  const answer = await server.egress.send(request, signal);
  if (answer.status !== 200) throw faultOfStatus(answer, answer.text);
  const checked = read(List, parseJson(answer.text));
  if (!checked.ok) throw wrongForm(checked.reason);
  return checked.value.data.map(toListed);
}

function toListed({ id, ...rest }: Record<string, unknown> & { id: string }): ListedModel {
  const { meta } = rest;
  const sizes = [
    rest['max_model_len'],
    rest['context_length'],
    (meta as { n_ctx?: unknown } | null | undefined)?.n_ctx,
  ];
  const size = sizes.find((one) => typeof one === 'number' && one >= 512);
  return { id, ...(typeof size === 'number' && { contextTokens: Math.floor(size) }) };
}

const user = (content: string): PromptMessage => ({ role: 'user', content });
const trialTokens = 256;

async function askWord(server: Server, model: string, signal: AbortSignal): Promise<'streams' | 'whole'> {
  const asking = { messages: [user('Say only the word yes.')], sampling: { temperature: 0 }, maxTokens: 16 };
  const parts = await collect(createAsker().ask(server, writeRequest(model, asking), signal), signal);
  return parts.some(({ type }) => type === 'whole') ? 'whole' : 'streams';
}

const adder: ToolSpec = {
  name: 'add_numbers',
  title: 'Add',
  description: 'Adds two numbers and returns the sum.',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
};

async function tryTools(server: Server, model: string, signal: AbortSignal): Promise<boolean> {
  const { ask } = createAsker();
  const question = user('Call the tool add_numbers with a = 17 and b = 25, then tell me the sum.');
  const tools = { specs: [adder], choice: 'auto' as const };
  const asking = { sampling: { temperature: 0 }, maxTokens: trialTokens, tools };
  try {
    const first = await collect(
      ask(server, writeRequest(model, { ...asking, messages: [question] }), signal),
      signal,
    );
    const written = callIn(first);
    if (!written) return false;
    const call = { id: 'trial', name: adder.name, arguments: written };
    const messages: PromptMessage[] = [
      question,
      { role: 'assistant', content: '', parts: { type: 'reply', text: '', calls: [call] } },
      { role: 'tool', content: '42', parts: { type: 'results', results: [{ id: 'trial', text: '42' }] } },
    ];
    await collect(ask(server, writeRequest(model, { ...asking, messages }), signal), signal);
    return true;
  } catch (error) {
    if (error instanceof AppError && withoutTools.has(error.code)) return false;
    throw error;
  }
}

function callIn(parts: readonly AnswerPart[]): Record<string, unknown> | undefined {
  const calls = parts.filter((part) => part.type === 'call');
  const [first] = calls;
  if (first?.name !== adder.name) return undefined;
  const text = calls.flatMap((part) => (part.index === first.index ? [part.arguments] : [])).join('');
  const checked = read(z.record(z.string(), z.unknown()), parseJson(text));
  return checked.ok ? checked.value : undefined;
}

async function collect(parts: AsyncIterable<AnswerPart>, signal: AbortSignal): Promise<AnswerPart[]> {
  const all: AnswerPart[] = [];
  for await (const part of parts) {
    signal.throwIfAborted();
    all.push(part);
  }
  return all;
}

const withoutPictures: ReadonlySet<ErrorCode> = new Set([
  'endpoint-refused',
  'endpoint-failed',
  'endpoint-missing',
  'endpoint-form',
]);

/** A yellow square, 64 pixels wide. No model guesses yellow without seeing it. */
const square =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAATklEQVR42u3PQQkAAAgEsOuf0S5eBN/CYAWWnbwWAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAYFLARrQsbSIGdsRAAAAAElFTkSuQmCC';
const question = 'Which colour has this picture? Answer with one word.';

const shown: PromptMessage = {
  role: 'user',
  content: question,
  parts: {
    type: 'question',
    content: [
      { type: 'image', data: square, mimeType: 'image/png' },
      { type: 'text', text: question },
    ],
    pictureTokens: 64,
  },
};

/** `ask` returns all parts of an answer. Many servers accept a picture and ignore it, so only the right colour counts. */
async function tryPicture(
  model: string,
  maxTokens: number,
  ask: (request: WireRequest) => Promise<readonly AnswerPart[]>,
): Promise<boolean> {
  try {
    const parts = await ask(
      writeRequest(model, { messages: [shown], sampling: { temperature: 0 }, maxTokens }),
    );
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return /yellow|gold|黄/i.test(text);
  } catch (error) {
    if (error instanceof AppError && withoutPictures.has(error.code)) return false;
    throw error;
  }
}
