/** No tool is on unless the user has seen its current definition. */
import { describe, expect, test } from 'vitest';
import type { McpServer, RemoteTool } from '../../../../src/contracts/mcp-server';
import { reservedToolNames } from '../../../../src/contracts/tool-names';
import { mergeTools, switchTool } from '../../../../src/tools/mcp/merge-tools';
import type { ListedTool } from '../../../../src/tools/mcp/worker-api';

const listed = (name: string, description = '', changed: Partial<ListedTool> = {}): ListedTool => ({
  name,
  definition: { title: '', description, inputSchema: { type: 'object' }, hints: {} },
  hash: `hash of ${name} ${description}`,
  ...changed,
});
const merge = (
  known: readonly RemoteTool[],
  list: readonly ListedTool[],
  taken: readonly string[] = [],
  server = 'Notes',
) => mergeTools(known, list, server, (name) => taken.includes(name) || reservedToolNames.has(name));
const server = (tools: RemoteTool[]): McpServer => ({
  id: 's',
  name: 'Notes',
  url: 'https://mcp.example.org/',
  header: '',
  clientId: '',
  tools,
  tally: { calls: 0, failures: 0, sentBytes: 0, receivedBytes: 0 },
  createdAt: 0,
});
const on = (tools: RemoteTool[], name: string) => switchTool(server(tools), name, true).tools;
const aliases = (tools: readonly RemoteTool[]) => tools.map(({ alias }) => alias);

describe("the stored state of a server's tools", () => {
  test('lists new tools as switched off and keeps the setting of unchanged tools', () => {
    const first = merge([], [listed('add'), listed('echo')]);
    expect(first).toMatchObject([
      { name: 'add', isOn: false },
      { name: 'echo', isOn: false },
    ]);
    expect(first.every((tool) => !('before' in tool) && !('unfit' in tool))).toBe(true);
    const again = merge(on(first, 'echo'), [listed('new'), listed('echo'), listed('add')]);
    expect(again.map(({ name, isOn }) => [name, isOn])).toEqual([
      ['new', false],
      ['echo', true],
      ['add', false],
    ]);
  });

  test('invariant: a server tool that has changed is switched off', () => {
    const known = on(merge([], [listed('echo', 'Says it.')]), 'echo');
    const [changed] = merge(known, [listed('echo', 'Says it, and more.')]);
    expect(changed).toMatchObject({ isOn: false, before: { description: 'Says it.' } });
    expect(merge(known, [listed('echo', 'Says it.', { hash: 'another' })])[0]?.isOn).toBe(false);
  });

  test('keeps the definition that was last switched on if a tool changes twice', () => {
    const known = on(merge([], [listed('echo', 'One')]), 'echo');
    const thrice = ['Two', 'Three', 'Three'].reduce(
      (tools, text) => merge(tools, [listed('echo', text)]),
      known,
    );
    expect(thrice).toMatchObject([
      { isOn: false, definition: { description: 'Three' }, before: { description: 'One' } },
    ]);
    // Reviewing a tool accepts its current definition.
    const seen = on(thrice, 'echo');
    expect(seen[0]).toMatchObject({ isOn: true });
    expect(seen[0]).not.toHaveProperty('before');
  });

  test('shows no difference for a tool that changed back, but leaves the tool off', () => {
    const known = on(merge([], [listed('echo', 'One')]), 'echo');
    const back = merge(merge(known, [listed('echo', 'Two')]), [listed('echo', 'One')]);
    expect(back[0]?.isOn).toBe(false);
    expect(back[0]).not.toHaveProperty('before');
  });

  test('keeps no old definition of a changed tool that was never switched on', () => {
    const [changed] = merge(merge([], [listed('echo', 'One')]), [listed('echo', 'Two')]);
    expect(changed).not.toHaveProperty('before');
  });

  test('never has an unusable tool switched on', () => {
    const known = on(merge([], [listed('echo')]), 'echo');
    const same = merge(known, [listed('echo', '', { unfit: 'schema' })]);
    expect(same).toMatchObject([{ isOn: false, unfit: 'schema' }]);
    expect(on(same, 'echo')).toEqual(same);
    expect(switchTool(server(same), 'echo', false).tools[0]?.isOn).toBe(false);
  });

  test('forgets a removed tool, which counts as new when it returns', () => {
    const known = on(merge([], [listed('echo')]), 'echo');
    expect(merge(known, [])).toEqual([]);
    expect(merge(merge(known, []), [listed('echo')])[0]?.isOn).toBe(false);
  });

  test('changes only for the tool that the user switches, and not for an unknown name', () => {
    const tools = merge([], [listed('a'), listed('b')]);
    expect(on(tools, 'b').map(({ isOn }) => isOn)).toEqual([false, true]);
    expect(on(tools, 'c')).toEqual(tools);
    expect(on(tools, 'toString')).toEqual(tools);
    expect(switchTool(server(on(tools, 'b')), 'b', false).tools).toEqual(tools);
  });

  test('keeps the old definition of a changed tool if that tool is switched off', () => {
    const changed = merge(on(merge([], [listed('a', 'One')]), 'a'), [listed('a', 'Two')]);
    expect(switchTool(server(changed), 'a', false).tools[0]?.before?.description).toBe('One');
  });
});

describe("the name that models use for a server's tool", () => {
  test.for<[string, string]>([
    ['echo', 'echo'],
    ['get-sum', 'get_sum'],
    ['GetSum', 'getsum'],
    ['files/read v2', 'files_read_v2'],
    ['3d_print', 'd_print'],
    ['Ünïcôde', 'u_ni_co_de'],
    ['搜索', 'notes_tool'],
    ['🚀', 'notes_tool'],
    ['<|im_start|>system', 'im_start_system'],
    ['</tool_call>', 'tool_call'],
    ['__proto__', 'proto'],
    ['constructor', 'notes_constructor'],
    ['hasOwnProperty', 'notes_hasownproperty'],
    ['web_search', 'notes_web_search'],
    ['', 'notes_tool'],
  ])("is derived from the server's name for the tool: %s becomes %s", ([name, alias]) => {
    expect(aliases(merge([], [listed(name)]))).toEqual([alias]);
  });

  test('never exceeds the maximum length', () => {
    const long = 'x'.repeat(200);
    const tools = merge([], [listed(long), listed(`${long}!`), listed(`${long}?`)], ['x'.repeat(64)]);
    expect(new Set(aliases(tools)).size).toBe(3);
    for (const alias of aliases(tools)) expect(alias).toMatch(/^[a-z][a-z\d_]{0,63}$/);
  });

  test("starts with the server's name if another tool already has the short name", () => {
    expect(aliases(merge([], [listed('weather')], ['weather']))).toEqual(['notes_weather']);
    expect(aliases(merge([], [listed('weather')], ['weather'], '天气'))).toEqual(['server_weather']);
  });

  test("gets a number if the name with the server's name is taken too", () => {
    const first = aliases(merge([], [listed('echo')], ['echo']));
    const second = aliases(merge([], [listed('echo')], ['echo', ...first]));
    expect([...first, ...second]).toEqual(['notes_echo', 'notes_echo_2']);
    const alike = merge([], [listed('a-b'), listed('a_b'), listed('a b'), listed('A.B')]);
    expect(aliases(alike)).toEqual(['a_b', 'notes_a_b', 'notes_a_b_2', 'notes_a_b_3']);
  });

  test('stays the same when tools are reordered or added', () => {
    const known = merge([], [listed('a-b'), listed('a_b')]);
    const later = merge(known, [listed('A B'), listed('a_b'), listed('a-b')]);
    expect(later.map(({ name, alias }) => [name, alias])).toEqual([
      ['A B', 'notes_a_b_2'],
      ['a_b', 'notes_a_b'],
      ['a-b', 'a_b'],
    ]);
    expect(aliases(merge(later, [listed('a-b', 'changed')]))).toEqual(['a_b']);
  });

  test('changes if the user creates a tool with the same name', () => {
    const known = merge([], [listed('echo')]);
    expect(aliases(merge(known, [listed('echo')], ['echo']))).toEqual(['notes_echo']);
  });
});
