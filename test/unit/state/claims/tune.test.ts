import { test } from 'vitest';
import { readTurns, score } from './read-turns';
test('tune', () => {
  const s = score(readTurns('turns.jsonl'));
  console.log(s.right, s.wrong.length, s.found, s.missed.length);
  console.log('WRONG\n' + s.wrong.join('\n'));
  console.log('MISSED\n' + s.missed.join('\n'));
});
