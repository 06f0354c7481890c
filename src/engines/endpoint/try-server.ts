/** Tests a server: lists its models, asks for one reply, and tries tool calls and pictures. */
import { AppError } from '../../contracts/app-error';
import type { ErrorCode } from '../../contracts/error-code';
import type { EndpointReport, ListedModel } from '../../contracts/model-library';
import type { GenerateRequest, PromptMessage } from '../../contracts/model';
import { isRecord, parseJson, read, z } from '../../contracts/schema';
import type { ToolSpec } from '../../contracts/tool';
import { baseAddressesOf } from './own-endpoint';
import { createRequestSender, createRequestTo, type ModelServer, writeRequest } from './ask-server';
import { faultOf, faultOfStatus, createInvalidResponseError } from './faults';
import type { AnswerPart } from './read-answer';

export interface ServerTrial extends Omit<ModelServer, 'base'> {
  address: string;
  /** '' if the user named no model. Then we use the server's only model, if it has one. */
  model: string;
}

const wrongAddressErrors = new Set<ErrorCode>(['endpoint-missing', 'endpoint-form', 'endpoint-redirect']);
const rejectionErrors = new Set<ErrorCode>([
  'endpoint-refused',
  'endpoint-failed',
  'endpoint-missing',
  'endpoint-form',
]);

/** Reports server errors in the result. Rejects only with the reason of `signal`. */
export async function tryServer(trial: ServerTrial, signal: AbortSignal): Promise<EndpointReport> {
  const report = await findModelList(trial, signal);
  if (report.address === '' || report.fault) return report;
  const server = { egress: trial.egress, key: trial.key, base: report.address };
  const only = report.models?.length === 1 ? report.models[0]?.id : undefined;
  const model = trial.model || only;
  if (!model) return report;
  try {
    const asker = () => createTrialSender(server, model, signal);
    const reply = await tryReply(asker());
    const isNative = await isTrialAccepted(tryTools(asker()));
    const canSee = await isTrialAccepted(tryPicture(asker()));
    return { ...report, model, reply, isNative, canSee };
  } catch (error) {
    signal.throwIfAborted();
    const { code, message } = faultOf(error, true);
    return { ...report, model, fault: { code, detail: message } };
  }
}

async function findModelList(trial: ServerTrial, signal: AbortSignal): Promise<EndpointReport> {
  const bases = baseAddressesOf(trial.address);
  for (const base of bases) {
    try {
      return { address: base, models: await listModels({ ...trial, base }, signal) };
    } catch (error) {
      signal.throwIfAborted();
      const { code, message } = faultOf(error, false);
      if (!wrongAddressErrors.has(code)) return { address: base, fault: { code, detail: message } };
    }
  }
  // Some gateways cannot list their models, so guess the address.
  return { address: bases.find((base) => /\/v\d/.test(base)) ?? bases[0] ?? '' };
}

const ModelList = z.object({ data: z.array(z.looseObject({ id: z.string() })) });

async function listModels(server: ModelServer, signal: AbortSignal): Promise<readonly ListedModel[]> {
  const limits = { method: 'GET', maxBytes: 4_000_000, timeoutMs: 20_000 } as const;
  const answer = await server.egress.send({ ...createRequestTo(server, '/models'), ...limits }, signal);
  if (answer.status !== 200) throw faultOfStatus(answer, answer.text);
  const checked = read(ModelList, parseJson(answer.text));
  if (!checked.ok) throw createInvalidResponseError(checked.reason);
  return checked.value.data.map(toListedModel);
}

function toListedModel({ id, ...rest }: Record<string, unknown> & { id: string }): ListedModel {
  const meta = isRecord(rest['meta']) ? rest['meta'] : {};
  const sizes = [rest['max_model_len'], rest['context_length'], meta['n_ctx']];
  const size = sizes.find((one) => typeof one === 'number' && one >= 512);
  return { id, ...(typeof size === 'number' && { contextTokens: Math.floor(size) }) };
}

const toUserMessage = (content: string): PromptMessage => ({ role: 'user', content });
const maxTrialTokens = 256;

type TrialSender = ReturnType<typeof createTrialSender>;

function createTrialSender(server: ModelServer, model: string, signal: AbortSignal) {
  const ask = createRequestSender();
  return async (asking: Pick<GenerateRequest, 'messages' | 'tools'>, maxTokens = maxTrialTokens) => {
    const request = writeRequest(model, { ...asking, sampling: { temperature: 0 }, maxTokens });
    const parts: AnswerPart[] = [];
    for await (const part of ask(server, request, signal)) {
      signal.throwIfAborted();
      parts.push(part);
    }
    return parts;
  };
}

async function isTrialAccepted(trial: Promise<boolean>): Promise<boolean> {
  try {
    return await trial;
  } catch (error) {
    if (error instanceof AppError && rejectionErrors.has(error.code)) return false;
    throw error;
  }
}

async function tryReply(ask: TrialSender): Promise<'streams' | 'whole'> {
  const parts = await ask({ messages: [toUserMessage('Say only the word yes.')] }, 16);
  return parts.some(({ type }) => type === 'whole') ? 'whole' : 'streams';
}

const addNumbersTool: ToolSpec = {
  name: 'add_numbers',
  title: 'Add',
  description: 'Adds two numbers and returns the sum.',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
};

async function tryTools(ask: TrialSender): Promise<boolean> {
  const question = toUserMessage('Call the tool add_numbers with a = 17 and b = 25, then tell me the sum.');
  const tools = { specs: [addNumbersTool], choice: 'auto' as const };
  const written = findToolCall(await ask({ messages: [question], tools }));
  if (!written) return false;
  const call = { id: 'trial', name: addNumbersTool.name, arguments: written };
  const messages: PromptMessage[] = [
    question,
    { role: 'assistant', content: '', parts: { type: 'reply', text: '', calls: [call] } },
    { role: 'tool', content: '42', parts: { type: 'results', results: [{ id: 'trial', text: '42' }] } },
  ];
  await ask({ messages, tools });
  return true;
}

function findToolCall(parts: readonly AnswerPart[]): Record<string, unknown> | undefined {
  const calls = parts.filter((part) => part.type === 'call');
  const [first] = calls;
  if (first?.name !== addNumbersTool.name) return undefined;
  const text = calls.flatMap((part) => (part.index === first.index ? [part.arguments] : [])).join('');
  const checked = read(z.record(z.string(), z.unknown()), parseJson(text));
  return checked.ok ? checked.value : undefined;
}

/** A yellow square, 64 pixels wide. A model that sees no picture would not guess yellow. */
const yellowSquarePng =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAATklEQVR42u3PQQkAAAgEsOuf0S5eBN/CYAWWnbwWAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAYFLARrQsbSIGdsRAAAAAElFTkSuQmCC';
const pictureQuestion = 'What colour is this picture? Answer with one word.';

const pictureMessage: PromptMessage = {
  role: 'user',
  content: pictureQuestion,
  parts: {
    type: 'question',
    content: [
      { type: 'image', data: yellowSquarePng, mimeType: 'image/png' },
      { type: 'text', text: pictureQuestion },
    ],
    pictureTokens: 64,
  },
};

/** Asks for the colour, because many servers accept a picture but ignore it. */
async function tryPicture(ask: TrialSender): Promise<boolean> {
  const parts = await ask({ messages: [pictureMessage] });
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return /yellow|gold|黄/i.test(text);
}
