/** Checks the rules for tools on every registered tool. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { specOf } from '../../src/contracts/tool';
import { ownToolNames } from '../../src/contracts/tool-names';
import { createRemoteTool } from '../../src/tools/mcp/remote-tool';
import { createResourceReader } from '../../src/tools/page-calls';
import { createAgentTool } from '../../src/tools/personas/agent-tool';
import { createBuiltinTools } from '../../src/tools/registry';
import { languages } from '../../src/ui/i18n/registry';
import { takesAll } from '../support/matrix';
import { builtinParts } from '../support/outside';
import { personaContent } from '../support/persona';

const context = { signal: new AbortController().signal, onProgress: () => undefined };
vi.stubEnv('MODE', 'e2e');
const everyTool = createBuiltinTools(builtinParts());
vi.unstubAllEnvs();

/** JSON as a confused model writes it: wrong types, huge texts, nested nonsense, prototype keys. */
const anyJson = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, true, 0, -1, 1e308, '', [], {}, NaN),
  fc.string({ maxLength: 20 }),
  fc.constantFrom('x', '💥', '<tool_call>').map((text) => text.repeat(5_000)),
  fc.jsonValue({ maxDepth: 6 }),
  fc.constant(JSON.parse('['.repeat(5000) + ']'.repeat(5000)) as unknown),
);
const trapKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', ''];

/** Arguments that do not fit `tool`: an unknown one, or a known one with a value of the wrong type. */
function nonsenseFor(tool: (typeof everyTool)[number]) {
  const own = Object.keys(tool.inputSchema['properties'] as object);
  const keys = fc
    .oneof(fc.constantFrom(...trapKeys), fc.string({ maxLength: 30 }))
    .filter((key) => !own.includes(key));
  const noString = fc.oneof(
    fc.constantFrom<unknown>(null, true, NaN, [], {}),
    fc.array(anyJson, { maxLength: 3 }),
  );
  const wrongOwn = fc.tuple(fc.constantFrom(...own), noString);
  const strange = fc.tuple(keys, anyJson);
  const calls = fc.array(fc.oneof(wrongOwn, strange), { minLength: 1, maxLength: 6 }).map((entries) =>
    // Uses defineProperty, because assigning to `__proto__` would not create a key.
    entries.reduce<object>(
      (input, [key, value]) =>
        Object.defineProperty(input, key, { value, enumerable: true, configurable: true, writable: true }),
      {},
    ),
  );
  const noObject = anyJson.filter(
    (value) => typeof value !== 'object' || value === null || Array.isArray(value),
  );
  return fc.oneof({ weight: 4, arbitrary: calls }, { weight: 1, arbitrary: noObject });
}

/** Number of calls per tool that do not fit its schema. */
const nonsenseCalls = takesAll ? 1000 : 200;

// Excludes the tool that only exists in the build for tests.
describe.for(languages)('the app in the language $name', ({ loadRest }) => {
  test.for(createBuiltinTools(builtinParts()))(
    'has a title and a description for the tool: $name',
    async ({ name }) => {
      const { titles, descriptions } = (await loadRest()).tools;
      expect(titles[name], `tools.titles of the words`).toBeTruthy();
      expect(descriptions[name], `tools.descriptions of the words`).toBeTruthy();
    },
  );
});

const notCalled = () => Promise.reject(new Error('Not called.'));
const resource = { serverId: 's', uri: 'docs://one', title: 'One' };
const resourceReader = createResourceReader(
  [{ role: 'user', content: [], attached: [resource], origins: [{ door: 'typed' }] }],
  notCalled,
)!;
const definition = { title: '', description: 'Knows it.', inputSchema: { type: 'object' }, hints: {} };

test.for([...createBuiltinTools(builtinParts()), resourceReader])(
  'invariant: no tool of a server and no persona has the name of a tool of Hearth: $name',
  ({ name }) => {
    expect(ownToolNames.has(name)).toBe(true);
    const server = { id: 's', name: 'Helper', url: 'https://helper.example/mcp' };
    const remote = createRemoteTool(
      server,
      { name, alias: name, definition, hash: 'h', isOn: true },
      notCalled,
    );
    expect(ownToolNames.has(remote.name)).toBe(false);
    expect(ownToolNames.has(createAgentTool({ content: personaContent(name) }).name)).toBe(false);
  },
);

describe.for(everyTool)('the tool $name', (tool) => {
  test('has a name and a description for the model', () => {
    expect(tool.name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    expect(tool.title.length).toBeGreaterThan(2);
    expect(tool.description.length).toBeGreaterThan(10);
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(structuredClone(specOf(tool))).toEqual(specOf(tool));
  });

  test('returns a result for each of its examples', async () => {
    for (const { arguments: input } of tool.examples ?? []) {
      expect(await tool.execute(input, context)).toMatchObject({ isError: false });
    }
  });

  test(
    `answers ${nonsenseCalls} nonsense calls with an error and runs none of them`,
    { timeout: 60_000 },
    async () => {
      let answered = 0;
      await fc.assert(
        fc.asyncProperty(nonsenseFor(tool), async (input) => {
          const { content, isError } = await tool.execute(input, context);
          expect(isError).toBe(true);
          expect(content).toHaveLength(1);
          const [part] = content;
          const text = part?.type === 'text' ? part.text : '';
          // The schema rejects the call and lists what the tool accepts, so `run` was never called.
          expect(text).toMatch(/^[^\n]+: [^\n]+, got [^\n]+\n[^]*takes \{.*\}$/);
          expect(text.length).toBeLessThan(2000);
          expect(tool.effects(input)).toEqual({ type: 'pure' });
          answered++;
        }),
        { seed: 2026, numRuns: nonsenseCalls },
      );
      expect(answered).toBe(nonsenseCalls);
    },
  );

  test('ends with an error when it is stopped', async () => {
    const stopped = { ...context, signal: AbortSignal.abort(new Error('stopped')) };
    const [example] = tool.examples ?? [{ arguments: { ms: 0 } }];
    await expect(tool.execute(example?.arguments, stopped)).rejects.toThrow('stopped');
  });

  test('reports a known kind of effect, whatever its arguments are', () => {
    for (const input of [null, undefined, 0, '', [], {}, { __proto__: null }]) {
      expect(['pure', 'net-read', 'side-effect']).toContain(tool.effects(input).type);
    }
  });
});

test('every built-in tool is registered under the name of its file', () => {
  const files = Object.keys(import.meta.glob('../../src/tools/builtin/*.ts'));
  const names = files.map((file) => file.replace(/.*\/|\.ts$/g, '').replaceAll('-', '_'));
  expect(everyTool.map(({ name }) => name).sort()).toEqual(names.sort());
});
