/** A model on a server of this device, in the built site: added, tested, calling tools both ways, with every fault of its server. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { everyNth, slow } from '../support/matrix';
import {
  type CompletionBody,
  type CompletionsServer,
  openCompletionsServer,
  type ScriptedReply,
} from '../support/completions-server';
import { typeEndpoint, useEndpoint } from './endpoint-steps';
import { articleOf, openModels, press } from './model-steps';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

const key = 'sk-of-the-tests-0123456789';
const name = 'test-model';

let server: CompletionsServer;
let site: Site;

const sum = (expression: string) => ({ name: 'calculator', arguments: JSON.stringify({ expression }) });
/** Reads calls, and answers the form's test question like a server with vision. */
const withTools = ({ tools, messages }: CompletionBody): ScriptedReply | undefined => {
  if (tools?.[0]?.function.name !== 'add_numbers') return undefined;
  if (messages.at(-1)?.role === 'tool') return { text: 'It is 42.' };
  return { calls: [{ name: 'add_numbers', arguments: '{"a": 17, "b": 25}' }] };
};

beforeAll(async () => {
  server = await openCompletionsServer();
  site = await openSite({ folder: 'dist-e2e' });
  // The browser also logs what a server refuses.
  site.expectErrors(/Failed to load resource|net::ERR|CORS policy/);
});
afterEach(() => server.forget());
afterAll(async () => {
  await site.close();
  await server.close();
});

/** Requests of the turn, without others such as the one for a title. */
const asked = () => server.requests.filter(({ path }) => path.endsWith('/chat/completions'));
const replyText = () => lastReply(site.page).innerText();

async function newChat(): Promise<void> {
  await site.page.getByRole('button', { name: 'New chat' }).click();
}

async function answers(question: string, text: string): Promise<void> {
  await ask(site.page, question);
  await turnEnds(site.page);
  await expect.poll(replyText).toContain(text);
}

/** Returns the newest line of the log. */
async function logged(): Promise<string> {
  const { page } = site;
  await page.getByRole('link', { name: 'Settings' }).click();
  const row = page.getByRole('table', { name: 'Requests' }).getByRole('row').nth(1);
  const text = await row.innerText();
  await page.goBack();
  return text;
}

async function setNative(isOn: boolean): Promise<void> {
  const { page } = site;
  await openModels(page);
  await press(page, name, 'Edit');
  const form = page.getByRole('form', { name: `Edit ${name}` });
  await form.getByRole('switch', { name: 'Native tool calls' }).setChecked(isOn);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  const how = isOn ? 'Native tool calls.' : 'Tool calls by Hearth’s prompt.';
  await articleOf(page, name).getByText(how).waitFor();
  await newChat();
}

test('a single form adds a model server with its address, API key and models', async () => {
  const { page } = site;
  server.key = key;
  server.models = ['other-model', name];
  server.decide = withTools;
  const form = await typeEndpoint(page, { address: server.origin });
  await form.getByRole('button', { name: 'Try it' }).click();
  await form.getByRole('button', { name: `Allow ${server.origin}, and try` }).click();
  await form
    .getByRole('alert')
    .getByText(/wants a key.*didn’t provide an API key/)
    .waitFor();

  await form.getByLabel('Key').fill(key);
  await form.getByRole('button', { name: 'Try it' }).click();
  await form.getByText('The server lists 2 models.').waitFor();
  await form.getByText('Choose a model, then try again').waitFor();
  await form.getByRole('button', { name, exact: true }).click();
  for (const said of [`${name} answers.`, 'Its words come as they are written.', 'Native tool calls work.']) {
    await form.getByText(said).waitFor();
  }
  const article = articleOf(page, name);
  await article.getByText('Native tool calls.').waitFor();
  const host = new URL(server.origin).host;
  expect(await article.innerText()).toContain(`goes to ${host}, a server on this device.`);
  await form.getByRole('button', { name: 'Close' }).click();
  await useEndpoint(page, name);
  // The key is visible nowhere.
  expect(await page.content()).not.toContain(key);
  expect(new Set(server.requests.slice(-3).map(({ headers }) => headers.authorization))).toEqual(
    new Set([`Bearer ${key}`]),
  );
  await newChat();
  await page.getByRole('button', { name: `${name} · on this device’s server` }).waitFor();
  await page.getByText('Nothing leaves this device without your OK.').waitFor();
});

slow('an answer from a model server streams, with its thinking shown separately', async () => {
  const { page } = site;
  await newChat();
  server.say({ thought: 'They greet me.', text: 'Good morning to you.', hangAfter: 7 });
  await ask(page, 'Good morning');
  await expect.poll(replyText).toContain('Good');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await turnEnds(page);
  expect(await asked()[0]?.closed).toBe(false);
  expect(await replyText()).not.toContain('They greet me.</think>');
  await expect.poll(logged).toMatch(/endpoint[^]*127\.0\.0\.1[^]*Stopped/);

  server.say({ text: 'And a good evening.' });
  await answers('And later?', 'And a good evening.');
  expect(await logged()).toMatch(/endpoint[^]*127\.0\.0\.1[^]*Answered \(200\)/);
});

describe.for(everyNth(2, [true, false]))('a model server with native tool calls: %s', (isNative) => {
  beforeAll(() => setNative(isNative));
  const calling = (...expressions: string[]): ScriptedReply =>
    isNative
      ? { calls: expressions.map(sum) }
      : {
          text: expressions
            .map(
              (expression) =>
                `<tool_call>{"name": "calculator", "arguments": {"expression": "${expression}"}}</tool_call>`,
            )
            .join('\n'),
        };

  test('answers after one tool call', async () => {
    server.say(calling('6*7'), { text: 'It makes 42 apples.' });
    await answers('Six bags of seven apples?', 'It makes 42 apples.');
    const [first, second] = asked();
    expect(first?.body.tools !== undefined).toBe(isNative);
    expect(JSON.stringify(first?.body.messages).includes('You can call these tools')).toBe(!isNative);
    const last = second?.body.messages.at(-1);
    expect(last?.role).toBe(isNative ? 'tool' : 'user');
    expect(last?.content).toContain('42');
  });

  slow('answers after three rounds of tool calls', async () => {
    await newChat();
    server.say(calling('1+1'), calling('2+2'), calling('4+4'), { text: 'The last was 8.' });
    await answers('Double, and double again, from one.', 'The last was 8.');
    expect(asked()).toHaveLength(4);
    const { messages } = asked()[3]!.body;
    const results = messages.filter(({ content }) => content?.includes('<tool_response'));
    expect(results.map(({ content }) => /\n(\d)\n|= (\d)/.exec(content ?? '')?.[0].trim())).toHaveLength(3);
    // Each request starts like the one before it.
    for (const [at, { body }] of asked().slice(1).entries()) {
      const before = asked()[at]!.body.messages;
      expect(body.messages.slice(0, before.length)).toEqual(before);
    }
  });

  test('answers after two tool calls at once', async () => {
    await newChat();
    server.say(calling('6*7', '10-1'), { text: 'They are 42 and 9.' });
    await answers('Six times seven, and ten less one?', 'They are 42 and 9.');
    expect(await lastReply(site.page).getByText('Calculator').count()).toBeGreaterThan(0);
    const told = asked()[1]!
      .body.messages.slice(-2)
      .map(({ content }) => content)
      .join();
    expect(told).toContain('42');
    expect(told).toContain('9');
  });
});

const json = { 'content-type': 'application/json' };
const error = (message: string) => JSON.stringify({ error: { message } });

const faults: readonly { name: string; reply: ScriptedReply; says: RegExp; keeps?: string }[] = [
  {
    name: 'status 401',
    reply: { status: 401, headers: json, body: error('Bad key') },
    says: /wants a key, or refused this one \(HTTP 401: Bad key\).*press “Edit”/i,
  },
  {
    name: 'status 404',
    reply: { status: 404, headers: json, body: error('model not found') },
    says: /no model of that name \(HTTP 404: model not found\).*it lists the models/,
  },
  {
    name: 'status 429 with a Retry-After that is too long to wait for',
    reply: {
      status: 429,
      headers: { ...json, 'retry-after': '300', 'access-control-expose-headers': 'retry-after' },
      body: error('Slow down'),
    },
    says: /Wait 300 s, then continue/,
  },
  {
    name: 'status 500',
    reply: { status: 500, headers: json, body: error('CUDA error') },
    says: /failed \(HTTP 500: CUDA error\).*Continue in a moment/,
  },
  {
    name: 'status 503 with a web page',
    reply: { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>Down</h1>' },
    says: /failed \(HTTP 503\)/,
  },
  {
    name: 'a stream that breaks off',
    reply: { text: 'The sea is wide and deep.', hangAfter: 4 },
    says: /broke off before its end.*Continue/,
    keeps: 'The sea is',
  },
  {
    name: 'a web page in place of JSON',
    reply: { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Sign in' },
    says: /does not speak OpenAI’s chat completions.*text\/html.*most end in \/v1/,
  },
  {
    name: 'JSON of another format',
    reply: { status: 200, headers: json, body: '{"ok": true}' },
    says: /does not speak OpenAI’s chat completions.*no choices/,
  },
  {
    name: 'broken JSON',
    reply: { status: 200, headers: json, body: '{"choices": [' },
    says: /does not speak OpenAI’s chat completions.*no JSON/,
  },
  {
    name: 'a request that is refused',
    reply: { status: 400, headers: json, body: error('context length exceeded') },
    says: /refused the request \(HTTP 400: context length exceeded\)/,
  },
  {
    name: 'a redirect',
    reply: { status: 307, headers: { location: 'https://pages.example.com/' }, body: '' },
    says: /passes requests on to another address/,
  },
];

describe('a fault of a model server', () => {
  beforeAll(newChat);

  slow.for(everyNth(5, faults))(
    'is reported with a next step, and the chat continues: $name',
    async ({ reply, says, keeps = '' }) => {
      server.say(reply);
      await ask(site.page, 'Tell me of the sea.');
      if (keeps !== '') {
        await expect.poll(replyText).toContain(keeps);
        server.cut();
      }
      await turnEnds(site.page);
      await expect.poll(replyText).toMatch(says);
      expect(await replyText()).toContain(keeps);
      server.say({ text: 'Sand and stones.' });
      await answers('And the shore?', 'Sand and stones.');
    },
  );

  const busy = (seconds: number): ScriptedReply => ({
    status: 429,
    headers: { ...json, 'retry-after': `${seconds}`, 'access-control-expose-headers': 'retry-after' },
    body: error('Slow down'),
  });

  test('a request that a server refuses with 429 is sent again when the server allows it', async () => {
    server.say(busy(0), busy(0), { text: 'Wide and deep.' });
    await answers('Tell me of the sea.', 'Wide and deep.');
    expect(asked()).toHaveLength(3);
    expect(asked()[2]?.body).toEqual(asked()[0]?.body);
  });

  test('the wait for a busy server is shown, and Stop ends it', async () => {
    const { page } = site;
    server.say(busy(55));
    await ask(page, 'Tell me of the sea.');
    await page
      .getByRole('status')
      .getByText(`The server of ${name} takes no more requests just now. It is asked again in 55 s.`)
      .waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await turnEnds(page);
    expect(asked()).toHaveLength(1);
    server.say({ text: 'Sand and stones.' });
    await answers('And the shore?', 'Sand and stones.');
  });

  test('a server that blocks this page is reported with the setting that the server needs', async () => {
    const { page } = site;
    server.cors = undefined;
    await ask(page, 'Tell me of the sea.');
    await turnEnds(page);
    await expect.poll(replyText).toMatch(/could not be reached.*shows the setting that your server needs/);
    await openModels(page);
    await press(page, name, 'Edit');
    const form = page.getByRole('form', { name: `Edit ${name}` });
    await form.getByRole('button', { name: 'Try it' }).click();
    const origin = new URL(site.url).origin;
    for (const setting of [
      `OLLAMA_ORIGINS=${origin}`,
      'lms server start --cors',
      `--allowed-origins '["${origin}"]'`,
    ]) {
      await form.getByRole('alert').getByText(setting).waitFor();
    }
    await form.getByRole('button', { name: 'Close' }).click();
  });
});

test('a removed model server disappears from the list, and its chats report that it is gone', async () => {
  const { page } = site;
  await openModels(page);
  await press(page, name, 'Remove');
  await articleOf(page, name).waitFor({ state: 'detached' });
});
