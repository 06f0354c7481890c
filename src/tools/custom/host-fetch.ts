/** What stands behind `host.fetch` in a tool of the person's own. All that arrives is hostile; no secret goes back. */
import type { CustomToolContent, ToolSecret } from '../../contracts/custom-tool';
import type { Egress, EgressResponse } from '../../contracts/egress';
import { DeniedError, type HostCall } from '../../contracts/sandbox';
import { read, z } from '../../contracts/schema';
import { createHider } from '../../egress/hide-secret';
import { carriesKey } from './key-header';

const Options = z.strictObject({
  method: z._default(z.enum(['GET', 'POST']), 'GET'),
  headers: z._default(z.record(z.string().check(z.maxLength(100)), z.string().check(z.maxLength(4000))), {}),
  /** Text: an object is for the code to write, with JSON.stringify. */
  body: z.optional(z.string().check(z.maxLength(65_536))),
  /** Name of a secret. */
  auth: z.optional(z.string()),
});
type Options = z.infer<typeof Options>;

/** Of a body, in bytes. */
const maxBytes = 2_000_000;

export interface HostFetchParts {
  egress: Egress;
  /** The value kept for a secret, or undefined where the person gave none. */
  secretOf: (secret: ToolSecret) => Promise<string | undefined>;
}

/** `onHost` hears each host before it is asked. What it rejects with is a sentence for the author, the model and the person. */
export function createHostFetch(
  content: CustomToolContent,
  { egress, secretOf }: HostFetchParts,
  onHost: (host: string) => void,
): HostCall {
  return async ({ url: address, options: untrusted }, signal) => {
    const parsed = read(Options, untrusted ?? {});
    if (!parsed.ok) throw new Error(`host.fetch(url, options): ${parsed.reason}`);
    const options = parsed.value;
    const url = checkAddress(content, address, options);
    const secrets = await readSecrets(content, secretOf);
    const headers = { ...options.headers, ...headerOf(content, secrets, url, options) };
    const hide = (text: string) => secrets.reduce((hidden, secret) => secret.hideIn(hidden), text);
    // Before: it speaks by its errors too.
    onHost(url.host);

    let response: EgressResponse;
    try {
      response = await egress.send(
        {
          url: url.href,
          method: options.method,
          headers,
          ...(options.body !== undefined && { body: options.body }),
          tool: content.name,
          accept: ['text/*', 'application/*'],
          maxBytes,
          timeoutMs: content.limits.timeMs,
          redirect: 'never',
        },
        signal,
      );
    } catch (error) {
      throw new Error(hide(error instanceof Error ? error.message : String(error)), { cause: error });
    }
    const { status, isCut } = response;
    return {
      url: hide(response.url),
      status,
      ok: status >= 200 && status < 300,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, hide(value)]),
      ),
      text: hide(response.text),
      isCut,
    };
  };
}

function checkAddress(content: CustomToolContent, address: string, { method, body }: Options): URL {
  const { class: kind, hosts } = content;
  if (kind === 'pure') {
    throw new DeniedError('This tool is set to use no network. Set it to read the web, and name its hosts');
  }
  if (kind === 'net-read' && (method !== 'GET' || body !== undefined)) {
    throw new DeniedError(
      'This tool is set to read only: it can GET. Set it to change things to send a body',
    );
  }
  if (!URL.canParse(address))
    throw new Error(`Not an address: ${address.slice(0, 100)}. Write it whole: https://host/path`);
  const url = new URL(address);
  if (url.protocol !== 'https:' || !hosts.includes(url.host)) {
    const allowed = hosts.length === 0 ? 'none' : hosts.join(', ');
    const asked = `${url.protocol}//${url.host.slice(0, 100)}`;
    throw new DeniedError(`${asked} is not among this tool's hosts, over https: ${allowed}`);
  }
  return url;
}

interface Value {
  secret: ToolSecret;
  value: string;
  hideIn: (text: string) => string;
}

/** All of the tool's, not only the one that is asked for: a server may send back what it was sent before. */
async function readSecrets(
  { secrets }: CustomToolContent,
  secretOf: HostFetchParts['secretOf'],
): Promise<Value[]> {
  const values = await Promise.all(
    secrets.map(async (secret) => ({ secret, value: (await secretOf(secret)) ?? '' })),
  );
  return values.flatMap(({ secret, value }) => {
    if (value === '') return [];
    return [{ secret, value, hideIn: createHider({ name: secret.name, value }) }];
  });
}

function headerOf(
  { secrets }: CustomToolContent,
  values: readonly Value[],
  url: URL,
  { auth }: Options,
): Record<string, string> {
  if (auth === undefined) return {};
  const secret = secrets.find(({ name, host }) => name === auth && host === url.host);
  if (!secret) {
    throw new DeniedError(`This tool has no secret ${JSON.stringify(auth.slice(0, 60))} for ${url.host}`);
  }
  const found = values.find((value) => value.secret === secret);
  if (!found)
    throw new DeniedError(`The secret ${secret.name} has no value yet. Give it one in the tool's settings`);
  // One that was kept before such names were refused.
  if (!carriesKey(secret.header)) {
    throw new DeniedError(
      `A key cannot stand in the header ${secret.header.slice(0, 60)}. Name another in the tool's settings`,
    );
  }
  return { [secret.header]: found.value };
}
