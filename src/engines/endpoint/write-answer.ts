/**
 * Writes down what a server says in fields of its own as the text that the reader of replies knows: thoughts and calls in the tags that
 * most models were trained on. PURE.
 */
import type { AnswerPart } from './read-answer';

export interface AnswerWriter {
  /** The text that came of it, which may be none. */
  push: (part: AnswerPart) => string;
  /** What closes that which is still open, where the answer has come to its end. */
  end: () => string;
}

interface Call {
  name: string;
  arguments: string;
}

export function createAnswerWriter(): AnswerWriter {
  let isThinking = false;
  /** In the order in which they began; the first is being written, the others wait for its end. */
  let calls: [index: number, call: Call][] = [];
  let isOpen = false;

  const closeThought = () => {
    if (!isThinking) return '';
    isThinking = false;
    return '</think>';
  };
  /** Of the first call. */
  const write = (): string => {
    const [first] = calls;
    if (!first || first[1].name === '') return '';
    const opening = isOpen ? '' : openingOf(first[1].name);
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
    // The next one has begun: what is whole by then runs while the others are still being written.
    while (calls.length > 1 && isWhole(written)) all += closeCall() + write();
    return all;
  }

  return {
    push(part) {
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

const openingOf = (name: string) => `\n<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": `;

function isWhole(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
