import { describe, expect, test } from 'vitest';
import { createToolListStage } from '../../../../src/agent/offer-tools';
import type { Message, ToolResult } from '../../../../src/contracts/message';
import type { ModelEvent, ReplyRequest } from '../../../../src/contracts/model';
import type { ToolOffer, ToolSpec } from '../../../../src/contracts/tool';
import { scriptedModel } from '../../../support/scripted-model';
import { createPipeline } from '../../../../src/contracts/pipeline';

const spec = (name: string): ToolSpec => ({ name, title: name, description: name, inputSchema: {} });
const findTools = spec('find_tools');
const some = (count: number) => Array.from({ length: count }, (_, at) => spec(`tool_${at}`));
const user = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});
const said = (text: string): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  finishReason: 'stop',
});
const call = (name: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', id: name, name, arguments: {} }],
  finishReason: 'tool-calls',
});

interface Setting {
  on?: ToolSpec[];
  mode?: 'always' | 'when-needed' | 'never';
  pinned?: string[];
  before?: ToolOffer;
  isSmall?: boolean;
  modelId?: string;
  each?: number;
  dropped?: () => number;
  found?: string[];
  needed?: string[];
}

function turn({ on = some(30), each = 10, dropped = () => 0, ...setting }: Setting = {}) {
  const model = scriptedModel([], [], []);
  model.measure = async (...given: unknown[]) => ({
    promptTokens: (given as [unknown, ToolSpec[]])[1].length * each,
    limitTokens: 4000,
    droppedMessages: dropped(),
  });
  const now = { id: setting.modelId ?? 'large', isSmall: setting.isSmall ?? false, contextTokens: 8000 };
  const stage = createToolListStage({
    spec: () => now,
    isSmall: () => now.isSmall,
    mode: setting.mode ?? 'when-needed',
    isPinned: (name) => (setting.pinned ?? []).includes(name),
    search: () => (setting.found ?? []).map((name, at) => ({ name, score: 10 - at * 4 })),
    needed: setting.needed ?? [],
    before: setting.before,
  });
  const offering = createPipeline(model, [stage]);
  const events: ModelEvent[] = [];
  const ask = async (...messages: Message[]): Promise<ReplyRequest> => {
    const tools = [...on, ...(setting.mode === 'never' ? [] : [findTools])];
    const request = { messages, tools, toolChoice: 'auto' as const };
    for await (const event of offering.respond(request, new AbortController().signal)) events.push(event);
    return model.requests.at(-1)!;
  };
  const offers = () => events.flatMap((event) => (event.type === 'tool-offer' ? [event.offer] : []));
  return { ask, offers, stage, offering, now };
}

describe('a model that can search for tools', () => {
  test('sees all tools and gets no tool search if there are few tools with short descriptions', async () => {
    const { ask, offers } = turn({ on: some(24) });
    const request = await ask(user('Hello'));
    expect(request.tools).toHaveLength(24);
    expect(request).not.toHaveProperty('listed');
    expect(offers()).toEqual([]);
  });

  test.for([
    { name: 'more than 24 tools are on', setting: { on: some(25) } },
    { name: 'the tools would take more than a quarter of its context', setting: { on: some(20), each: 101 } },
    { name: 'the user wants it always to search', setting: { on: some(2), mode: 'always' as const } },
  ])('sees only some tools and must search for others if $name', async ({ setting }) => {
    const { ask, offers } = turn(setting);
    const request = await ask(user('Use tool_1'));
    expect(request.listed).toEqual(['find_tools', 'tool_1']);
    expect(request.tools).toHaveLength(setting.on.length + 1);
    const { each = 10 } = setting;
    expect(offers()).toEqual([
      {
        modelId: 'large',
        finder: 'model',
        listed: [{ name: 'tool_1', reason: 'named' }],
        toolsOn: setting.on.length,
        droppedMessages: 0,
        tokens: 2 * each,
        allTokens: setting.on.length * each,
      },
    ]);
  });

  test('sees all tools if the user has switched off the tool search', async () => {
    const { ask } = turn({ on: some(300), mode: 'never' });
    expect((await ask(user('x'))).tools).toHaveLength(300);
  });

  test('invariant: the list of tools in the prompt stays the same, whatever the model finds or uses', async () => {
    const first = turn();
    await first.ask(user('Use tool_1'));
    const [before] = first.offers();
    const second = turn({ before: before! });
    const history = [user('Use tool_1'), call('tool_1'), said('done'), user('Use tool_2'), call('tool_3')];
    const requests = [await second.ask(...history.slice(0, 4)), await second.ask(...history)];
    expect(requests.map(({ listed }) => listed)).toEqual([
      ['find_tools', 'tool_1'],
      ['find_tools', 'tool_1'],
    ]);
    expect(second.offers()).toEqual([before]);
  });

  test.for([
    { name: 'another model answers', setting: { modelId: 'other' } },
    { name: 'old messages were dropped', setting: { dropped: () => 2 } },
    { name: 'a listed tool was switched off', setting: { on: some(31).slice(2) } },
    { name: 'a tool was pinned', setting: { pinned: ['tool_3'] } },
  ])('gets a new tool list, with recently used tools first, if $name', async ({ setting }) => {
    const listed = [{ name: 'tool_1', reason: 'named' as const }];
    const counts = { toolsOn: 30, droppedMessages: 0, tokens: 20, allTokens: 300 };
    const before: ToolOffer = { modelId: 'large', finder: 'model', listed, ...counts };
    const { ask } = turn({ before, ...setting });
    const request = await ask(user('x'), call('tool_5'), call('tool_7'), said('ok'), user('go on'));
    const isPinned = 'pinned' in setting ? ['tool_3'] : [];
    expect(request.listed).toEqual(['find_tools', ...isPinned, 'tool_7', 'tool_5']);
  });

  test('loses the least recently used tools, but no pinned ones, when its list is too long', async () => {
    const used = some(20).map(({ name }) => call(name));
    const { ask, offers } = turn({ on: some(30), each: 500, pinned: ['tool_29'] });
    const request = await ask(...used, user('go on'));
    expect(request.listed).toEqual(['find_tools', 'tool_29', 'tool_19', 'tool_18']);
    expect(offers()[0]).toMatchObject({ tokens: 2000 });
  });

  test('a very small model that takes over within a turn gets a new tool list', async () => {
    const { ask, now, offers } = turn({ found: ['tool_4'] });
    await ask(user('Use tool_1'));
    Object.assign(now, { id: 'small', isSmall: true });
    const request = await ask(user('Use tool_1'), call('tool_1'));
    expect(request.tools.map(({ name }) => name)).toEqual(['tool_4']);
    expect(offers()).toHaveLength(2);
  });

  test("can call a tool it found as long as the tool's description is in its context", async () => {
    const result = {
      toolCallId: 'f',
      toolName: 'find_tools',
      content: [],
      isError: false,
      origins: [{ door: 'hearth' }],
    } as ToolResult;
    const found = (name: string): Message => ({ role: 'tool', results: [{ ...result, foundTools: [name] }] });
    const history = [user('a'), found('tool_8'), user('b'), found('tool_9'), user('Use tool_1')];
    const all = turn();
    await all.ask(...history);
    expect([...all.stage.described(history)]).toEqual(['tool_1', 'tool_9', 'tool_8']);
    const before = { ...all.offers()[0]!, listed: [], droppedMessages: 2 };
    const cut = turn({ dropped: () => 2, before });
    await cut.ask(...history);
    expect([...cut.stage.described(history)]).toEqual(['tool_9']);
  });
});

describe('a very small model', () => {
  const small = { isSmall: true, modelId: 'small', pinned: ['tool_0'] };

  test('sees only pinned tools and the best match, and cannot search', async () => {
    const { ask, offers, offering } = turn({ ...small, found: ['tool_4', 'tool_5'] });
    const messages = [user('four')];
    const request = await ask(...messages);
    expect(request.tools.map(({ name }) => name)).toEqual(['tool_0', 'tool_4']);
    expect(request).not.toHaveProperty('listed');
    expect(offers()).toMatchObject([{ finder: 'page', toolsOn: 30, tokens: 20, allTokens: 300 }]);
    expect(await offering.measure(messages, some(30))).toMatchObject({ promptTokens: 20 });
  });

  test('keeps its tool list while the list contains the best match', async () => {
    const first = turn({ ...small, found: ['tool_4'] });
    await first.ask(user('four'));
    const before = first.offers()[0]!;
    const same = turn({ ...small, found: ['tool_0', 'tool_9'], before });
    expect((await same.ask(user('nought'))).tools.map(({ name }) => name)).toEqual(['tool_0', 'tool_4']);
    const other = turn({ ...small, found: ['tool_9'], before });
    expect((await other.ask(user('nine'))).tools.map(({ name }) => name)).toEqual(['tool_0', 'tool_9']);
  });
});

describe('tools that Hearth itself calls for a very small model', () => {
  const note: ToolSpec = { ...spec('note'), isCalledByPage: true };
  const on = [...some(2), note];
  const names = (tools: readonly ToolSpec[]) => tools.map(({ name }) => name);

  test('are in the tool list of a larger model', async () => {
    const { tools } = await turn({ on }).ask(user('Hello'));
    expect(names(tools)).toEqual(['tool_0', 'tool_1', 'note']);
  });

  test('are not shown to a very small model and cannot be called by it', async () => {
    const request = await turn({ on, isSmall: true, pinned: ['note'] }).ask(user('Hello'));
    expect(names(request.tools)).toEqual(['tool_0', 'tool_1']);
    expect(request).not.toHaveProperty('listed');
  });

  test('can be called by Hearth without changing the list in the prompt', async () => {
    const request = await turn({ on, isSmall: true, needed: ['note'] }).ask(user('Note this'));
    expect(names(request.tools)).toEqual(['tool_0', 'tool_1', 'note']);
    expect(request.listed).toEqual(['tool_0', 'tool_1']);
  });

  test('do not displace tools that match the request', async () => {
    const many = [...some(30), note];
    const setting = { on: many, isSmall: true, found: ['tool_7'], needed: ['note'] };
    const request = await turn(setting).ask(user('Note this'));
    expect(request.listed).toEqual(['tool_7']);
    expect(names(request.tools)).toEqual(['tool_7', 'note']);
  });
});
