import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createSpeakers } from '../../../src/agent/speak-as';
import { chatPipeline } from '../../../src/app/turn-stages';
import type { ChatModel } from '../../../src/contracts/model';

test('ARCHITECTURE.md lists the stages of a chat in their order', () => {
  const page = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const table = /^\| stage .*\n(?:\|.*\n)+/m.exec(page)?.[0] ?? '';
  const listed = [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name);

  const unused = () => {
    throw new Error('Nothing is asked.');
  };
  const host: ChatModel = { respond: unused, measure: unused };
  const spec = () => ({ name: 'A model', contextTokens: 4096, maxReplyTokens: 512 });
  const isSmall = () => false;
  const { stages } = chatPipeline({
    host,
    smallModel: { name: 'page-replies' },
    compaction: { spec, isSmall, before: [], newNonce: () => '' },
    toolList: { name: 'tool-list' },
    voice: { instructions: 'Be brief.', sampling: {}, language: null },
    persona: { spec: () => ({ sampling: { temperature: 0 } }), isSmall },
    speakers: createSpeakers(),
    isCancelled: () => true,
    pictures: { name: 'pictures' },
    fallback: { name: 'fallback' },
  });
  expect(stages).toEqual(listed);
});
