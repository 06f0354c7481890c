/** Reads one web page: HTML as Markdown, anything else that is text as it is. */
import { EgressError, type Egress, type EgressResponse } from '../../contracts/egress';
import { z } from '../../contracts/schema';
import type { Settings } from '../../contracts/settings';
import type { Tool, ToolContext } from '../../contracts/tool';
import { defineTool } from '../define-tool';
import { readStatus } from '../read-status';
import { sendPatiently } from '../send-patiently';
import { pageAddress, proxied } from './fetch-page/page-address';
import type { ReadPage } from './fetch-page/remote-reader';

export interface FetchPageParts {
  egress: Egress;
  readPage: ReadPage;
  settings: () => Pick<Settings, 'proxyUrl'>;
}

const html = ['text/html', 'application/xhtml+xml'];
const accept = [
  ...html,
  'text/*',
  'application/json',
  'application/ld+json',
  'application/feed+json',
  'application/geo+json',
  'application/xml',
  'application/rss+xml',
  'application/atom+xml',
];
const maxBytes = 2_000_000;
const timeoutMs = 10_000;

export function createFetchPage({ egress, readPage, settings }: FetchPageParts): Tool {
  const open = (url: string, { signal, onProgress }: ToolContext) =>
    sendPatiently(
      egress,
      { url, method: 'GET', headers: {}, tool: 'fetch_page', accept, maxBytes, timeoutMs },
      { signal, onProgress },
    );

  /** Straight, and where that cannot be read, through the person's own proxy. */
  async function fetchPage(url: URL, context: ToolContext): Promise<EgressResponse> {
    try {
      return await open(url.href, context);
    } catch (error) {
      if (!(error instanceof EgressError) || error.failure !== 'unreachable') throw error;
      const through = proxied(settings().proxyUrl, url.href);
      if (!through) throw new Error(unreadable(url.host), { cause: error });
      context.onProgress(`${url.host} cannot be read from here; asking ${through.host}`);
      return open(through.href, context);
    }
  }

  return defineTool({
    name: 'fetch_page',
    title: 'Read a page',
    description: 'Reads a web page and gives its title and text.',
    input: z.strictObject({ url: z.string().check(z.minLength(1), z.maxLength(2048)) }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
    examples: [
      { request: 'What does https://example.com/news say?', arguments: { url: 'https://example.com/news' } },
    ],
    effects({ url }) {
      const address = pageAddress(url);
      // Nothing is asked for an address that cannot be read.
      if (!address.ok) return { type: 'pure' };
      const proxy = proxied(settings().proxyUrl, address.value.href);
      return { type: 'net-read', urls: [address.value.href, ...(proxy ? [`${proxy.origin}/`] : [])] };
    },
    async run({ url }, context) {
      const address = pageAddress(url);
      if (!address.ok) throw new Error(address.reason);
      const response = await fetchPage(address.value, context);
      const { host } = new URL(response.url);
      if (response.status >= 400) {
        throw new Error(
          `${host} answered ${readStatus(response.status)}. Check the address, or search for it.`,
        );
      }
      const notes = notesOn(response, address.value);
      const sources = [...new Set([address.value.host, host])];
      const type = response.headers['content-type'] ?? '';
      if (!html.some((known) => type.startsWith(known))) {
        const text = response.text.trim();
        if (text === '') throw new Error(`${host} answered, but without any text.`);
        return { texts: [text, ...notes], sources };
      }

      const page = await readPage(response.text, response.url, context.signal);
      if (page.text === '') {
        throw new Error(
          `${host} answered, but the page holds no text; scripts that would write it are not run.`,
        );
      }
      const links = page.links.map(({ label, url: to }) => `- ${label}: ${to}`);
      if (links.length > 0) notes.push(['Links on the page:', ...links].join('\n'));
      return {
        texts: [page.title === '' ? page.text : `title: ${page.title}\n${page.text}`, ...notes],
        sources,
      };
    },
  });
}

/** What else there is to say of the page. */
function notesOn(response: EgressResponse, asked: URL): string[] {
  const notes: string[] = [];
  const from = new URL(asked);
  from.hash = '';
  if (response.url !== from.href) notes.push(`The page was found at ${response.url}`);
  if (response.isCut) notes.push(`Only the first ${maxBytes / 1e6} MB of the page were read.`);
  return notes;
}

function unreadable(host: string): string {
  return `${host} cannot be read from here: it is not there, or does not let other pages read it (CORS). The person can open it in a tab and paste its text here, or set a proxy in Settings.`;
}
