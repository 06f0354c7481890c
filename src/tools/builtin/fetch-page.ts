import { type Egress, EgressError, type EgressResponse } from '../../contracts/egress';
import { type ReadResult, z } from '../../contracts/schema';
import type { Settings } from '../../contracts/settings';
import type { Tool, ToolContext } from '../../contracts/tool';
import { ToolError } from '../../contracts/tool-failure';
import { defineTool } from '../define-tool';
import { explainStatus, sendWithRetries } from '../http';
import { askOnce } from '../timed-worker';
import type { PageText } from './fetch-page/read-html';

export interface FetchPageOptions {
  egress: Egress;
  readPage: ReadPage;
  settings: () => Pick<Settings, 'proxyUrl'>;
}

type OpenedPage = { response: EgressResponse; url: URL; proxy?: string };

const htmlTypes = ['text/html', 'application/xhtml+xml'];
const applicationTypes = 'json ld+json feed+json geo+json xml rss+xml atom+xml'.split(' ');
const acceptedTypes = [...htmlTypes, 'text/*', ...applicationTypes.map((type) => `application/${type}`)];
const maxPageBytes = 2_000_000;
const pageTimeoutMs = 10_000;

export function createFetchPageTool({ egress, readPage, settings }: FetchPageOptions): Tool {
  const open = (url: string, context: ToolContext) =>
    sendWithRetries(
      egress,
      {
        url,
        method: 'GET',
        headers: {},
        tool: 'fetch_page',
        accept: acceptedTypes,
        maxBytes: maxPageBytes,
        timeoutMs: pageTimeoutMs,
        secrets: [],
        // Redirects are safe here: the next server only receives an address, which the previous server chose.
        redirect: 'follow',
      },
      context,
    );

  /** Requests the page directly. If it is unreachable, uses the user's own proxy. */
  async function fetchPage(url: URL, context: ToolContext): Promise<OpenedPage> {
    try {
      const response = await open(url.href, context);
      return { response, url: new URL(response.url) };
    } catch (error) {
      if (!(error instanceof EgressError) || error.failure !== 'unreachable') throw error;
      const through = toProxyAddress(settings().proxyUrl, url.href);
      if (!through) {
        throw new ToolError(
          'unreachable',
          `${url.host} cannot be read from here: it is not there, or does not let other pages read it (CORS). The person can open it in a tab and paste its text here, or set a proxy in Settings.`,
          { cause: error },
        );
      }
      context.onProgress(`${url.host} cannot be read from here; asking ${through.host}`);
      return { response: await open(through.href, context), url, proxy: through.host };
    }
  }

  return defineTool({
    name: 'fetch_page',
    title: 'Read a page',
    description: 'Reads a web page and gives its title and text.',
    keywords: {
      en: ['web page', 'website', 'link', 'url', 'open', 'article', 'address', 'what does it say'],
      zh: ['网页', '网址', '链接', '打开', '文章', '网站'],
    },
    input: z.strictObject({ url: z.string().check(z.minLength(1), z.maxLength(2048)) }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
    examples: [
      { request: 'What does https://example.com/news say?', arguments: { url: 'https://example.com/news' } },
    ],
    effects({ url }) {
      const address = readPageAddress(url);
      // We never request an invalid address, so it needs no permission.
      if (!address.ok) return { type: 'pure' };
      const proxy = toProxyAddress(settings().proxyUrl, address.value.href);
      return { type: 'net-read', urls: [address.value.href], ...(proxy && { via: proxy.host }) };
    },
    async run({ url }, context) {
      const address = readPageAddress(url);
      if (!address.ok) throw new ToolError('address', address.reason);
      const opened = await fetchPage(address.value, context);
      const { response } = opened;
      const { host } = opened.url;
      const sender = opened.proxy ?? host;
      if (response.status >= 400) {
        const status = explainStatus(response.status);
        throw new ToolError('status', `${sender} answered ${status}. Check the address, or search for it.`);
      }
      const { text, links } = await readText(opened, context.signal);
      const notes = writePageNotes(opened, address.value);
      if (links.length > 0) notes.push(['Links on the page:', ...links].join('\n'));
      return {
        texts: [text, ...notes],
        origins: [...new Set([address.value.host, host, sender])].map((name) => ({ door: 'page', name })),
      };
    },
  });

  async function readText({ response, url }: OpenedPage, signal: AbortSignal) {
    const type = response.headers['content-type'] ?? '';
    if (!htmlTypes.some((known) => type.startsWith(known))) {
      const text = response.text.trim();
      if (text === '') throw new ToolError('no-text', `${url.host} answered, but without any text.`);
      return { text, links: [] };
    }
    const { title, text, links } = await readPage(response.text, url.href, signal);
    if (text === '') {
      throw new ToolError(
        'no-text',
        `${url.host} answered, but the page holds no text; scripts that would write it are not run.`,
      );
    }
    return {
      text: title === '' ? text : `title: ${title}\n${text}`,
      links: links.map(({ label, url: to }) => `- ${label}: ${to}`),
    };
  }
}

function writePageNotes({ response, url, proxy }: OpenedPage, requested: URL): string[] {
  const notes: string[] = [];
  const from = new URL(requested);
  from.hash = '';
  if (proxy !== undefined) notes.push(`The page was read through the proxy ${proxy}.`);
  else if (url.href !== from.href) notes.push(`The page was found at ${url.href}`);
  if (response.isCut) notes.push(`Only the first ${maxPageBytes / 1e6} MB of the page were read.`);
  return notes;
}

/** Adds `https://` if there is no scheme. The egress gate decides whether we may request the address. */
function readPageAddress(input: string): ReadResult<URL> {
  const text = input.trim();
  const whole = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`;
  const isPage = URL.canParse(whole) && /^https?:$/.test(new URL(whole).protocol);
  if (!isPage || /\s/.test(text)) {
    const reason = `"${text.slice(0, 80)}" is no address of a web page; one looks like https://example.com/page`;
    return { ok: false, reason };
  }
  return { ok: true, value: new URL(whole) };
}

function toProxyAddress(proxyUrl: string, url: string): URL | undefined {
  if (proxyUrl.trim() === '') return undefined;
  const whole = proxyUrl.includes('{url}')
    ? proxyUrl.replaceAll('{url}', encodeURIComponent(url))
    : proxyUrl + (/[?=]/.test(proxyUrl) ? encodeURIComponent(url) : url);
  return URL.canParse(whole) ? new URL(whole) : undefined;
}

/** Parameters are `unknown` because Comlink does not check arguments. */
export interface ReadPageWorkerApi {
  read: (html: unknown, url: unknown) => PageText;
}

type ReadPage = (html: string, url: string, signal: AbortSignal) => Promise<PageText>;

const defaultTimeoutMs = 12_000;

export function createPageReader(startWorker: () => Worker, limitMs = defaultTimeoutMs): ReadPage {
  return (html, url, signal) => {
    const error = new Error('This page is too large or too tangled to be read here.');
    return askOnce<ReadPageWorkerApi, PageText>(
      startWorker,
      (remote) =>
        remote.read(html, url).catch(() => {
          throw new Error('This page is built in a way that cannot be read here.');
        }),
      { signal, limit: { ms: limitMs, error } },
      'This page could not be read.',
    );
  };
}
