/** Runs a model on an OpenAI-compatible server, which may be on this device or elsewhere. */
import { writeError } from '../../contracts/app-error';
import type { GenerateRequest, ModelSpec, TextDelta, TextEngine, Usage } from '../../contracts/model';
import { parseJson } from '../../contracts/schema';
import { waitFor } from '../../contracts/until-aborted';
import { guessMessageTokens, type PageEngineOptions, type ReplyEnd, requireLoaded } from '../engine';
import { createRequestSender, type RetryClock, formatRequest, writeRequest } from './ask-server';
import type { AnswerPart } from './read-answer';

export function createEndpoint(
  { egress, keyOf }: Pick<PageEngineOptions, 'egress' | 'keyOf'>,
  patience: RetryClock = { wait: waitFor, now: Date.now },
): TextEngine {
  let model: ModelSpec | undefined;
  const ask = createRequestSender(patience);
  return {
    replyHeader: '',
    get takesPictures() {
      return model?.canSee;
    },
    // Nothing to load: we first contact the server when the user asks something.
    load(spec) {
      model = spec;
      return Promise.resolve();
    },

    // eslint-disable-next-line @typescript-eslint/require-await -- an error must become a rejection.
    async count(messages) {
      requireLoaded(model);
      return messages.map(({ content }) => guessMessageTokens(content));
    },

    async *generate(request: GenerateRequest, signal): AsyncGenerator<TextDelta> {
      const { id, file, served = id } = requireLoaded(model);
      const body = writeRequest(served, request);
      const writer = createAnswerWriter();
      const guessed = request.messages.reduce((sum, { content, parts }) => {
        const pictureTokens = parts?.type === 'question' ? parts.pictureTokens : 0;
        return sum + guessMessageTokens(content) + pictureTokens;
      }, 0);
      const usage: Usage = { promptTokens: guessed, prefilledTokens: guessed, outputTokens: 0 };
      let end: ReplyEnd = { finishReason: 'aborted' };
      try {
        signal.throwIfAborted();
        for await (const part of ask({ egress, base: file.path, key: keyOf(id) }, body, signal)) {
          if (signal.aborted) break;
          if (part.type === 'wait') yield { type: 'server-wait', seconds: part.seconds };
          const text = writer.push(part);
          if (part.type === 'end') end = { finishReason: part.isCut ? 'length' : 'stop' };
          if (part.type === 'usage') recordUsage(usage, part);
          // Count each piece of text as one token until the server reports the real number.
          else if (part.type === 'text' || part.type === 'thought') usage.outputTokens += 1;
          if (text !== '') yield { type: 'text-delta', text };
        }
        const rest = signal.aborted ? '' : writer.end();
        if (rest !== '') yield { type: 'text-delta', text: rest };
      } catch (error) {
        end = { finishReason: 'error', errorMessage: writeError(error) };
      }
      if (signal.aborted) end = { finishReason: 'aborted' };
      yield { type: 'finish', ...end, usage, prompt: formatRequest(body) };
    },
  };
}

function recordUsage(usage: Usage, said: Extract<AnswerPart, { type: 'usage' }>): void {
  if (said.outputTokens > 0) usage.outputTokens = said.outputTokens;
  if (said.promptTokens === 0) return;
  usage.promptTokens = said.promptTokens;
  usage.prefilledTokens = Math.max(1, said.promptTokens - said.cachedTokens);
}

/** Converts a server's response to the Hermes format. `push` returns the text for one part, which may be empty. */
export function createAnswerWriter() {
  let isThinking = false;
  /** Unfinished tool calls. We write out only the oldest, which comes first. `written`: the arguments that we have written. Absent for none. */
  const calls: { index: number; name: string; unwritten: string; written?: string }[] = [];

  const closeThought = (): string => {
    if (!isThinking) return '';
    isThinking = false;
    return '</think>';
  };
  const writeCall = (): string => {
    const [call] = calls;
    if (!call || call.name === '') return '';
    const { unwritten, written } = call;
    call.written = (written ?? '') + unwritten;
    call.unwritten = '';
    return (written === undefined ? writeCallOpening(call.name) : '') + unwritten;
  };
  const closeCall = (): string => {
    const rest = writeCall();
    const written = calls.shift()?.written;
    if (written === undefined) return '';
    return `${rest}${written.trim() === '' ? '{}' : ''}}\n</tool_call>`;
  };
  const closeAll = (): string => {
    let text = closeThought();
    while (calls.length > 0) text += closeCall();
    return text;
  };

  function pushCall({ index, name = '', arguments: piece }: Extract<AnswerPart, { type: 'call' }>): string {
    let text = closeThought();
    const known = calls.find((call) => call.index === index);
    if (known) {
      if (known.name === '') known.name = name;
      known.unwritten += piece;
    } else calls.push({ index, name, unwritten: piece });
    text += writeCall();
    // Another call has begun. Close the first call if its arguments are complete, so the tool can run while the model writes the other call.
    while (calls.length > 1 && parseJson(calls[0]?.written ?? '') !== undefined)
      text += closeCall() + writeCall();
    return text;
  }

  return {
    push(part: AnswerPart): string {
      if (part.type === 'call') return pushCall(part);
      if (part.type === 'text') return closeAll() + part.text;
      if (part.type !== 'thought') return '';
      const opening = isThinking ? '' : `${closeAll()}<think>`;
      isThinking = true;
      return opening + part.text;
    },
    end: closeAll,
  };
}

const writeCallOpening = (name: string) => `\n<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": `;
