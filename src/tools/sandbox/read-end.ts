/** Interprets the relay's message about the end of a run: a letter and text, both untrusted. */
import type { SandboxLimits, SandboxRefusal } from '../../contracts/sandbox';
import { cut, isRecord, parseJson } from '../../contracts/schema';

type RunEnd = { ok: true; json: string } | SandboxRefusal;

const maxResultDepth = 64;

/** True if we can reuse the frame. After an exception we cannot: memory may have run out. */
export function canReuseFrame(letter: string): boolean {
  return ['r', 'b', 'x'].includes(letter);
}

/** `letter`: says how the run ended. `text`: the rest of the relay's message. `codeLines`: number of lines of the user's code. */
export function readRunEnd(letter: string, text: string, limits: SandboxLimits, codeLines: number): RunEnd {
  switch (letter) {
    case 'r':
      return readResult(text, limits);
    case 'b':
      return refuse('BAD_JSON', `The result is not JSON: ${text}. Return text, numbers, lists or objects`);
    case 'e':
      return readRunError('THROWN', text, codeLines);
    case 'x':
      return readRunError('SCRIPT', text, codeLines);
    case 'z':
      return refuseTooLarge(limits);
    case 'f':
      return refuse(
        'FLOOD',
        `More than ${limits.logs * 10} log lines or ${limits.hostCalls} host calls. Do less in one call`,
      );
    case 't':
      return refuse(
        'TIMEOUT',
        `It did not end within ${limits.timeMs / 1000} s and was stopped. Do less in one call, or raise the time limit`,
      );
    default:
      return refuse('PROTOCOL', 'The sandbox broke off: perhaps the code used too much memory. Try less');
  }
}

function refuseTooLarge({ outputCharacters }: SandboxLimits): SandboxRefusal {
  return refuse('TOO_LARGE', `The result is longer than ${outputCharacters} characters. Return less`);
}

function readResult(text: string, limits: SandboxLimits): RunEnd {
  if (text.length > limits.outputCharacters) return refuseTooLarge(limits);
  if (jsonDepthOf(text) > maxResultDepth) {
    return refuse('BAD_JSON', `The result is nested deeper than ${maxResultDepth}. Return something flatter`);
  }
  const value = parseJson(text);
  if (value === undefined)
    return refuse('BAD_JSON', 'The result is not JSON. Return text, numbers, lists or objects');
  // Pass on only text that we serialized ourselves.
  const json = JSON.stringify(value);
  // Serializing again can make JSON longer: `1e20` becomes all its digits.
  return json.length > limits.outputCharacters ? refuseTooLarge(limits) : { ok: true, json };
}

/** Measures the nesting before we parse the JSON, in linear time even for malformed JSON. */
function jsonDepthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const letter = json[at];
    if (isText && letter === '\\') at++;
    else if (letter === '"') isText = !isText;
    else if (isText) continue;
    else if (letter === '[' || letter === '{') deepest = Math.max(deepest, ++depth);
    else if (letter === ']' || letter === '}') depth--;
  }
  return deepest;
}

function readRunError(failure: 'THROWN' | 'SCRIPT', text: string, codeLines: number): RunEnd {
  const error = parseJson(text);
  const { message, stack, line } = isRecord(error) ? error : {};
  const said = typeof message === 'string' ? message.replace(/^Uncaught /, '') : 'An unreadable error';
  const raw = typeof stack === 'string' ? findLineNumber(stack) : line;
  // The user's code begins on the second line of the worker's script.
  const at = typeof raw === 'number' ? raw - 1 : 0;
  const isInCode = at >= 1 && at <= codeLines;
  if (failure === 'THROWN') return refuse(failure, said, isInCode ? at : undefined);
  // The lines after the user's code are ours (see relay.js). An error there means that the user's code ended too early.
  if (isInCode && !said.includes('#end')) return refuse(failure, said, at);
  const wrong = said.includes('#end')
    ? 'a bracket is closed that was not opened, or not closed'
    : 'it ends in the middle of something: a value, a bracket, a text or a comment';
  return refuse(failure, `SyntaxError: ${wrong}`, codeLines);
}

/** Finds the innermost line number in a stack: `at f (blob:null/…:12:5)`, `f@blob:null/…:12:5`. */
function findLineNumber(stack: string): number | undefined {
  const found = /blob:[^\s()]{1,200}?:(\d{1,7}):\d/.exec(stack)?.[1];
  return found === undefined ? undefined : Number(found);
}

const maxMessageCharacters = 2_000;

export function refuse(failure: SandboxRefusal['failure'], message: string, line?: number): SandboxRefusal {
  const place = line !== undefined && { line };
  return { ok: false, failure, message: cut(message, maxMessageCharacters), ...place };
}
