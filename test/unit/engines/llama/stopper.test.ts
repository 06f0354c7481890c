import { describe, expect, test } from 'vitest';
import { createStopTextFilter } from '../../../../src/engines/llama/engine';

/** Passes the text in pieces of one size. Returns what was sent, and whether it was stopped. */
function pass(stops: string[], text: string, size: number) {
  const stopper = createStopTextFilter(stops);
  let sent = '';
  for (let at = 0; at < text.length; at += size) {
    const { text: piece, isOver } = stopper.push(text.slice(at, at + size));
    sent += piece;
    if (isOver) return { sent, isOver };
  }
  return { sent: sent + stopper.end(), isOver: false };
}

describe.for([1, 2, 3, 100])(
  'cutting a streamed reply at a stop string, with a chunk length of %i',
  (size) => {
    test.for([
      { name: 'a text without a stop string', stops: [], text: 'Hello.', sent: 'Hello.', isOver: false },
      {
        name: 'a stop string at the end',
        stops: ['<|end|>'],
        text: 'Hello.<|end|>',
        sent: 'Hello.',
        isOver: true,
      },
      {
        name: 'a stop string followed by more text',
        stops: ['<|end|>'],
        text: 'Hi<|end|>more',
        sent: 'Hi',
        isOver: true,
      },
      {
        name: 'the start of a stop string',
        stops: ['<|end|>'],
        text: 'a <|en b',
        sent: 'a <|en b',
        isOver: false,
      },
      {
        name: 'half a stop string at the end',
        stops: ['<|end|>'],
        text: 'a <|en',
        sent: 'a <|en',
        isOver: false,
      },
      { name: 'a stop string that repeats itself', stops: ['aab'], text: 'aaab', sent: 'a', isOver: true },
      {
        name: 'the first of two stop strings',
        stops: ['END', '\n\n'],
        text: 'a\n\nEND',
        sent: 'a',
        isOver: true,
      },
    ])(
      'sends the text before the first complete stop string, or else the whole text: $name',
      ({ stops, text, sent, isOver }) => {
        expect(pass(stops, text, size)).toEqual({ sent, isOver });
      },
    );
  },
);
