import type { CustomToolContent, ToolSecret } from '../../contracts/custom-tool';
import { isDeeperThan, type JsonSchema, type ReadResult, read, writeJson, z } from '../../contracts/schema';
import type { Origin } from '../../contracts/origin';
import {
  DeniedError,
  type HostCall,
  type Sandbox,
  type SandboxFailure,
  type SandboxResult,
  type SandboxRun,
} from '../../contracts/sandbox';
import { createFailedOutput, type Tool, type ToolEffects, type UnmarkedOutput } from '../../contracts/tool';
import { listParameters } from '../define-tool';
import { neutraliseTexts } from '../neutralise-texts';
import { isApiKeyHeader } from './check-definition';
import { checkSchema } from './check-schema';
import type { ToolChecker } from './remote-checker';
import type { ToolFailure } from '../../contracts/tool-failure';
import type { Egress, EgressRequest } from '../../contracts/egress';

export interface CustomToolOptions extends HostFetchOptions {
  sandbox: Pick<Sandbox, 'run'>;
  checker: Pick<ToolChecker, 'checkJson'>;
}

const maxResultDepth = 64;

/** The returned function runs the tool once. Schemas must have passed `checkSchema`. Rejects only with the signal's reason. */
export function createRunner(content: CustomToolContent, { sandbox, checker, ...parts }: CustomToolOptions) {
  const { name, code, limits, inputSchema, outputSchema } = content;

  return async (
    input: unknown,
    { signal, onLog }: Pick<SandboxRun, 'onLog'> & { signal: AbortSignal },
  ): Promise<{ result: SandboxResult; sources: string[] }> => {
    const contactedHosts = new Set<string>();
    const args = await checkArguments(input, inputSchema, checker, signal);
    if (!args.ok) {
      const message = `${args.reason}\n${name} takes ${listParameters(inputSchema)}`;
      return { result: { ok: false, failure: 'BAD_ARGS', message, logs: [], ms: 0 }, sources: [] };
    }
    const hostCall = createHostFetch(content, parts, (host) => contactedHosts.add(host));
    const result = await sandbox.run({ code, args: args.value, limits, onLog, hostCall }, signal);
    const checked = await checkResult(result, outputSchema, checker, signal);
    return { result: checked, sources: [...contactedHosts] };
  };
}

export function findSchemaProblem({ inputSchema, outputSchema }: CustomToolContent): string | undefined {
  const [wrongInput] = checkSchema(inputSchema);
  if (wrongInput) return `The parameters cannot be used: ${writeSchemaProblem(wrongInput)}`;
  const [wrongOutput] = outputSchema ? checkSchema(outputSchema, true) : [];
  return wrongOutput && `What the tool says it gives cannot be used: ${writeSchemaProblem(wrongOutput)}`;
}

function writeSchemaProblem({ place = '', detail }: ReturnType<typeof checkSchema>[number]): string {
  return place === '' ? detail : `${place}: ${detail}`;
}

/** `origin`: where the tool came from, if from a file. Its description and results then count as outside text. */
export async function createCustomTool(
  content: CustomToolContent,
  parts: CustomToolOptions,
  origin?: Origin,
): Promise<Tool> {
  if (findSchemaProblem(content)) throw new Error(`The schemas of ${content.name} cannot be used`);
  const run = createRunner(content, parts);
  const { name, title, description, inputSchema, outputSchema } = neutraliseTexts(content);
  const keywords = content.keywords && neutraliseTexts(content.keywords);
  const examples = neutraliseTexts(content.examples.filter(({ request }) => request !== ''));
  return {
    name,
    title,
    description,
    ...(origin && { origin: { door: 'tool-description' as const, name: title } }),
    ...(keywords && { keywords }),
    inputSchema: { ...inputSchema, additionalProperties: false },
    ...(outputSchema && { outputSchema }),
    annotations: {
      readOnlyHint: content.class !== 'side-effect',
      idempotentHint: content.class !== 'side-effect' && !mayDiffer(content),
      openWorldHint: content.class !== 'pure',
    },
    ...(examples.length > 0 && {
      examples: examples.map(({ request, arguments: input }) => ({ request, arguments: input })),
    }),
    revision: await revisionOf(content),
    effects: () => effectsOf(content),

    async execute(input, { signal }) {
      signal.throwIfAborted();
      const { result, sources } = await run(input, { signal });
      signal.throwIfAborted();
      const pages = sources.map((host) => ({ door: 'page' as const, name: host }));
      const own = { door: 'custom-tool' as const, name };
      return { ...toToolOutput(result), origins: [own, ...(origin ? [origin] : []), ...pages] };
    },
  };
}

/** True if the same call may give another result: the code reads the time or a random number. */
function mayDiffer({ code }: CustomToolContent): boolean {
  return /\b(?:random\w*|Date|now|performance|crypto|getRandomValues|Temporal)\b/.test(code);
}

/** SHA-256 of the code and its permissions. Grants belong to this hash, so changed code needs a new grant. */
export async function revisionOf(content: CustomToolContent): Promise<string> {
  const { code, class: kind, hosts, secrets } = content;
  const bound = secrets.map(({ name, host, header }) => [name, host, header].join(' ')).sort();
  const text = JSON.stringify([code, kind, [...hosts].sort(), bound]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function effectsOf({ class: kind, hosts }: CustomToolContent): ToolEffects {
  if (kind === 'pure') return { type: 'pure' };
  return { type: kind === 'net-read' ? 'net-hosts' : 'side-effect', hosts };
}

async function checkArguments(
  input: unknown,
  schema: JsonSchema,
  { checkJson }: CustomToolOptions['checker'],
  signal: AbortSignal,
): Promise<ReadResult<unknown>> {
  const json = isDeeperThan(maxResultDepth, input) ? undefined : writeJson(input);
  if (json === undefined) return { ok: false, reason: 'input: must be JSON, and not nested deep' };
  const checked = await checkJson(schema, json, { isClosed: true, signal });
  return checked.ok ? { ok: true, value: JSON.parse(checked.value) as unknown } : checked;
}

async function checkResult(
  result: SandboxResult,
  schema: JsonSchema | undefined,
  { checkJson }: CustomToolOptions['checker'],
  signal: AbortSignal,
): Promise<SandboxResult> {
  if (!result.ok || !schema) return result;
  const checked = await checkJson(schema, result.json, { isClosed: false, signal });
  if (checked.ok) return { ...result, json: checked.value };
  const { logs, ms } = result;
  const message = `The result is not what the tool says it gives. ${checked.reason}`;
  return { ok: false, failure: 'BAD_JSON', message, logs, ms };
}

function toToolOutput(result: SandboxResult): UnmarkedOutput {
  if (!result.ok) {
    const [failure, start] = failureTexts[result.failure];
    return createFailedOutput(failure, `${start} ${result.message.replace(/^[A-Z]\w*Error: /, '')}`);
  }
  const value: unknown = JSON.parse(result.json);
  const text = typeof value === 'string' ? value : result.json;
  return { content: [{ type: 'text', text }], isError: false };
}

/** Failure code for the user, and the start of the message for the model. */
const failureTexts: Readonly<Record<SandboxFailure, readonly [ToolFailure, string]>> = {
  THROWN: ['code', 'The code failed:'],
  FLOOD: ['code', 'The code failed:'],
  PROTOCOL: ['code', 'The code failed:'],
  TIMEOUT: ['time-limit', 'The code failed:'],
  CANCELLED: ['stopped', 'The code failed:'],
  SCRIPT: ['code', 'The code cannot be read:'],
  DENIED: ['code', 'Not allowed:'],
  BAD_ARGS: ['arguments', 'The arguments do not fit:'],
  BAD_JSON: ['result', 'The result cannot be used:'],
  TOO_LARGE: ['result', 'The result cannot be used:'],
};

const FetchOptions = z.strictObject({
  method: z._default(z.enum(['GET', 'POST']), 'GET'),
  headers: z._default(z.record(z.string().check(z.maxLength(100)), z.string().check(z.maxLength(4000))), {}),
  /** Always a string: the tool's code calls JSON.stringify itself. */
  body: z.optional(z.string().check(z.maxLength(65_536))),
  auth: z.optional(z.string()),
});
type FetchOptions = z.infer<typeof FetchOptions>;

const maxResponseBytes = 2_000_000;

/** Matches headers with which some servers run another method than that of the request. */
const methodHeaderPattern = /^x-(?:http-)?method/i;

/** Adds the header with the key. It replaces a header of the same name that the code has set. */
function mergeHeaders(asked: Readonly<Record<string, string>>, withKey: Readonly<Record<string, string>>) {
  const keyNames = new Set(Object.keys(withKey).map((name) => name.toLowerCase()));
  const own = Object.entries(asked).filter(([name]) => !keyNames.has(name.toLowerCase()));
  const forbidden = own.find(([name]) => methodHeaderPattern.test(name));
  if (forbidden)
    throw new DeniedError(`the header ${forbidden[0]} would change the method. Set options.method.`);
  return { ...Object.fromEntries(own), ...withKey };
}

interface HostFetchOptions {
  egress: Egress;
  secretOf: (secret: ToolSecret) => Promise<string | undefined>;
}

/** Builds `host.fetch` for a tool. All its input is hostile, and no secret may reach the code. Rejects with readable messages. */
function createHostFetch(
  content: CustomToolContent,
  { egress, secretOf }: HostFetchOptions,
  onHost: (host: string) => void,
): HostCall {
  return async ({ url: address, options: untrusted }, signal) => {
    const parsed = read(FetchOptions, untrusted ?? {});
    if (!parsed.ok) throw new Error(`host.fetch(url, options): ${parsed.reason}`);
    const options = parsed.value;
    const url = checkFetchAddress(content, address, options);
    const secrets = await readSecrets(content, secretOf);
    const headers = mergeHeaders(options.headers, createSecretHeader(content, secrets, url, options));
    // Report the host even if the request fails: an error message is also text from the host.
    onHost(url.host);

    const request: EgressRequest = {
      url: url.href,
      method: options.method,
      headers,
      ...(options.body !== undefined && { body: options.body }),
      tool: content.name,
      accept: ['text/*', 'application/*'],
      maxBytes: maxResponseBytes,
      timeoutMs: content.limits.timeMs,
      redirect: 'never',
      secrets: secrets.map(({ secret: { name }, value }) => ({ name, value })),
    };
    const { status, ...response } = await egress.send(request, signal);
    return { ...response, status, ok: status >= 200 && status < 300 };
  };
}

function checkFetchAddress(content: CustomToolContent, address: string, { method, body }: FetchOptions): URL {
  const { class: kind, hosts } = content;
  if (kind === 'pure') {
    throw new DeniedError('This tool is set to use no network. Set it to read the web, and name its hosts');
  }
  if (kind === 'net-read' && (method !== 'GET' || body !== undefined))
    throw new DeniedError(
      'This tool is set to read only: it can GET. Set it to change things to send a body',
    );
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

/** Reads all secrets of the tool: a server may echo one that it received earlier. */
async function readSecrets({ secrets }: CustomToolContent, secretOf: HostFetchOptions['secretOf']) {
  const readOne = async (secret: ToolSecret) => {
    const value = (await secretOf(secret)) ?? '';
    return value === '' ? [] : [{ secret, value }];
  };
  return (await Promise.all(secrets.map(readOne))).flat();
}

function createSecretHeader(
  { secrets }: CustomToolContent,
  values: Awaited<ReturnType<typeof readSecrets>>,
  url: URL,
  { auth }: FetchOptions,
): Record<string, string> {
  if (auth === undefined) return {};
  const secret = secrets.find(({ name, host }) => name === auth && host === url.host);
  if (!secret) {
    throw new DeniedError(`This tool has no secret ${JSON.stringify(auth.slice(0, 60))} for ${url.host}`);
  }
  const found = values.find((value) => value.secret === secret);
  if (!found)
    throw new DeniedError(`The secret ${secret.name} has no value yet. Give it one in the tool's settings`);
  // We now refuse to save such a header, but an older tool may have one.
  if (!isApiKeyHeader(secret.header)) {
    throw new DeniedError(
      `A key cannot stand in the header ${secret.header.slice(0, 60)}. Name another in the tool's settings`,
    );
  }
  return { [secret.header]: found.value };
}
