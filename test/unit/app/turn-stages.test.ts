import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createCancelStage, createTurnPipeline } from '../../../src/app/turn-stages';
import type { ChatModel } from '../../../src/contracts/model';

test('ARCHITECTURE.md lists the processing stages of an answer in their order', () => {
  const page = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const table = /^\| stage .*\n(?:\|.*\n)+/m.exec(page)?.[0] ?? '';
  const listed = [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name);

  const unused = () => {
    throw new Error('Nothing is asked.');
  };
  const host: ChatModel = { respond: unused, measure: unused };
  const { stages } = createTurnPipeline(host, {
    fallback: { name: 'fallback' },
    cancelledLoad: createCancelStage(() => true),
    pictures: { name: 'pictures' },
    conversation: { name: 'conversation' },
    persona: { name: 'persona' },
    toolList: { name: 'tool-list' },
    summary: { name: 'summary' },
    hands: { name: 'hands' },
    smallModel: { name: 'page-replies' },
  });
  expect(stages).toEqual(listed);
});
