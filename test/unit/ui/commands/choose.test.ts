import { expect, test } from 'vitest';
import { chooseCommands, type Command, foldForMatching, scoreOf } from '../../../../src/ui/commands/choose';

const command = (group: Command['group'], name: string, synonyms?: string): Command => ({
  id: `${group}:${name}`,
  group,
  name,
  run: () => undefined,
  ...(synonyms !== undefined && { synonyms }),
});

test.for<[string, string[]]>([
  ['new chat', ['New chat', 'New chat about chess', 'A new chat', 'Renewed chatter']],
  ['chat', ['Chat', 'Chats', 'New chat', 'Unchatty']],
  ['nec', ['New chat']],
  ['聊天', ['聊天', '聊天列表', '搜索聊天']],
  ['新聊', ['新聊天', '一个新聊天室']],
  ['cafe', ['Café', 'The café']],
  ['ＡＢＣ', ['abc']],
])(
  'the query “%s” ranks equal names first, then names that start with it, then names that contain it',
  ([query, names]) => {
    const scores = names.map((name) => scoreOf(foldForMatching(query), foldForMatching(name)));
    expect(scores.every((score) => score > 0)).toBe(true);
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
  },
);

test.for<[string, string]>([
  ['chat', 'Bin'],
  ['new bin', 'New chat'],
  ['笔记', '聊天'],
])('the query “%s” does not match the name “%s”', ([query, name]) => {
  expect(scoreOf(foldForMatching(query), foldForMatching(name))).toBe(0);
});

const all = [
  command('actions', 'New chat', 'begin'),
  command('actions', '转到“笔记”', 'biji bj notes'),
  command('chats', 'Notes on chess'),
  command('chats', 'Rent'),
  command('settings', 'Storage'),
];
const shown = (typed: string, recent: string[] = []) =>
  chooseCommands(all, typed, recent).map(
    ({ group, commands }) => `${group}: ${commands.map(({ name }) => name).join()}`,
  );

test('an empty query lists recent commands first, then the others', () => {
  expect(shown('', ['chats:Rent', 'gone'])).toEqual([
    'recent: Rent',
    'actions: New chat,转到“笔记”',
    'chats: Notes on chess',
    'settings: Storage',
  ]);
});

test('a query matches names and synonyms, and the best group of results comes first', () => {
  expect(shown('notes')).toEqual(['chats: Notes on chess', 'actions: 转到“笔记”']);
  expect(shown('bj')).toEqual(['actions: 转到“笔记”']);
  expect(shown('笔记')).toEqual(['actions: 转到“笔记”']);
  expect(shown('zzz')).toEqual([]);
});

test('ten thousand matching chats give twelve results, and each name is read only once', () => {
  let read = 0;
  const many = Array.from({ length: 10_000 }, (_, at) => ({
    ...command('chats', ''),
    get name() {
      read++;
      return `Chat number ${at} on 时钟 and weather`;
    },
  }));
  const [first] = chooseCommands(many, 'number 77', []);
  expect(first?.commands).toHaveLength(12);
  expect(read).toBe(10_000);
  chooseCommands(many, 'weather', []);
  expect(read).toBe(10_000);
});
