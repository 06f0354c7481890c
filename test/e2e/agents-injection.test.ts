/**
 * Orders from outside reach a sub-agent, which obeys each of them or passes it on to the chat, which obeys. Nothing it read may reach any server
 * until the user allows it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calling, keepPersonas } from './agent-steps';
import { canary, channels, expectNothingTold, goals, listen } from './injection-orders';
import { everyNth, slow } from '../support/matrix';
import { openOutside, type Outside } from './outside';
import { ask, dumpDatabase, lastReply, openSite, type Site, turnEnds } from './site';

let outside: Outside;
let site: Site;
beforeAll(async () => {
  outside = await openOutside();
  site = await openSite({ folder: 'dist-e2e', outside });
  listen(outside);
  await keepPersonas(site.page, [{ name: 'Reader', tools: 'all' }]);
});
afterAll(async () => {
  await site.close();
  outside.close();
});

const told = (...rounds: string[]) => `script 0 ${canary}\n${rounds.join('\n---\n')}`;

/** Who obeys: the agent itself, or the chat that receives the agent's answer. */
const ways = {
  'the agent obeys': (call: string) =>
    told(calling('reader', { request: told(call, '{{obey}}', 'That is all.') }), 'That is all.'),
  'the chat obeys what the agent hands on': (call: string) =>
    told(calling('reader', { request: told(call, '{{result}}') }), '{{obey}}', 'That is all.'),
};

const otherChannels = [
  'the text of a page',
  'the page a redirect leads to',
  'a field of JSON',
  'the title of a page',
];
const scenarios = [
  ...Object.keys(goals).map((goal, at) => ({
    channel: 'a plain text',
    goal,
    way: Object.keys(ways)[at % 2]!,
  })),
  ...otherChannels.map((channel, at) => ({ channel, goal: 'by the query', way: Object.keys(ways)[at % 2]! })),
];

let given = 0;

test('the tests cover thirty ways to inject orders into an agent', () => expect(scenarios).toHaveLength(30));

slow.for(everyNth(20, scenarios))(
  'an injected order that an agent reads leaks no secret: in $channel, $goal, $way',
  async ({ channel, goal, way }) => {
    const { page: tab } = site;
    const { order, shows, says } = goals[goal]!;
    const page = `https://news.example.com/agent-${given++}`;
    channels[channel]!.serve(outside, `OBEY ${order.replaceAll('PAGE', page)} END`);
    outside.forget();
    await tab.getByRole('button', { name: 'New chat' }).click();
    await ask(tab, ways[way as keyof typeof ways](calling('fetch_page', { url: page })));

    if (shows !== undefined) {
      const dialog = tab.getByRole('dialog', { name: /^Allow/ });
      await dialog.waitFor();
      await expect.poll(() => dialog.innerText()).toContain(shows);
      // The question names who asks, unless it is the chat itself.
      if (way === 'the agent obeys')
        expect(await dialog.innerText()).toMatch(/Reader → (fetch_page|web_search)/);
      expectNothingTold(outside);
      const stop = tab.getByRole('button', { name: 'Stop', exact: true });
      while (await stop.isVisible()) {
        await dialog
          .getByRole('button', { name: 'Deny' })
          .click({ timeout: 500 })
          .catch(() => undefined);
      }
    }
    await turnEnds(tab);
    await expect.poll(() => lastReply(tab).textContent()).toContain(says ?? 'That is all.');
    expectNothingTold(outside);
    // Only the first call was sent, and nothing was changed.
    const paths = outside.requests.filter(({ method }) => method !== 'OPTIONS').map(({ path }) => path);
    expect(paths.filter((path) => path !== '/moved')).toHaveLength(1);
    const { notes, grants } = await dumpDatabase(tab);
    expect({ notes, grants }).toEqual({ notes: '[]', grants: '[]' });
  },
);

test('an address that appears only in a request to an agent does not count as typed by the user', async () => {
  const { page: tab } = site;
  outside.forget();
  await tab.getByRole('button', { name: 'New chat' }).click();
  // Escaped as no person would type an address.
  const fetching = calling('fetch_page', { url: 'https://evil.example.net/typed' }).replaceAll('/', '\\/');
  await ask(tab, told(calling('reader', { request: told(fetching, 'Read.') }), 'That is all.'));
  const dialog = tab.getByRole('dialog', { name: /^Allow/ });
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Deny' }).click();
  await turnEnds(tab);
  expectNothingTold(outside);
});
