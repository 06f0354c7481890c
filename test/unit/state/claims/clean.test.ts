import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { marksOf, type WrittenTurn } from './read-turns';
test('clean', () => {
  const lines = readFileSync('/tmp/dialogues.jsonl', 'utf8').trim().split('\n');
  let n = 0,
    nums = 0;
  const out: string[] = [];
  for (const line of lines) {
    const t = JSON.parse(line) as WrittenTurn;
    n++;
    if (t.calls.length && /\d/.test(t.a)) nums++;
    for (const m of marksOf(t))
      out.push(
        `${t.id} ${m.type}: ${m.text} | Q ${t.q} | R ${t.calls
          .map((c) => String(c[1]).slice(0, 200) + ' => ' + c[2].slice(0, 400))
          .join(' ## ')
          .replaceAll('\n', '\\n')} | A ${t.a}`,
      );
  }
  console.log(n, nums, out.length, '\n' + out.slice(0, 60).join('\n'));
  const cases = readFileSync('training/eval/answers.jsonl', 'utf8')
    .trim()
    .split('\n')
    .map((l) => JSON.parse(l));
  const replies = JSON.parse(readFileSync('/tmp/ember-answers.json', 'utf8')) as {
    id: string;
    reply: string;
  }[];
  let k = 0;
  const bad: string[] = [];
  for (const { id, reply } of replies) {
    const c = cases.find((x) => x.id === id);
    if (!c) continue;
    k++;
    const ms = c.messages;
    const t: WrittenTurn = {
      id,
      lang: 'en',
      kind: 'copy',
      q: ms[0].content,
      calls: [['x', ms[1].content, ms[2].content.replace(/^\w+: /, '')]],
      a: reply,
      marks: [],
    };
    for (const m of marksOf(t)) bad.push(`${id} ${m.text} | ${reply} | ${ms[2].content}`);
  }
  console.log('EMBER', k, bad.length, bad.join('\n'));
});
