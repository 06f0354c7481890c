/** A server's question during a call: it names the server, and sends nothing without a deliberate press. */
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { FormField } from '../../src/contracts/form-fields';
import type { ServerAnswer, ServerQuestion } from '../../src/contracts/mcp-server';
import { phone, show } from './show';
import { slow } from '../support/matrix';

const about = (name: string, isRequired = false) => ({ name, title: name, description: '', isRequired });
const fields: readonly FormField[] = [
  { ...about('Name', true), type: 'text', value: 'Ada', description: 'As on the card', maxLength: 9 },
  { ...about('Guests', true), type: 'number', value: '', isWhole: true, minimum: 1, maximum: 8 },
  { ...about('Outside'), type: 'boolean', value: true },
  {
    ...about('Time', true),
    type: 'one-of',
    value: '',
    options: [
      { value: 'noon', title: 'At noon' },
      { value: 'eve', title: 'In the evening' },
    ],
  },
  {
    ...about('Town'),
    type: 'one-of',
    value: '',
    options: Array.from({ length: 20 }, (_, at) => ({ value: `t${at}`, title: `Town ${at}` })),
  },
  {
    ...about('Diet'),
    type: 'some-of',
    value: [],
    least: 0,
    most: 1,
    options: [
      { value: 'veg', title: 'Vegetarian' },
      { value: 'nut', title: 'No nuts' },
    ],
  },
];

async function ask(changed: Partial<ServerQuestion> = {}, options: Parameters<typeof show>[0] = {}) {
  const shown = await show(options);
  const answers: (ServerAnswer | 'stopped')[] = [];
  const abort = new AbortController();
  const question: ServerQuestion = {
    id: 'q',
    serverName: 'Bistro',
    host: 'mcp.bistro.example',
    message: 'Who comes?',
    ask: { type: 'form', fields },
    ...changed,
  };
  void shown.app.approvals.askForServer(question, abort.signal).then(
    (answer) => answers.push(answer),
    () => answers.push('stopped'),
  );
  const dialog = shown.screen.getByRole('dialog');
  await expect.element(dialog).toBeVisible();
  const button = (name: string) => dialog.getByRole('button', { name, exact: true });
  return { ...shown, answers, abort, dialog, button };
}

test("a question from an MCP server shows the server's name, its host and a warning", async () => {
  const { dialog, button } = await ask({ message: '<b>Hi</b> \u202eyou' });
  await expect.element(dialog).toHaveAccessibleName('Bistro asks');
  await expect.element(dialog).toHaveAccessibleDescription(/server’s, not Hearth’s.*mcp\. ?bistro\.example/);
  await expect.element(dialog).toHaveTextContent('<b>Hi</b> \\u202eyou');
  await expect.element(dialog).toHaveTextContent('Never give a password');
  await expect.element(button('Decline')).toHaveFocus();
});

slow("the answer form of a server's question is sent only when it is complete and valid", async () => {
  const { answers, dialog, button } = await ask();
  await button('Send').click();
  const guests = dialog.getByRole('textbox', { name: 'Guests' });
  await expect.element(guests).toHaveAttribute('aria-invalid', 'true');
  await expect.element(guests).toHaveFocus();
  await expect.element(guests).toHaveAccessibleDescription('This is needed. at least 1, at most 8');
  expect(answers).toEqual([]);
  await guests.fill('9');
  await expect.element(guests).toHaveAccessibleDescription(/^This is too large\./);
  await guests.fill('2');
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await expect.element(name).toHaveValue('Ada');
  await expect.element(name).toHaveAccessibleDescription('As on the card at most 9 characters');
  await dialog.getByRole('checkbox', { name: 'Outside' }).click();
  const times = dialog.getByRole('radiogroup', { name: /^Time/ });
  await expect.element(times).toHaveAccessibleDescription('This is needed.');
  await times.getByRole('radio', { name: 'In the evening' }).click();
  await dialog.getByRole('combobox', { name: 'Town' }).selectOptions('Town 7');
  const diet = dialog.getByRole('group', { name: /^Diet/ });
  await diet.getByRole('checkbox', { name: 'No nuts' }).click();
  await diet.getByRole('checkbox', { name: 'Vegetarian' }).click();
  await expect.element(diet).toHaveAccessibleDescription('Choose fewer. at most 1');
  await diet.getByRole('checkbox', { name: 'No nuts' }).click();
  // By keyboard, because a press so soon after another would not count.
  (button('Send').element() as HTMLButtonElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => answers)
    .toEqual([
      {
        action: 'accept',
        content: { Name: 'Ada', Guests: 2, Outside: false, Time: 'eve', Town: 't7', Diet: ['veg'] },
      },
    ]);
  await expect.element(dialog).not.toBeInTheDocument();
});

slow("a server's question can be declined, or cancelled with Escape", async () => {
  const first = await ask();
  await first.button('Decline').click();
  await expect.poll(() => first.answers).toEqual([{ action: 'decline' }]);
  void first.app.approvals
    .askForServer(
      {
        ...first.app.approvals.current!,
        id: 'r',
        serverName: 'B',
        host: 'b.example',
        message: '',
        ask: { type: 'form', fields: [] },
      },
      first.abort.signal,
    )
    .then((answer) => first.answers.push(answer));
  await expect.element(first.dialog).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => first.answers[1]).toEqual({ action: 'cancel' });
});

test("a server's form is not sent by a script, a premature click, or Enter in a field", async () => {
  const { answers, dialog, button } = await ask({
    ask: { type: 'form', fields: [{ ...about('Name'), type: 'text', value: 'Ada' }] },
  });
  const send = button('Send').element() as HTMLButtonElement;
  expect(send.disabled).toBe(true);
  await expect.element(button('Send')).toBeEnabled();
  send.click();
  await dialog.getByRole('textbox', { name: 'Name' }).click();
  await userEvent.keyboard('{Enter}');
  await button('Send').dblClick();
  await button('Decline').click();
  await expect.poll(() => answers).toEqual([{ action: 'decline' }]);
});

slow("a web address in a server's question can be confirmed only after opening it", async () => {
  const url = 'https://pay.example/checkout?session=12345#x';
  const { answers, dialog, button } = await ask({ ask: { type: 'url', url } });
  expect(dialog.getByRole('figure', { name: 'Address' }).element().textContent.trim()).toBe(url);
  const link = dialog.getByRole('link', { name: 'Open' });
  await expect.element(link).toHaveAttribute('href', url);
  await expect.element(link).toHaveAttribute('target', '_blank');
  await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  await expect.element(button('Done')).toBeDisabled();
  link.element().addEventListener('click', (event) => event.preventDefault());
  await link.click();
  await expect.element(button('Done')).toBeEnabled();
  // By keyboard, because a click so soon after another counts as a double click.
  (button('Done').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => answers).toEqual([{ action: 'accept' }]);
});

test.for(['javascript:alert(1)', 'data:text/html,x', 'nothing'])(
  "an unsafe address in a server's question can only be declined: %s",
  async (url) => {
    const { dialog, button } = await ask({ ask: { type: 'url', url } });
    await expect.element(dialog).toHaveTextContent('so it can only be declined');
    await expect.element(dialog.getByRole('link')).not.toBeInTheDocument();
    await expect.element(button('Done')).not.toBeInTheDocument();
    await expect.element(button('Decline')).toBeVisible();
  },
);

test("stopping the answer closes the server's question", async () => {
  const { abort, answers, dialog, button } = await ask({ message: 'Long. '.repeat(400) }, { size: phone });
  await expect.element(button('Send')).toBeInViewport();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  abort.abort(new Error('stopped'));
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(() => answers).toEqual(['stopped']);
});

test("the permission dialog for a server's tool shows which text came from another website", async () => {
  const { app, screen } = await show();
  void app.approvals
    .ask(
      {
        id: 'r',
        chatId: 'chat',
        toolTitle: 'Echo',
        reason: 'remote-carries',
        offers: ['chat', 'always'],
        call: { type: 'tool-call', id: 'c', name: 'echo', arguments: { text: 'A secret of news.' } },
        targets: ['mcp.bistro.example'],
        origins: [{ door: 'page', name: 'news.example' }],
        server: 'Bistro',
        isLastChance: false,
        carried: [{ from: { door: 'page', name: 'news.example' }, text: 'A secret of news.\u202e' }],
      },
      new AbortController().signal,
    )
    .catch(() => undefined);
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog).toHaveAccessibleDescription(/holds text that came from elsewhere/);
  await expect.element(dialog).toHaveTextContent('Server Bistro');
  const carried = dialog.getByRole('figure', { name: 'Text from news.example' });
  await expect.element(carried).toHaveTextContent('A secret of news.\\u202e');
});
