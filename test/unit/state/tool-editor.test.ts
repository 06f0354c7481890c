import { describe, expect, test } from 'vitest';
import type { CustomToolContent, DefinitionProblem } from '../../../src/contracts/custom-tool';
import type { SandboxResult } from '../../../src/contracts/sandbox';
import {
  type CustomToolFunctions,
  CustomTools,
  type ToolTrial,
} from '../../../src/state/custom-tools.svelte';
import { newRecordId } from '../../../src/state/editor.svelte';
import { ToolEditor } from '../../../src/state/tool-editor.svelte';
import { formOf, createStartingForm } from '../../../src/state/tool-form';
import { slugify } from '../tools/custom/definition';
import { createMemoryStore } from '../../../src/store/open-store';

const start = createStartingForm({
  name: 'die',
  title: 'Die',
  description: 'Rolls a die.',
  code: 'return 4',
  inputSchema: { type: 'object', properties: {}, required: [] },
  example: { request: 'Roll a die', arguments: {} },
});
const plain: CustomToolContent = { ...slugify, examples: [] };

function setUp() {
  const store = createMemoryStore().customTools;
  const runs: ToolTrial[] = [];
  let at = 100;
  let problems: DefinitionProblem[] = [];
  let result: SandboxResult = { ok: true, json: '{"b":1,"a":2}', logs: [], ms: 3 };
  const functions: CustomToolFunctions = {
    ...store,
    save: (tool) => store.save(tool),
    check: () => Promise.resolve(problems),
    run(run) {
      runs.push(run);
      return Promise.resolve(result);
    },
    readFile: () => Promise.reject(new Error('not here')),
    writeFile: () => Promise.reject(new Error('not here')),
    gallery: () => Promise.resolve([]),
    newId: () => 'made',
    date: () => at++,
  };
  const tools = new CustomTools(functions);
  const open = async (id: string) => {
    const editor = new ToolEditor(tools, id, start);
    await editor.open();
    return editor;
  };
  return {
    store,
    runs,
    open,
    tools,
    answer: (next: SandboxResult) => void (result = next),
    refuse: (next: DefinitionProblem[]) => void (problems = next),
  };
}

describe('the tool editor', () => {
  test('stores every change as a draft and restores it', async () => {
    const { open, store } = setUp();
    const editor = await open(newRecordId);
    editor.change({ name: 'a' });
    editor.change({ name: 'ab' });
    await expect.poll(async () => (await store.loadDraft(newRecordId))?.form.name).toBe('ab');
    const again = await open(newRecordId);
    expect(again.form.name).toBe('ab');
    expect(again.isChanged).toBe(true);
  });

  test('opens with a sample tool, and removes its example once the tool is changed', async () => {
    const { open, store } = setUp();
    const editor = await open(newRecordId);
    expect(editor.form).toEqual(start);
    expect(editor.isChanged).toBe(false);
    editor.change({ code: 'return 5' });
    await editor.discard();
    expect(editor.form).toEqual(start);
    await editor.save();
    expect((await store.list()).tools[0]?.content.examples).toEqual([
      { request: 'Roll a die', arguments: {} },
    ]);

    const other = await open(newRecordId);
    other.change({ name: 'other' });
    await other.save();
    expect((await store.list()).tools[0]?.content).toMatchObject({ name: 'other', examples: [] });
  });

  test('switches a newly saved tool on, gives it an id and deletes its draft', async () => {
    const { open, store } = setUp();
    const editor = await open(newRecordId);
    editor.change(formOf(plain));
    expect(await editor.save()).toBe(true);
    expect(editor.id).toBe('made');
    expect((await store.list()).tools).toMatchObject([
      { id: 'made', isOn: true, content: plain, versions: [] },
    ]);
    expect(await store.loadDraft(newRecordId)).toBeUndefined();
    expect(editor.isChanged).toBe(false);
  });

  test('keeps one earlier version per saved change, and does not switch the tool on', async () => {
    const { open, store, tools } = setUp();
    const editor = await open(newRecordId);
    editor.change(formOf(plain));
    await editor.save();
    await tools.setOn((await store.list()).tools[0]!, false);
    editor.change({ code: 'return 2' });
    await editor.save();
    await editor.save();
    const [tool] = (await store.list()).tools;
    expect(tool).toMatchObject({ isOn: false, content: { code: 'return 2' } });
    expect(tool?.versions).toMatchObject([{ content: { code: plain.code } }]);
  });

  test('does not save an invalid tool, and shows the reason until the invalid field changes', async () => {
    const { open, store, refuse } = setUp();
    const editor = await open(newRecordId);
    refuse([{ field: 'name', code: 'name-form', detail: 'x' }]);
    editor.change(formOf(plain));
    expect(await editor.save()).toBe(false);
    expect((await store.list()).tools).toEqual([]);
    editor.change({ title: 'Other' });
    expect(editor.problems).toHaveLength(1);
    editor.change({ name: 'other' });
    expect(editor.problems).toEqual([]);
  });

  test('stores text typed during a save as a draft of the saved tool', async () => {
    const { open, store } = setUp();
    const editor = await open(newRecordId);
    editor.change(formOf(plain));
    const saving = editor.save();
    editor.change({ title: 'Later' });
    await saving;
    expect(editor.isChanged).toBe(true);
    await expect.poll(async () => (await store.loadDraft('made'))?.form.title).toBe('Later');
    expect(await store.loadDraft(newRecordId)).toBeUndefined();
  });

  test('can discard all unsaved changes', async () => {
    const { open, store } = setUp();
    const editor = await open(newRecordId);
    editor.change(formOf(plain));
    await editor.save();
    editor.change({ code: 'oops' });
    await editor.discard();
    expect(editor.form.code).toBe(plain.code);
    expect(await store.loadDraft('made')).toBeUndefined();
  });

  test('reports that the requested tool does not exist', async () => {
    expect((await setUp().open('gone')).status).toBe('missing');
  });
});

describe('a test run of a tool', () => {
  test('runs the unsaved code, and can be kept as an example', async () => {
    const { open, runs } = setUp();
    const editor = await open(newRecordId);
    editor.change({ ...formOf(plain), code: 'return {a: 2, b: 1}' });
    editor.typedInput = { title: 'x' };
    await editor.run();
    expect(runs).toMatchObject([{ content: { code: 'return {a: 2, b: 1}' }, input: { title: 'x' } }]);
    editor.keepAsExample();
    expect(editor.form.examples).toEqual([
      { request: '', arguments: '{"title":"x"}', result: '{"b":1,"a":2}' },
    ]);
  });

  test('reports BAD_ARGS for an invalid form, and runs nothing', async () => {
    const { open, runs } = setUp();
    const editor = await open(newRecordId);
    editor.change({ inputSchema: '{' });
    await editor.run();
    expect(editor.result).toMatchObject({ ok: false, failure: 'BAD_ARGS' });
    expect(runs).toEqual([]);
  });

  test('compares the result of each example with the expected one, whatever the order of keys', async () => {
    const { open, answer } = setUp();
    const editor = await open(newRecordId);
    const example = (result: string) => ({ request: '', arguments: '{}', result });
    editor.change({ ...formOf(plain), examples: ['{"a":2,"b":1}', '{"a":3}', '', 'no JSON'].map(example) });
    await editor.check();
    expect(editor.checks.map(({ isAsSaid }) => isAsSaid)).toEqual([true, false, true, false]);
    answer({ ok: false, failure: 'TIMEOUT', message: 'slow', logs: [], ms: 5 });
    await editor.check();
    expect(editor.checks.map(({ isAsSaid }) => isAsSaid)).toEqual([false, false, false, false]);
  });
});

test('an imported tool gets a new name if its name is taken', async () => {
  const { tools, refuse } = setUp();
  await tools.add(plain, true);
  refuse([{ field: 'name', code: 'name-taken', detail: 'x' }]);
  const { content, problems } = await tools.inspect(plain, new AbortController().signal);
  expect(content.name).toBe('slugify_2');
  expect(problems).toEqual([]);
});
