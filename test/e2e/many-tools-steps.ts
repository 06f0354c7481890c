/** Hundreds of the user's own tools, as if added in an earlier visit, and what a chat with them recorded. */
import type { Page } from 'playwright';
import type { CustomTool } from '../../src/contracts/custom-tool';
import type { MessageNode } from '../../src/contracts/chat';
import { databaseIsMade, dumpDatabase } from './site';

interface Written {
  name: string;
  description: string;
  /** The body of the tool's function. */
  code: string;
  keywords?: Record<string, string[]>;
}

function ownTool({ name, description, code, keywords }: Written, at: number): CustomTool {
  return {
    id: `own-${at}`,
    content: {
      name,
      title: name.replaceAll('_', ' '),
      description,
      code,
      class: 'pure',
      hosts: [],
      secrets: [],
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      limits: { timeMs: 1000, outputCharacters: 10_000, hostCalls: 0 },
      examples: [],
      ...(keywords && { keywords }),
    },
    isOn: true,
    createdAt: at + 1,
    updatedAt: at + 1,
    versions: [],
  };
}

const verbs = 'list find share archive export print approve reject rename copy'.split(' ');
const things = (
  'invoices photos tickets contacts orders meetings reports contracts parcels recipes playlists bookmarks ' +
  'budgets surveys shifts vehicles lessons patients samples machines permits auctions sensors stores claims ' +
  'donations exams flights gardens hotels'
).split(' ');

/** Creates 300 tools in total, with the given ones in between. */
export function manyTools(...asked: Written[]): CustomTool[] {
  const others = things.flatMap((thing) =>
    verbs.map((verb) => ({
      name: `${verb}_${thing}`,
      description: `To ${verb} the ${thing} of a project.`,
      code: `return '${verb} ${thing}: ' + args.text;`,
    })),
  );
  const half = others.length / 2;
  const all = [...others.slice(0, half), ...asked, ...others.slice(half)].slice(0, 300);
  return all.map(ownTool);
}

/** Writes the tools into the database and reloads the page. */
export async function keepTools(page: Page, tools: readonly CustomTool[]): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await databaseIsMade(page);
  await page.evaluate(async (rows) => {
    const open = indexedDB.open('hearth');
    await new Promise((resolve) => (open.onsuccess = resolve));
    const change = open.result.transaction('customTools', 'readwrite');
    for (const row of rows) change.objectStore('customTools').put(row);
    await new Promise((resolve) => (change.oncomplete = resolve));
    open.result.close();
  }, tools);
  await page.reload();
}

export interface Round {
  /** The prompt as it was sent. */
  prompt: string;
  /** The reply as the model wrote it. */
  raw: string;
  node: MessageNode;
}

/** Returns the rounds of all chats in the order in which they were recorded. */
export async function roundsOf(page: Page): Promise<Round[]> {
  const { messages = '[]', traces = '[]' } = await dumpDatabase(page);
  const prompts = new Map(
    (JSON.parse(traces) as { messageId: string; prompt: string }[]).map((trace) => [
      trace.messageId,
      trace.prompt,
    ]),
  );
  return (JSON.parse(messages) as MessageNode[])
    .sort((one, other) => one.createdAt - other.createdAt)
    .flatMap((node) => {
      const prompt = prompts.get(node.id);
      if (node.message.role !== 'assistant' || prompt === undefined) return [];
      return [{ prompt, raw: node.message.raw ?? '', node }];
    });
}

/** Returns the tool names in the list that a prompt starts with. */
export function listedIn(prompt: string): string[] {
  const [, list = ''] = /<tools>\n(.*?)\n<\/tools>/s.exec(prompt) ?? [];
  return list.split('\n').map((line) => (JSON.parse(line) as { function: { name: string } }).function.name);
}
