/** What a person does on the screen of the built app to add a model, to ask it and to read its answer. */
import { basename } from 'node:path';
import { performance } from 'node:perf_hooks';

/** The longest that one turn may take, in milliseconds. A 1.5B on two cores reads its first prompt in a minute. */
const maxTurnMs = 600_000;

export const button = (place, name) => place.getByRole('button', { name, exact: true });
export const composerOf = (page) => page.getByRole('textbox', { name: 'Message' });
const stopOf = (page) => button(page, 'Stop');
const lastReplyOf = (page) => page.getByRole('article', { name: 'Hearth' }).last();

export function goTo(page, screen) {
  return page.evaluate((hash) => (globalThis.location.hash = hash), `#/${screen}`);
}

export function cardOf(page, file) {
  return page.getByRole('article', { name: basename(file).replace(/\.gguf$/i, ''), exact: true });
}

/** Adds the GGUF file from the disk and starts it. With `ownHands`, it chooses its tools itself. */
export async function addModel(page, file, { ownHands = false } = {}) {
  await goTo(page, 'models');
  const form = page.getByRole('region', { name: 'Add a model' });
  const field = form.getByLabel('GGUF file');
  await form.waitFor();
  if (!(await field.isVisible())) await form.getByText('From this device’s disk').click();
  const choosing = page.waitForEvent('filechooser');
  await field.click();
  await (await choosing).setFiles(file);
  const card = cardOf(page, file);
  await button(card, 'Use').click({ timeout: 300_000 });
  await card.getByRole('status').getByText('Running').waitFor({ timeout: 600_000 });
  if (ownHands) {
    await card.getByText('More about it').click();
    await card.getByLabel('Let Ember choose the tools').uncheck();
  }
}

/** Turns all tools off for new chats. */
export async function turnToolsOff(page) {
  await goTo(page, 'tools');
  const main = page.getByRole('main');
  await main.getByRole('switch').first().waitFor();
  for (const toggle of await main.getByRole('switch').all()) await toggle.uncheck();
}

/** Sets the temperature of all models: 0 makes the same prompt give the same answer. */
export async function setTemperature(page, temperature) {
  await goTo(page, 'models');
  const options = page.getByRole('region', { name: 'How models answer' });
  await options.getByText('Advanced').click();
  const field = options.getByLabel('Temperature');
  await field.fill(temperature);
  await field.blur();
}

/**
 * Sends `request` and returns the answer. `isSameChat`: asks in the open chat instead of a new one. `prepare`: called before the request is typed.
 * `stopAt`: presses Stop as soon as so many characters of the answer are on the screen.
 */
export async function ask(page, request, { isSameChat = false, prepare, stopAt } = {}) {
  if (!isSameChat) await startChat(page);
  await prepare?.();
  await composerOf(page).fill(request);
  const replies = page.getByRole('article', { name: 'Hearth' });
  const before = await replies.count();
  return watchTurn(page, async () => {
    await button(page, 'Send').click();
    if (stopAt === undefined) return;
    await replies.nth(before).waitFor({ timeout: maxTurnMs });
    const start = performance.now();
    while (performance.now() - start < maxTurnMs && (await stopOf(page).isVisible())) {
      if ((await replies.nth(before).innerText()).length >= stopAt) break;
      await page.waitForTimeout(50);
    }
    await stopOf(page)
      .click({ timeout: 1000 })
      .catch(() => undefined);
  });
}

async function startChat(page) {
  await button(page, 'New chat').first().click();
  await page.getByRole('article', { name: 'You' }).first().waitFor({ state: 'detached' });
}

/** Presses "Continue" at a stopped answer. Returns the whole answer. */
export function continueAnswer(page) {
  return watchTurn(page, () => button(page, 'Continue').last().click());
}

/** Starts a turn and waits for its end. Says "Allow once", "None of these" and "Keep waiting" to the questions of the app. */
async function watchTurn(page, begin) {
  const from = Date.now();
  const start = performance.now();
  await begin();
  const questions = { asked: 'Allow once', doubts: 'None of these', silences: 'Keep waiting' };
  const counts = { asked: 0, doubts: 0, silences: 0 };
  let isOver = false;
  await stopOf(page)
    .waitFor({ timeout: 10_000 })
    .catch(() => undefined);
  while (!isOver && performance.now() - start < maxTurnMs) {
    let isAsked = false;
    for (const [kind, name] of Object.entries(questions)) {
      const answer = button(page, name).last();
      if (!(await answer.isVisible())) continue;
      isAsked = true;
      counts[kind] += 1;
      await answer.click();
      await answer.waitFor({ state: 'hidden' });
    }
    isOver = !isAsked && !(await stopOf(page).isVisible());
    await page.waitForTimeout(200);
  }
  if (!isOver) await stopOf(page).click();
  await page.waitForTimeout(500);
  const ms = Math.round(performance.now() - start);
  return { ...(await readTurn(page, isOver)), ...counts, ms, from, to: Date.now() };
}

/** Returns the number of tools that a prompt lists. */
function countTools(prompt) {
  const [, list = ''] = /<tools>\n([^]*?)\n<\/tools>/.exec(prompt) ?? [];
  return list === '' ? 0 : list.split('\n').length;
}

async function readTurn(page, isOver) {
  const { nodes, prompts } = await page.evaluate(readNewestChat);
  const turn = nodes.slice(nodes.findLastIndex(({ message }) => message.role === 'user') + 1);
  const replies = turn.filter(({ message }) => message.role === 'assistant');
  const parts = replies.flatMap(({ message }) => message.content);
  const calls = parts.filter(({ type }) => type.endsWith('tool-call'));
  const last = turn.findLastIndex(({ message }) => message.role === 'tool');
  // The continuation of a stopped answer is a message of its own, and no blank is between them.
  const text = turn
    .slice(last + 1)
    .filter(({ message }) => message.role === 'assistant')
    .map(({ message }) =>
      message.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n'),
    )
    .join('');
  const usages = replies.flatMap(({ usage }) => usage ?? []);
  const sum = (key) => usages.reduce((total, usage) => total + (usage[key] ?? 0), 0);
  const shown = await lastReplyOf(page)
    .innerText({ timeout: 1000 })
    .catch(() => '');
  return {
    text,
    shown,
    calls: calls.map(({ name, arguments: given }) => `${name} ${JSON.stringify(given)}`),
    results: turn.flatMap(({ message }) => (message.role === 'tool' ? message.results.map(readResult) : [])),
    writers: replies.map(({ message }) => message.writer),
    instead: replies.at(-1)?.message.instead,
    listed: Math.max(0, ...prompts.map(countTools)),
    prompt: prompts[0],
    rounds: replies.length,
    end: isOver ? replies.at(-1)?.turnEnd : undefined,
    error: replies.at(-1)?.message.errorMessage,
    promptTokens: usages.reduce((most, { promptTokens }) => Math.max(most, promptTokens), 0),
    prefilledTokens: sum('prefilledTokens'),
    outputTokens: sum('outputTokens'),
    decodeMs: sum('decodeMs'),
    firstMs: usages[0]?.firstTokenMs,
  };
}

function readResult({ toolName, isError, content }) {
  const text = content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  return `${toolName}${isError ? ' failed' : ''}: ${text.slice(0, 500)}`;
}

/** Runs in the page. Returns the messages of the newest chat, oldest first, and the prompts of its newest turn. */
async function readNewestChat() {
  const { indexedDB } = globalThis;
  const database = await new Promise((done, fail) => {
    const opening = indexedDB.open('hearth');
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => fail(new Error(String(opening.error)));
  });
  const all = (table) =>
    new Promise((done) => {
      const reading = database.transaction([table]).objectStore(table).getAll();
      reading.onsuccess = () => done(reading.result);
    });
  const [chats, messages, traces] = [await all('chats'), await all('messages'), await all('traces')];
  database.close();
  const newest = chats.filter(({ agentOf }) => !agentOf).toSorted((a, b) => b.updatedAt - a.updatedAt)[0];
  const nodes = messages
    .filter(({ chatId }) => chatId === newest?.id)
    .toSorted((a, b) => a.createdAt - b.createdAt);
  const turn = nodes.slice(nodes.findLastIndex(({ message }) => message.role === 'user') + 1);
  const ids = new Set(turn.map(({ id }) => id));
  const prompts = traces.flatMap(({ messageId, prompt }) => (ids.has(messageId) ? [prompt] : []));
  return { nodes, prompts };
}

/** Writes rows into a table as an earlier visit would have left them, and reloads the page. */
export async function putRows(page, table, rows) {
  await page.evaluate(
    ({ table, rows }) =>
      new Promise((resolve, reject) => {
        const open = globalThis.indexedDB.open('hearth');
        open.onerror = () => reject(open.error);
        open.onsuccess = () => {
          const change = open.result.transaction(table, 'readwrite');
          for (const row of rows) change.objectStore(table).put(row);
          change.oncomplete = () => resolve(open.result.close());
          change.onerror = () => reject(change.error);
        };
      }),
    { table, rows },
  );
  await page.reload();
  await composerOf(page).waitFor();
}

/** Runs the exam of the model. Returns its seconds and the rows of the table, with the head. */
export async function examine(page, file) {
  await goTo(page, 'models');
  const card = cardOf(page, file);
  const begin = button(card, 'Test this model');
  const start = performance.now();
  await begin.click();
  await card.getByRole('progressbar').waitFor();
  await begin.waitFor({ timeout: 3 * 3_600_000 });
  const rows = await page
    .getByRole('table', { name: 'Exam' })
    .getByRole('row')
    .evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
  return { rows, seconds: ((performance.now() - start) / 1000).toFixed(0) };
}
