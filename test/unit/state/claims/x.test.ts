import { test } from 'vitest';
import { readTurns, score } from './read-turns';
for (const name of ['turns.jsonl', 'unseen.jsonl', 'later.jsonl', 'last.jsonl', 'fresh.jsonl'])
test(name, () => {
  const s = score(readTurns(name));
  console.log(name, s.right, s.wrong.length, s.found, s.missed.length, 'WRONG\n' + s.wrong.join('\n'), 'MISSED\n' + s.missed.join('\n'));
});
