/** The messages of the language files: the syntax they may use, and what the build compiles them to. */
import { expect, test } from 'vitest';
import { compilePart, writeTypes } from '../../../scripts/languages.js';
import { compileMessage, parametersOf, parseMessage, PluralForms } from '../../../scripts/messages.js';

type Value = string | number | boolean | undefined;

/** Compiles a message and calls it. */
function say(text: string, values: Record<string, Value> = {}, code = 'en'): unknown {
  const parts = parseMessage(text);
  const forms = new PluralForms(code);
  const names = [...parametersOf(parts).keys()];
  const expression = compileMessage(parts, new Map(names.map((name) => [name, name])), forms);
  // oxlint-disable-next-line typescript/no-implied-eval -- The compiled code is what is tested.
  const make = new Function(`${forms.code} return (${names.join()}) => ${expression};`) as () => (
    ...values: Value[]
  ) => unknown;
  return make()(...names.map((name) => values[name]));
}

const files = '{count, plural, =0 {no files} one {# file} other {# files}}';
const kept = 'Keeps {used}{quota, select, undefined {} other { of {quota}}}.';

test.for([
  { text: 'As it is', said: 'As it is' },
  { text: '', said: '' },
  { text: 'Use {name}', values: { name: 'Ember' }, said: 'Use Ember' },
  { text: '{place, number}', values: { place: 1234 }, said: '1234' },
  { text: files, values: { count: 0 }, said: 'no files' },
  { text: files, values: { count: 1 }, said: '1 file' },
  { text: files, values: { count: 2 }, said: '2 files' },
  { text: '{isOn, select, true {on} other {off}}', values: { isOn: true }, said: 'on' },
  { text: '{isOn, select, true {on} other {off}}', values: { isOn: false }, said: 'off' },
  { text: '{isOn, select, false {off} other {on}}', values: { isOn: false }, said: 'off' },
  { text: kept, values: { used: '1 MB' }, said: 'Keeps 1 MB.' },
  { text: kept, values: { used: '1 MB', quota: '2 GB' }, said: 'Keeps 1 MB of 2 GB.' },
  { text: '{host, select, empty {here} other {at {host}}}', values: { host: '' }, said: 'here' },
  { text: '{host, select, empty {here} other {at {host}}}', values: { host: 'a' }, said: 'at a' },
  { text: '{kind, select, a {one} b {two} other {?}}', values: { kind: 'b' }, said: 'two' },
  {
    text: '{n, plural, one {# {x}} other {{x, select, y {#y} other {#}}}}',
    values: { n: 3, x: 'y' },
    said: '3y',
  },
  { text: "It's '{city}' and '{{a}}', ''quoted'' # 1", said: "It's {city} and {{a}}, 'quoted' # 1" },
  { text: "{n, plural, other {'#'#}}", values: { n: 3 }, said: '#3' },
  { text: '`${name}` \\', values: { name: 'x' }, said: '`$x` \\' },
  { text: "`$'{'{name}'}'` \\n", values: { name: 'x' }, said: '`${x}` \\n' },
])(
  'the interface text “$text”, compiled and filled with $values, reads “$said”',
  ({ text, values, said }) => {
    expect(say(text, values)).toBe(said);
  },
);

test.for([
  { text: '{name', problem: 'neither a } nor a known format' },
  { text: 'name}', problem: 'a } without its {' },
  { text: '{}', problem: 'a { without a parameter' },
  { text: '{at, date, short}', problem: 'neither a } nor a known format' },
  { text: '{count, plural, one {#}}', problem: 'a choice without “other”' },
  { text: '{count, plural, one {#} one {#} other {#}}', problem: 'a second “one”' },
  { text: '{count, plural, one # other #}', problem: 'an option without braces' },
  { text: '{count, plural, other {#}', problem: 'an option without braces' },
  { text: '{count, plural, other {#', problem: 'an option that does not end' },
  { text: "'{name}", problem: 'a quotation that does not end' },
])('the interface text “$text” is rejected with the error “$problem”', ({ text, problem }) => {
  expect(() => parseMessage(text)).toThrow(problem);
});

test('interface texts use the plural forms of their language', () => {
  const text = '{count, plural, one {# файл} few {# файла} many {# файлов} other {# файла}}';
  const counts = [1, 2, 5, 21, 22, 25];
  expect(counts.map((count) => say(text, { count }, 'ru'))).toEqual([
    '1 файл',
    '2 файла',
    '5 файлов',
    '21 файл',
    '22 файла',
    '25 файлов',
  ]);
  expect(() => say(files, { count: 1 }, 'zh')).toThrow('“zh” has the plural forms other, not “one”');
});

const english = {
  code: 'en',
  name: 'English',
  lookups: { 'shell.names': 'string', 'shell.open': 'string' },
  notes: {},
  parameters: { 'shell.ends.*': ['model', 'seconds'] },
  shell: {
    title: 'Title',
    tools: '{count, plural, one {# tool} other {# tools}}',
    chats: '{count, plural, one {chat} other {chats}}',
    ends: { stopped: 'Stopped.', failed: '{model} failed.', slow: 'Waits {seconds} s.' },
    days: ['Monday', 'Tuesday'],
    names: { a: 'A' },
    open: {},
  },
  rest: {},
};
const german = {
  code: 'de',
  name: 'Deutsch',
  rest: {},
  shell: {
    title: 'Titel',
    tools: '{count} Werkzeuge',
    chats: 'Chats',
    ends: { stopped: 'Beendet.', failed: '{model} scheiterte.', slow: 'Wartet {seconds} s.' },
    days: ['Montag', 'Dienstag'],
    names: { a: 'A' },
    open: { any: 'etwas' },
  },
};

test('a translation of every English text compiles to a module', () => {
  const { code, problems } = compilePart('shell', german, english);
  expect(problems).toEqual([]);
  // Parameters after the last used one are dropped.
  expect(code).toContain('"stopped":()=>"Beendet."');
  expect(code).toContain('"failed":(a)=>`${a} scheiterte.`');
  expect(code).toContain('"slow":(a,b)=>`Wartet ${b} s.`');
});

test.for([
  { change: { title: undefined }, problem: 'shell.title: string expected, not nothing' },
  { change: { days: 'Montag' }, problem: 'shell.days: a list expected, not string' },
  { change: { more: 'Mehr' }, problem: 'shell.more: English has no such key' },
  { change: { title: 'Titel {name}' }, problem: 'shell.title: English has no parameter {name}' },
  { change: { tools: 'Werkzeuge' }, problem: 'shell.tools: the parameter {count} is missing' },
  {
    change: { tools: '{count, select, true {ja} other {nein}}' },
    problem: 'shell.tools: {count} is a number, not a boolean',
  },
  {
    change: { title: 'Titel {' },
    problem: 'shell.title: a { without a parameter, at character 7 of “Titel {”',
  },
])('a mistake in a translation is reported: $problem', ({ change, problem }) => {
  const { problems } = compilePart(
    'shell',
    { ...german, shell: { ...german.shell, ...change } as never },
    english,
  );
  expect(problems).toEqual([problem]);
});

test('the generated types list the parameters of each interface text in order', () => {
  const types = writeTypes({ ...english, notes: { 'shell.title': 'Of the page.' } });
  expect(types).toContain('  /** Of the page. */\n  title: string;\n');
  expect(types).toContain('  tools: (count: number) => string;\n');
  expect(types).toContain('    stopped: () => string;\n');
  expect(types).toContain('    slow: (model: string, seconds: string) => string;\n');
  expect(types).toContain('  days: readonly string[];\n');
  expect(types).toContain('  names: Readonly<Record<string, string>>;\n');
});
