import { describe, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { show } from './show';
import { call, result, text, Told } from './told';
import { slow } from '../support/matrix';

describe('the answer to a question', () => {
  test('stays in a single article element throughout, even if it contains a tool call', async () => {
    const { screen, message, script } = await show();
    const reply = screen.getByRole('article', { name: 'Hearth' });
    await message.fill('What is 17 * 23?');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByRole('status').getByText('Ember is reading')).toBeVisible();
    await expect.element(reply).not.toBeInTheDocument();
    script.say({ type: 'context', context: { promptTokens: 20, limitTokens: 100, droppedMessages: 0 } });
    await expect.element(reply).toBeInTheDocument();
    const asked = call('c1', 'calculator', { expression: '17*23' });
    script.say({ type: 'tool-call', call: asked });
    script.say({
      type: 'message-end',
      message: { role: 'assistant', content: [asked], finishReason: 'tool-calls' },
    });
    script.say({
      type: 'message-end',
      message: { role: 'tool', results: [result('c1', 'calculator', '391')] },
    });
    script.text('It is 391.');
    await expect.element(reply).toHaveTextContent('It is 391.');
    script.end('answered', [text('It is 391.')]);
    await expect.element(screen.getByRole('button', { name: 'Answer again' })).toBeVisible();
    expect(reply.elements()).toHaveLength(1);
    expect(screen.getByRole('article', { name: 'You' }).elements()).toHaveLength(1);
  });

  slow('a tool call stays in place while it is written, run and saved', async () => {
    const { screen, message, script } = await show();
    await message.fill('What is 17 * 23?');
    await userEvent.keyboard('{Enter}');
    script.say({ type: 'call-delta', id: 'c1', text: '{"name": "calcu' });
    await expect.element(screen.getByRole('article', { name: 'Hearth' })).toBeInTheDocument();
    const card = screen.getByRole('group', { name: /^calculator/ });
    await expect.element(card).not.toBeInTheDocument();
    script.say({ type: 'call-delta', id: 'c1', name: 'calculator', text: '{"expression": "17' });
    await expect.element(card).toHaveAccessibleName('calculator: being written');
    const drawn = card.element();
    const asked = call('c1', 'calculator', { expression: '17*23' });
    script.say({ type: 'tool-call', call: asked });
    await expect.element(card).toHaveAccessibleName('calculator: waiting its turn');
    script.say({ type: 'tool-start', call: asked });
    await expect.element(card).toHaveAccessibleName('calculator: running');
    script.say({ type: 'tool-progress', toolCallId: 'c1', text: 'half done' });
    await expect.element(card.getByRole('status')).toHaveTextContent('half done');
    script.say({ type: 'tool-result', result: result('c1', 'calculator', '391') });
    await expect.element(card).toHaveAccessibleName('calculator: done');
    script.say({
      type: 'message-end',
      message: { role: 'assistant', content: [asked], finishReason: 'tool-calls' },
    });
    script.say({
      type: 'message-end',
      message: { role: 'tool', results: [result('c1', 'calculator', '391')] },
    });
    script.end('answered', [text('391')]);
    await expect.element(screen.getByRole('button', { name: 'Answer again' })).toBeVisible();
    expect(card.element()).toBe(drawn);
  });

  slow('each tool result and the answer are announced once to screen readers', async () => {
    const said: string[] = [];
    Object.defineProperty(document, 'ariaNotify', {
      configurable: true,
      value: (words: string) => said.push(words),
    });
    const { screen, message, script } = await show();
    await message.fill('What is 17 * 23?');
    await userEvent.keyboard('{Enter}');
    const asked = call('c1', 'calculator', { expression: '17*23' });
    script.say({ type: 'tool-call', call: asked }, { type: 'tool-start', call: asked });
    script.say({ type: 'tool-progress', toolCallId: 'c1', text: 'half done' });
    await expect.element(screen.getByText('half done')).toBeVisible();
    script.say({ type: 'tool-result', result: result('c1', 'calculator', '391') });
    await expect.poll(() => said).toEqual(['Calculator: 391']);
    for (const word of ['It ', 'is ', '391.']) script.text(word);
    await expect.element(screen.getByText('It is 391.')).toBeVisible();
    script.end('answered', [text('It is 391.')]);
    await expect.poll(() => said).toEqual(['Calculator: 391', 'It is 391.']);
    Reflect.deleteProperty(document, 'ariaNotify');
  });

  test("the model's thinking is collapsed, and each tool call is a group", async () => {
    const content = [
      { type: 'reasoning' as const, text: 'Let me see.' },
      call('c1', 'clock', {}),
      call('c2', 'clock', {}),
    ];
    const told = new Told()
      .you('When?')
      .hearth(content)
      .results(result('c1', 'clock', 'now'), result('c2', 'clock', 'now'));
    const { screen } = await show(told.hearth([text('Now.')], 'answered').chat);
    const thought = screen.getByRole('button', { name: 'Thought' });
    await expect.element(thought).toHaveAttribute('aria-expanded', 'false');
    await expect.element(screen.getByText('Let me see.')).not.toBeVisible();
    await thought.click();
    await expect.element(screen.getByText('Let me see.')).toBeVisible();
    expect(
      screen
        .getByRole('group')
        .elements()
        .map((group) => group.getAttribute('aria-label')),
    ).toEqual(['clock: done', 'clock: done']);
  });
});

describe('the end of an answer', () => {
  slow.for([
    { end: 'stopped', says: /You stopped this answer/, button: 'Continue' },
    { end: 'cut-off', says: /the longest answer/, button: 'Continue' },
    { end: 'round-limit', says: /as many tool steps/, button: 'Continue' },
    { end: 'call-limit', says: /all the tool calls/, button: 'Continue' },
    { end: 'invalid-call', says: /cannot be carried out/, button: 'Retry' },
    { end: 'failed', says: /could not finish/, button: 'Continue' },
    { end: undefined, says: /interrupted when the tab closed. What had arrived is kept/, button: 'Continue' },
  ] as const)(
    'explains why the answer ended early and offers to continue: $end',
    async ({ end, says, button }) => {
      const { screen, script } = await show(new Told().you('Hi').hearth([text('Half an')], end).chat);
      const reply = screen.getByRole('article', { name: 'Hearth' });
      await expect.element(reply.getByText(says)).toBeVisible();
      await reply.getByRole('button', { name: button }).click();
      await expect.element(reply.getByText(says)).not.toBeInTheDocument();
      expect(script.histories[0]?.map(({ role }) => role)).toEqual(['user', 'assistant']);
      script.text(' answer');
      await expect.element(reply).toHaveTextContent('Half an answer');
    },
  );

  test('shows no notice if the answer is complete', async () => {
    const { screen } = await show(new Told().you('Hi').hearth([text('Hello')], 'answered').chat);
    await expect.element(screen.getByText('Hello')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Continue' })).not.toBeInTheDocument();
  });

  test('offers to continue only the last of several unfinished answers', async () => {
    const told = new Told()
      .you('One')
      .hearth([text('a')], 'stopped')
      .you('Two')
      .hearth([text('b')], 'cut-off');
    const { screen } = await show(told.chat);
    await expect.element(screen.getByText(/You stopped/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Continue' }).elements()).toHaveLength(1);
  });

  test('explains a technical error, what was saved and what to do', async () => {
    const changed = {
      finishReason: 'error' as const,
      errorMessage: '[engine-crashed] RuntimeError: unreachable',
    };
    const { screen } = await show(new Told().you('Hi').hearth([], 'failed', changed).chat);
    await expect.element(screen.getByText(/Ember broke down.*is kept.*try again/)).toBeVisible();
  });

  test('offers to continue a question interrupted before its answer began', async () => {
    const { screen, script } = await show(new Told().you('Hi').chat);
    await expect.element(screen.getByText(/interrupted when the tab closed, before/)).toBeVisible();
    await expect.element(screen.getByRole('article', { name: 'Hearth' })).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => script.histories.length).toBe(1);
  });

  test('reports no interruption if another tab is writing the answer', async () => {
    const { app, screen } = await show(new Told().you('Hi').hearth([text('Half')]).chat);
    if (app.session) app.session.isRunningElsewhere = true;
    await expect.element(screen.getByText(/answered in another tab/)).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Continue' })).not.toBeInTheDocument();
  });
});

describe('actions on questions and answers', () => {
  const answered = () => new Told().you('What is 2+2?').hearth([text('It is **4**.')], 'answered');

  slow('"Copy" copies the Markdown that the model wrote', async () => {
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const { screen } = await show(answered().chat);
    await screen.getByRole('article', { name: 'Hearth' }).getByRole('button', { name: 'Copy' }).click();
    await expect.element(screen.getByText('Copied')).toBeInTheDocument();
    expect(copied).toHaveBeenCalledExactlyOnceWith('It is **4**.');
  });

  slow('a message appears if the browser does not allow copying', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('NotAllowedError'));
    const { screen } = await show(answered().chat);
    await screen.getByRole('article', { name: 'Hearth' }).getByRole('button', { name: 'Copy' }).click();
    await expect.element(screen.getByText(/did not allow copying/)).toBeVisible();
  });

  slow('"Answer again" replaces the answer with a new one', async () => {
    const { screen, script } = await show(answered().chat);
    await screen.getByRole('button', { name: 'Answer again' }).click();
    await expect.element(screen.getByText('It is 4.')).not.toBeInTheDocument();
    script.end('answered', [text('Four.')]);
    await expect.element(screen.getByRole('article', { name: 'Hearth' })).toHaveTextContent('Four.');
    expect(script.histories[0]?.map(({ role }) => role)).toEqual(['user']);
  });

  slow('Enter sends the edited question instead of the old one', async () => {
    const { screen, script } = await show(answered().chat);
    const asked = screen.getByRole('article', { name: 'You' });
    await asked.getByRole('button', { name: 'Edit' }).click();
    const box = screen.getByRole('textbox', { name: 'Edit your question' });
    await expect.element(box).toHaveFocus();
    await expect.element(screen.getByText(/Replaces everything after/)).toBeVisible();
    await box.fill('What is 3+3?');
    await userEvent.keyboard('{Enter}');
    await expect.element(asked).toHaveTextContent('What is 3+3?');
    await expect.element(screen.getByText('It is 4.')).not.toBeInTheDocument();
    expect(script.histories[0]).toMatchObject([{ content: [{ text: 'What is 3+3?' }] }]);
  });

  slow('Escape discards an edit of a question and returns the focus', async () => {
    const { screen, script } = await show(answered().chat);
    const edit = screen.getByRole('article', { name: 'You' }).getByRole('button', { name: 'Edit' });
    await edit.click();
    await screen.getByRole('textbox', { name: 'Edit your question' }).fill('Something else');
    await userEvent.keyboard('{Escape}');
    await expect.element(edit).toHaveFocus();
    await expect.element(screen.getByRole('article', { name: 'You' })).toHaveTextContent('What is 2+2?');
    expect(script.histories).toHaveLength(0);
  });

  slow('deleting a question warns that everything after it is deleted too', async () => {
    const told = answered()
      .you('And 5+5?')
      .hearth([text('Ten.')], 'answered');
    const { calls, screen } = await show(told.chat);
    const first = screen.getByRole('article', { name: 'You' }).first();
    await first.getByRole('button', { name: 'Delete' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Delete this question?' });
    await expect.element(dialog).toHaveTextContent('everything after it');
    await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect.element(screen.getByRole('article')).not.toBeInTheDocument();
    expect(calls).toContainEqual(['binFrom', 'n0']);
  });

  test('Escape in the deletion warning deletes nothing and returns the focus', async () => {
    const { calls, screen } = await show(answered().chat);
    const button = screen.getByRole('article', { name: 'Hearth' }).getByRole('button', { name: 'Delete' });
    await button.click();
    await expect.element(screen.getByRole('dialog')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
    await expect.element(button).toHaveFocus();
    expect(calls).toEqual([]);
  });

  slow('deleting an answer keeps its question', async () => {
    const { screen } = await show(answered().chat);
    await screen.getByRole('article', { name: 'Hearth' }).getByRole('button', { name: 'Delete' }).click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.element(screen.getByText('There is no answer to this question.')).toBeVisible();
    await expect.element(screen.getByRole('article', { name: 'You' })).toHaveTextContent('What is 2+2?');
  });

  test('questions and answers cannot be edited or deleted while the model is answering', async () => {
    const { screen, message } = await show(answered().chat);
    await message.fill('And now?');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByRole('button', { name: 'Stop' })).toBeVisible();
    for (const name of ['Edit', 'Delete', 'Answer again'])
      await expect.element(screen.getByRole('button', { name, exact: true })).not.toBeInTheDocument();
  });
});

test("a user's message is shown exactly as written, without formatting", async () => {
  const { screen } = await show(
    new Told().you('<b>bold</b>\n**stars**').hearth([text('<i>x</i>')], 'answered').chat,
  );
  const asked = screen.getByRole('article', { name: 'You' });
  await expect.element(asked).toBeVisible();
  expect(asked.element().textContent).toContain('<b>bold</b>\n**stars**');
  await expect.element(screen.getByRole('article', { name: 'Hearth' })).toHaveTextContent('<i>x</i>');
});
