/**
 * `node bench/first-messages/run.js [messages.json]`: types each message as the first of a chat into the built app (run `npm run build` first). A
 * list of messages is one chat. Prints a table of the replies, and fails if a reply is empty, has a failed call, loops or is in the wrong language. Denies all
 * permissions.
 */
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser } from '../browser.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const groups = JSON.parse(await readFile(process.argv[2] ?? here('messages.json'), 'utf8'));
const server = await serveFolder(here('../../dist'));
const browser = await launchBrowser();
const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
await page.goto(server.url);

const stop = page.getByRole('button', { name: 'Stop' });
const denial = page.getByRole('dialog').getByRole('button', { name: 'Deny' });
/** If Ember is not sure, the first reading is chosen. */
const reading = page.getByRole('group', { name: 'Did you mean' }).getByRole('button').first();
const questions = page.getByRole('article', { name: 'You' });
const replies = page.getByRole('article', { name: 'Hearth' });

async function beginChat() {
  await page.getByRole('button', { name: 'New chat' }).click();
  await questions.waitFor({ state: 'detached' });
}

/** Sends a message and returns the reply as the page shows it. `place` is its index in the chat, from 0. */
async function replyTo(message, place) {
  const reply = replies.nth(place);
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill(message);
  await box.press('Enter');
  await reply.waitFor();
  const ended = stop.waitFor({ state: 'hidden' });
  const pressed = [denial, reading].map((button) => button.click({ timeout: 60_000 }).catch(() => undefined));
  await Promise.race([ended, ...pressed]);
  await ended;
  return reply.evaluate((reply) => ({
    text: [...reply.querySelectorAll('.markdown')].map((part) => part.textContent).join(' '),
    calls: [...reply.querySelectorAll('[role="group"]')].map((card) => card.getAttribute('aria-label') ?? ''),
  }));
}

function faultsOf(message, { text, calls }) {
  const isChinese = (written) => /\p{Script=Han}/u.test(written);
  const isKana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(message);
  return [
    ...(text.trim() === '' ? ['nothing said'] : []),
    ...(calls.some((name) => /failed/.test(name)) ? ['red'] : []),
    ...(/(.)\1{20}|(\S+ )\2{8}/.test(text) ? ['loops'] : []),
    ...(!isKana && /\p{L}/u.test(message) && isChinese(message) !== isChinese(text) && calls.length === 0
      ? ['another language']
      : []),
  ];
}

let count = 0;
let faulty = 0;
console.log('| kind | message | calls | reply | fault |\n| --- | --- | --- | --- | --- |');
for (const [kind, messages] of Object.entries(groups)) {
  for (const chat of messages) {
    await beginChat();
    for (const [place, message] of [chat].flat().entries()) await tell(kind, message, place);
  }
}

async function tell(kind, message, place) {
  const reply = await replyTo(message, place);
  const faults = faultsOf(message, reply);
  count += 1;
  if (faults.length > 0) faulty += 1;
  const cells = [kind, message, reply.calls.join(', '), reply.text, faults.join(', ')];
  console.log(`| ${cells.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '/')).join(' | ')} |`);
}
console.log(`\n${count} messages, ${faulty} with a fault.`);
await browser.close();
await server.close();
process.exitCode = faulty > 0 ? 1 : 0;
