/** Runs a model on an OpenAI-compatible server, which may be on this device, in its network or elsewhere. */
import { writeError } from '../../contracts/app-error';
import type {
  GenerateRequest,
  ModelSpec,
  PromptMessage,
  TextDelta,
  TextEngine,
  Usage,
} from '../../contracts/model';
import { parseJson } from '../../contracts/schema';
import { waitFor } from '../../contracts/until-aborted';
import { guessMessageTokens, type PageParts, whenLoaded } from '../engine';
import { createAsker, type Patience, showRequest, writeRequest } from './ask-server';
import type { AnswerPart } from './read-answer';

type Finish = Extract<TextDelta, { type: 'finish' }>;

const realPatience: Patience = { wait: waitFor, now: Date.now };

export function createEndpoint(
  { egress, keyOf }: Pick<PageParts, 'egress' | 'keyOf'>,
  patience: Patience = realPatience,
): TextEngine {
  let model: ModelSpec | undefined;
  const ask = createAsker(patience);
  return {
    replyHeader: '',
    get takesPictures() {
      return model?.canSee;
    },
    // Does not contact the server. The first question is the first request.
    load(spec) {
      model = spec;
      return Promise.resolve();
    },

    // eslint-disable-next-line @typescript-eslint/require-await -- an error must become a rejection.
    async count(messages) {
      whenLoaded(model);
      return messages.map(({ content }) => guessMessageTokens(content));
    },

    async *generate(request: GenerateRequest, signal): AsyncGenerator<TextDelta> {
      const { id, file, served = id } = whenLoaded(model);
      const body = writeRequest(served, request);
      const writer = createAnswerWriter();
      const guessed = request.messages.reduce(
        (sum, one) => sum + guessMessageTokens(one.content) + pictureTokensOf(one),
        0,
      );
      const usage: Usage = { promptTokens: guessed, prefilledTokens: guessed, outputTokens: 0 };
      let end: Pick<Finish, 'finishReason' | 'errorMessage'> = { finishReason: 'aborted' };
      try {
        signal.throwIfAborted();
        for await (const part of ask({ egress, base: file.path, key: keyOf(id) }, body, signal)) {
          if (signal.aborted) break;
          if (part.type === 'wait') yield { type: 'server-wait', seconds: part.seconds };
          const text = writer.push(part);
          if (part.type === 'end') end = { finishReason: part.isCut ? 'length' : 'stop' };
          if (part.type === 'usage') countUsage(usage, part);
          // Counts each piece of text as one token until the server reports its own count.
          else if (part.type === 'text' || part.type === 'thought') usage.outputTokens += 1;
          if (text !== '') yield { type: 'text-delta', text };
        }
        const rest = signal.aborted ? '' : writer.end();
        if (rest !== '') yield { type: 'text-delta', text: rest };
      } catch (error) {
        end = { finishReason: 'error', errorMessage: writeError(error) };
      }
      const finish = signal.aborted ? { finishReason: 'aborted' as const } : end;
      yield { type: 'finish', ...finish, usage, prompt: showRequest(body) };
    },
  };
}

function countUsage(
  usage: Usage,
  said: { promptTokens: number; cachedTokens: number; outputTokens: number },
): void {
  if (said.outputTokens > 0) usage.outputTokens = said.outputTokens;
  if (said.promptTokens === 0) return;
  usage.promptTokens = said.promptTokens;
  usage.prefilledTokens = Math.max(1, said.promptTokens - said.cachedTokens);
}

function pictureTokensOf({ parts }: PromptMessage): number {
  return parts?.type === 'question' ? parts.pictureTokens : 0;
}

/** Writes a server's response in the Hermes format. `push` returns the text for one part, which may be empty. */
export function createAnswerWriter() {
  let isThinking = false;
  /** Unfinished calls, oldest first. We write the first one while the others wait. */
  let calls: [index: number, call: { name: string; arguments: string }][] = [];
  let isOpen = false;

  const closeThought = () => {
    if (!isThinking) return '';
    isThinking = false;
    return '</think>';
  };
  const write = (): string => {
    const [first] = calls;
    if (!first || first[1].name === '') return '';
    const opening = isOpen ? '' : openingOfCall(first[1].name);
    isOpen = true;
    const text = first[1].arguments;
    first[1].arguments = '';
    written += text;
    return opening + text;
  };
  let written = '';
  const closeCall = (): string => {
    const [first, ...others] = calls;
    if (!first) return '';
    const text =
      first[1].name === '' ? '' : write() + (written.trim() === '' ? '{}' : '') + '}\n</tool_call>';
    calls = others;
    isOpen = false;
    written = '';
    return text;
  };
  const closeAll = (): string => {
    let text = '';
    while (calls.length > 0) text += closeCall();
    return text;
  };

  function pushCall({ index, name, arguments: piece }: Extract<AnswerPart, { type: 'call' }>): string {
    const text = closeThought();
    const known = calls.find(([at]) => at === index)?.[1];
    if (known) {
      if (known.name === '') known.name = name ?? '';
      known.arguments += piece;
    } else calls = [...calls, [index, { name: name ?? '', arguments: piece }]];
    let all = text + write();
    // The next call has begun. If the first call is complete, close it so that it can run while the model writes the others.
    while (calls.length > 1 && parseJson(written) !== undefined) all += closeCall() + write();
    return all;
  }

  return {
    push(part: AnswerPart): string {
      switch (part.type) {
        case 'thought': {
          const opening = isThinking ? '' : `${closeAll()}<think>`;
          isThinking = true;
          return opening + part.text;
        }
        case 'text':
          return closeThought() + closeAll() + part.text;
        case 'call':
          return pushCall(part);
        case 'usage':
        case 'end':
        case 'whole':
        case 'wait':
          return '';
      }
    },
    end: () => closeThought() + closeAll(),
  };
}

const openingOfCall = (name: string) => `\n<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": `;
