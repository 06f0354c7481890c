/** A tool of the person's own, as the loop runs it: arguments checked before its code starts, its result after. */
import type { CustomToolContent } from '../../contracts/custom-tool';
import { isDeeperThan, type JsonSchema, type Read } from '../../contracts/schema';
import type { Sandbox, SandboxResult } from '../../contracts/sandbox';
import type { Tool, ToolEffects, ToolOutput } from '../../contracts/tool';
import { describeEnd, failureOfEnd } from '../sandbox/describe-end';
import { told } from '../told';
import { createHostFetch, type HostFetchParts } from './host-fetch';
import { checkSchema } from './check-schema';
import type { ToolChecker } from './remote-checker';

export interface CustomToolParts extends HostFetchParts {
  sandbox: Pick<Sandbox, 'run'>;
  checker: Pick<ToolChecker, 'checkJson'>;
}

interface RunOptions {
  signal: AbortSignal;
  onLog?: (line: string) => void;
}

export interface CustomRun {
  result: SandboxResult;
  /** Hosts whose answers the code was given. */
  sources: string[];
}

/** Of arguments, before anything walks them: no schema goes so deep. */
const maxDepth = 64;

/**
 * Runs `content` once, as it stands: for the loop, and for the editor before it is saved. Its schemas must have passed
 * `checkSchema`. Rejects only with the reason of the signal.
 */
export type RunCustomTool = (input: unknown, options: RunOptions) => Promise<CustomRun>;

export function createRun(
  content: CustomToolContent,
  { sandbox, checker, ...parts }: CustomToolParts,
): RunCustomTool {
  const { name, code, limits, inputSchema, outputSchema } = content;

  return async (input, { signal, onLog }) => {
    const sources = new Set<string>();
    const args = await checkArguments(input, inputSchema, checker, signal);
    if (!args.ok) {
      const message = `${args.reason}\n${name} takes ${describe(content)}`;
      return { result: { ok: false, failure: 'BAD_ARGS', message, logs: [], ms: 0 }, sources: [] };
    }
    const hostCall = createHostFetch(content, parts, (host) => sources.add(host));
    const result = await sandbox.run({ code, args: args.value, limits, onLog, hostCall }, signal);
    const checked = await checkResult(result, outputSchema, checker, signal);
    return { result: checked, sources: [...sources] };
  };
}

/** Rejects for a schema that `checkSchema` refuses: such a tool is left out, and the others go on. */
export async function createCustomTool(content: CustomToolContent, parts: CustomToolParts): Promise<Tool> {
  const odd = [
    ...checkSchema(content.inputSchema),
    ...(content.outputSchema ? checkSchema(content.outputSchema, true) : []),
  ];
  if (odd.length > 0) throw new Error(`The schemas of ${content.name} cannot be used`);
  const run = createRun(content, parts);
  const { name, title, description, inputSchema, outputSchema } = told(content);
  const keywords = content.keywords && told(content.keywords);
  const examples = told(content.examples.filter(({ request }) => request !== ''));
  return {
    name,
    title,
    description,
    ...(keywords && { keywords }),
    inputSchema: { ...inputSchema, additionalProperties: false },
    ...(outputSchema && { outputSchema }),
    annotations: {
      readOnlyHint: content.class !== 'side-effect',
      // One that only computes may roll dice.
      idempotentHint: content.class === 'net-read',
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
      return { ...outputOf(result), ...(sources.length > 0 && { sources }) };
    },
  };
}

/**
 * Names what was allowed: code and permissions, as 64 hex digits. What is allowed to one is not to another, so it is a
 * hash nobody can aim at.
 */
export async function revisionOf(content: CustomToolContent): Promise<string> {
  const { code, class: kind, hosts, secrets } = content;
  const bound = secrets.map(({ name, host, header }) => [name, host, header].join(' ')).sort();
  const text = JSON.stringify([code, kind, [...hosts].sort(), bound]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function effectsOf({ class: kind, hosts }: CustomToolContent): ToolEffects {
  switch (kind) {
    case 'pure':
      return { type: 'pure' };
    case 'net-read':
      return { type: 'net-hosts', hosts };
    case 'side-effect':
      return { type: 'side-effect', hosts };
  }
}

async function checkArguments(
  input: unknown,
  schema: JsonSchema,
  { checkJson }: CustomToolParts['checker'],
  signal: AbortSignal,
): Promise<Read<unknown>> {
  const json = isDeeperThan(maxDepth, input) ? undefined : writeJson(input);
  if (json === undefined) return { ok: false, reason: 'input: must be JSON, and not nested deep' };
  const checked = await checkJson(schema, json, { isClosed: true, signal });
  return checked.ok ? { ok: true, value: JSON.parse(checked.value) as unknown } : checked;
}

function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

async function checkResult(
  result: SandboxResult,
  schema: JsonSchema | undefined,
  { checkJson }: CustomToolParts['checker'],
  signal: AbortSignal,
): Promise<SandboxResult> {
  if (!result.ok || !schema) return result;
  const checked = await checkJson(schema, result.json, { isClosed: false, signal });
  if (checked.ok) return { ...result, json: checked.value };
  const { logs, ms } = result;
  const message = `The result is not what the tool says it gives. ${checked.reason}`;
  return { ok: false, failure: 'BAD_JSON', message, logs, ms };
}

function outputOf(result: SandboxResult): ToolOutput {
  if (result.ok) return { content: [{ type: 'text', text: readable(result.json) }], isError: false };
  const { failure, message } = result;
  const text = `${describeEnd(failure)} ${message.replace(/^[A-Z]\w*Error: /, '')}`;
  return { content: [{ type: 'text', text }], isError: true, failure: failureOfEnd(failure) };
}

/** A text as it is; anything else as JSON. */
function readable(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
}

/** `{city, days?}`: what to write instead. */
function describe({ inputSchema }: CustomToolContent): string {
  const { properties, required } = inputSchema;
  const needed: unknown[] = Array.isArray(required) ? required : [];
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return `{${names.map((name) => (needed.includes(name) ? name : `${name}?`)).join(', ')}}`;
}
