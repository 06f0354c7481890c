import { describe, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { MessageNode } from '../../src/contracts/chat';
import type { PrefillReason } from '../../src/contracts/model';
import { unknownUsage } from '../../src/contracts/pipeline';
import { show } from './show';
import { usage } from './script';
import { call, result, text, Told } from './told';
import { slow } from '../support/matrix';

const told = () =>
  new Told()
    .you('What is 17 * 23?')
    .hearth(
      [{ ...call('c1', 'calculator', { expression: '17*23' }), repairs: ['closed a bracket'] }],
      undefined,
      {
        finishReason: 'tool-calls',
        raw: '<tool_call>{"name"',
      },
    )
    .results(result('c1', 'calculator', '391'))
    .hearth([text('391')], 'answered', { raw: 'It is 391.' });

test('the Details dialog shows what the model read and wrote in each round', async () => {
  const { screen } = await show(told().chat);
  const button = screen.getByRole('button', { name: 'Details' });
  await button.click();
  const dialog = screen.getByRole('dialog', { name: 'Details of this answer' });
  for (const said of [
    'Round 1',
    'ember',
    'llama',
    'a request to a tool',
    '120 tokens, 20 of them read now',
    '22 tokens',
    '210 tokens/s',
    '70 ms',
    'PROMPT of n1',
    '<tool_call>{"name"',
    'calculator {"expression":"17*23"}',
    'closed a bracket',
    'ran for 12 ms',
    'Round 2',
    'its own end',
    'PROMPT of n3',
    'It is 391.',
  ])
    await expect.element(dialog).toHaveTextContent(said);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
});

describe('the Details dialog of an answer that was stopped before the engine reported its end', () => {
  const stopped = async (changed: Partial<MessageNode>) => {
    const told = new Told()
      .you('Tell me a story.')
      .hearth([text('It was a dark and stormy night.')], 'stopped', {
        finishReason: 'aborted',
      });
    const [, reply] = told.nodes;
    if (reply?.message.role === 'assistant') delete reply.message.raw;
    Object.assign(reply!, changed);
    const { screen } = await show(told.chat);
    await screen.getByRole('button', { name: 'Details' }).click();
    return screen.getByRole('dialog', { name: 'Details of this answer' });
  };

  test.for([
    { name: 'stored now', usage: unknownUsage },
    { name: 'with the tokens of its prompt alone', usage: { ...unknownUsage, promptTokens: 900 } },
    { name: 'without any usage', usage: undefined },
  ])('shows no counts and does not say that the model wrote nothing: $name', async ({ usage: counted }) => {
    const dialog = await stopped({ usage: counted });
    await expect.element(dialog).toHaveTextContent('Ended by Stop');
    await expect.element(dialog).toHaveTextContent(/Text as the model wrote it\s*Not kept\./);
    await expect.element(dialog).not.toHaveTextContent(/\d tokens?\b/);
    await expect.element(dialog).not.toHaveTextContent('None.');
  });

  test('still shows the counts if the engine reported them', async () => {
    const dialog = await stopped({ usage });
    await expect.element(dialog).toHaveTextContent('22 tokens');
  });
});

slow('the Details dialog lists the stages through which a request passed', async () => {
  const { chat } = told();
  chat.nodes[1]!.round = { askedAt: 1, stages: ['tool-list', 'persona', 'fallback'] };
  const { screen } = await show(chat);
  await screen.getByRole('button', { name: 'Details' }).click();
  await expect
    .element(screen.getByRole('dialog'))
    .toHaveTextContent('choose tools → add the persona → watch for faults');
});

slow.for<{ reason: PrefillReason; said: string }>([
  { reason: { code: 'stopped' }, said: 'the reply before was stopped' },
  { reason: { code: 'history', message: 3, of: 4 }, said: 'message 3 of 4' },
  { reason: { code: 'excess', prefilled: 1200, fresh: 14 }, said: '1,200 tokens were read where 14 are new' },
])(
  'the Details dialog says why the model read more than the new tokens: $reason.code',
  async ({ reason, said }) => {
    const { chat } = told();
    chat.nodes[1]!.usage = { ...usage, prefillReason: reason };
    const { screen } = await show(chat);
    await screen.getByRole('button', { name: 'Details' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Details of this answer' });
    await expect.element(dialog).toHaveTextContent(new RegExp(`Re-read because.*${said}`));
  },
);

slow('the Details dialog shows the grammar that constrained a reply', async () => {
  const { chat } = told();
  chat.nodes[1]!.usage = { ...usage, heldTo: 'offered' };
  const { screen } = await show(chat);
  await screen.getByRole('button', { name: 'Details' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Details of this answer' });
  await expect.element(dialog).toHaveTextContent(/Could only write.*calls that fit the tools on offer/);
});

slow('the Details dialog says if a prompt is no longer stored', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const { app, screen } = await show(told().chat);
  app.services.chats.loadPrompt = () => Promise.resolve(undefined);
  await screen.getByRole('button', { name: 'Details' }).click();
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog.getByText('Not kept.').first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Copy' }).first().click();
  await expect.poll(() => copied.mock.calls).toEqual([['<tool_call>{"name"']]);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('the Details dialog of a failed answer shows the technical error', async () => {
  const changed = {
    finishReason: 'error' as const,
    errorMessage: '[engine-crashed] RuntimeError: unreachable',
  };
  const { screen } = await show(new Told().you('Hi').hearth([], 'failed', changed).chat);
  await screen.getByRole('button', { name: 'Details' }).click();
  await expect.element(screen.getByRole('dialog')).toHaveTextContent('RuntimeError: unreachable');
});

slow.for([
  { by: 'person', said: 'chosen by you', isMarked: false },
  { by: 'page', said: 'taken, as nobody watched', isMarked: true },
] as const)(
  'the Details dialog shows how sure the model was and which calls it considered: a call $said',
  async ({ by, said, isMarked }) => {
    const readings = ['45/3*7', '45*7'].map((expression, place) => ({
      calls: [{ name: 'calculator', arguments: { expression } }],
      votes: 6 - 3 * place,
    }));
    const asked = call('c1', 'calculator', { expression: '45/3*7' });
    const { chat } = new Told()
      .you('3 for 45, so 7?')
      .hearth([asked], undefined, {
        finishReason: 'tool-calls',
        doubt: { readings, replies: 9, chosen: 0, by },
      })
      .results(result('c1', 'calculator', '105'))
      .hearth([text('105')], 'answered');
    const nodes = chat.nodes.map((node) => ({
      ...node,
      usage: { ...usage, logProbability: Math.log(0.42) },
    }));
    const { screen } = await show({ ...chat, nodes });
    const card = screen.getByRole('group', { name: 'calculator: done' });
    await expect.element(card).toBeVisible();
    expect(card.getByText('unsure').elements()).toHaveLength(isMarked ? 1 : 0);
    await screen.getByRole('button', { name: 'Details' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Details of this answer' });
    await expect.element(dialog).toHaveTextContent('42 %, by its own probabilities');
    await expect
      .element(dialog)
      .toHaveTextContent(`calculator {"expression":"45/3*7"}: 6 of 9 replies; ${said}`);
    await expect.element(dialog).toHaveTextContent('calculator {"expression":"45*7"}: 3 of 9 replies');
  },
);

slow('the Details dialog starts with a timeline of all steps, which can be copied as JSON', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const permission = { by: 'person', answer: 'chat', waitedMs: 2000 } as const;
  const { chat } = new Told()
    .you('What do herons eat?')
    .hearth([call('c1', 'page', { about: 'herons' })], undefined, { finishReason: 'tool-calls' })
    .results({
      ...result('c1', 'page', 'Herons eat fish.'),
      permission,
      origins: [{ door: 'page', name: 'herons.example' }],
      timing: { startedAt: 3500, durationMs: 900 },
    })
    .hearth([text('Fish.')], 'answered');
  const times = [1000, 1500, 4400, 6000];
  const nodes = chat.nodes.map((node, at) => ({
    ...node,
    createdAt: times[at]!,
    ...(node.message.role === 'assistant' && { round: { askedAt: times[at - 1]! } }),
  }));
  const { screen } = await show({ ...chat, nodes });
  await screen.getByRole('button', { name: 'Details' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Details of this answer' });
  await expect.element(dialog).toHaveTextContent('From the first step to the last: 5 s.');
  const steps = dialog.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
  const said = [
    [
      'Round 1 · ember',
      'began at 0 ms, reading and waiting 400 ms, writing 100 ms',
      '20 read, 100 kept from before; 22 written',
    ],
    [
      'page',
      'herons',
      'Result: Herons eat fish.',
      'waiting for you 2 s, running 900 ms',
      'You allowed it for this chat.',
      'Text from herons.example.',
    ],
    ['Round 2 · ember', 'Fish.'],
  ];
  for (const [at, parts] of said.entries())
    for (const part of parts) await expect.element(steps.nth(at)).toHaveTextContent(part);
  await dialog.getByRole('button', { name: 'Timeline as JSON' }).click();
  await expect.poll(() => copied.mock.lastCall?.[0]).toContain('hearth-trace');
  expect(JSON.parse(copied.mock.lastCall![0])).toMatchObject({
    format: 'hearth-trace',
    version: 1,
    end: 'answered',
    steps: [{ type: 'round' }, { type: 'call', permission }, { type: 'round', text: 'Fish.' }],
  });
});

test('the timeline of an older answer says what was not recorded', async () => {
  const { screen } = await show(told().chat);
  await screen.getByRole('button', { name: 'Details' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Details of this answer' });
  await expect.element(dialog).toHaveTextContent('Who allowed it is not recorded.');
  await expect.element(dialog.getByRole('list', { name: 'Timeline' })).toHaveTextContent('Time not recorded');
});

const withHosts = () =>
  new Told()
    .you('What do herons eat?')
    .hearth([call('c1', 'page', { about: 'herons' })], undefined, { finishReason: 'tool-calls' })
    .results({
      ...result('c1', 'page', 'Herons eat fish.'),
      origins: [{ door: 'page', name: 'herons.example' }],
    })
    .hearth([text('Fish.')], 'answered');

slow('a tool result can be edited by keyboard, and the turn runs again from there', async () => {
  const { screen, script, message } = await show(withHosts().chat);
  await screen.getByRole('button', { name: 'Details' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Details of this answer' });
  await dialog.getByRole('button', { name: 'Other result: page, step 2' }).click();
  const field = dialog.getByRole('textbox', { name: 'What it gives' });
  await expect.element(field).toHaveFocus();
  await expect.element(dialog).toHaveTextContent('It stays text from herons.example, also changed.');
  await userEvent.keyboard('{Control>}a{/Control}They eat frogs.');
  const start = dialog.getByRole('button', { name: 'Start from here' });
  await start.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect
    .poll(() => script.histories.at(-1)?.at(-1))
    .toMatchObject({
      role: 'tool',
      results: [
        {
          content: [{ text: 'They eat frogs.' }],
          isEdited: true,
          origins: [{ door: 'page', name: 'herons.example' }],
        },
      ],
    });
  script.end('answered', [text('Frogs.')]);
  await expect.element(screen.getByText('You changed the result.')).toBeVisible();
  await expect.element(screen.getByText('2 / 2')).toBeVisible();
  await expect.element(message).toHaveFocus();
});

slow("an edited tool result is saved with the chat's draft until it is used or discarded", async () => {
  const { app, screen } = await show(withHosts().chat);
  const dialog = screen.getByRole('dialog', { name: 'Details of this answer' });
  const field = dialog.getByRole('textbox', { name: 'What it gives' });
  const open = async () => {
    await screen.getByRole('button', { name: 'Details' }).click();
    await dialog.getByRole('button', { name: 'Other result: page, step 2' }).click();
  };
  await open();
  await field.fill('They eat frogs.');
  await dialog.getByRole('checkbox').click();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(JSON.stringify(localStorage)).not.toContain('frogs');
  expect(JSON.stringify(app.session?.edits)).toContain('frogs');

  await open();
  await expect.element(field).toHaveValue('They eat frogs.');
  await expect.element(dialog.getByRole('checkbox')).toBeChecked();
  await expect.element(dialog.getByText('You wrote this earlier')).toBeVisible();
  await dialog.getByRole('button', { name: 'Back to the timeline' }).click();
  await dialog.getByRole('button', { name: 'Other result: page, step 2' }).click();
  await expect.element(field).toHaveValue('Herons eat fish.');
  await field.fill('They eat eels.');
  await dialog.getByRole('button', { name: 'Start from here' }).click();
  await expect.poll(() => app.session?.edits).toEqual([]);
});

slow('edited tool arguments must be a JSON object before the turn can run again', async () => {
  const { screen } = await show(withHosts().chat);
  await screen.getByRole('button', { name: 'Details' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Details of this answer' });
  await dialog.getByRole('button', { name: 'Other arguments: page, step 2' }).click();
  const field = dialog.getByRole('textbox', { name: 'Arguments, as JSON' });
  await field.fill('{"about": ');
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('This is not a JSON object.');
  await expect.element(dialog.getByRole('button', { name: 'Start from here' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Back to the timeline' }).click();
  await expect.element(dialog.getByRole('button', { name: 'Timeline as JSON' })).toHaveFocus();
});

slow('an edited question replaces the original question when a turn is replayed', async () => {
  const { screen, script } = await show(withHosts().chat);
  await screen.getByRole('button', { name: 'Details' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Details of this answer' });
  await dialog.getByRole('button', { name: 'Another question' }).click();
  await dialog.getByRole('textbox', { name: 'What is asked' }).fill('What do storks eat?');
  await dialog.getByRole('button', { name: 'Start from here' }).click();
  await expect
    .poll(() => script.histories.at(-1))
    .toMatchObject([{ content: [{ text: 'What do storks eat?' }] }]);
  script.end('answered', [text('Frogs.')]);
  await expect.element(screen.getByText('2 / 2')).toBeVisible();
});
