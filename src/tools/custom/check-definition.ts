/** Validates the definition of a custom tool, except its code, which the sandbox checks. */
import type { CustomToolContent, DefinitionProblem } from '../../contracts/custom-tool';
import { reservedToolNames } from '../../contracts/tool-names';
import { maxSandboxLimits } from '../../contracts/sandbox';
import { type JsonSchema, parseJson } from '../../contracts/schema';
import { checkSchemaAndPatterns, takeFirst } from './check-schema';
import { checkValue } from './check-value';
import { findTooLargeField, maxFieldSizes, toLengthProblem } from './tool-file';

const maxProblems = 20;
const minToolLimits = { timeMs: 100, outputCharacters: 100, hostCalls: 0 };

/** Empty if the definition is valid. `takenNames`: names of all other tools. */
export function checkDefinition(content: CustomToolContent, takenNames: readonly string[]) {
  return takeFirst(maxProblems, findProblems(content, takenNames));
}

function* findProblems(content: CustomToolContent, taken: readonly string[]): Generator<DefinitionProblem> {
  const large = findTooLargeField(content);
  if (large) {
    yield large;
    return;
  }
  yield* checkDescriptiveFields(content, taken);
  yield* checkSchemas(content);
  if (content.code.trim() === '') yield { field: 'code', code: 'code-missing', detail: 'it is empty' };
  yield* checkHosts(content);
  yield* checkSecrets(content);
  yield* checkLimits(content);
  yield* checkExamples(content);
}

function* checkDescriptiveFields(
  { name, title, description, keywords = {} }: CustomToolContent,
  takenNames: readonly string[],
): Generator<DefinitionProblem> {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) {
    const detail = `${JSON.stringify(name.slice(0, 80))}: small letters, digits and _, beginning with a letter, at most 64`;
    yield { field: 'name', code: 'name-form', detail };
  } else if (takenNames.includes(name)) {
    yield { field: 'name', code: 'name-taken', detail: `there is another tool named ${name}` };
  } else if (reservedToolNames.has(name)) {
    yield { field: 'name', code: 'name-reserved', detail: `${name} means something else to models` };
  }
  if (title.trim() === '') yield { field: 'title', code: 'title-missing', detail: 'it is empty' };
  if (title.length > maxFieldSizes.title) yield toLengthProblem('title', maxFieldSizes.title);
  if (description.trim().length < 10) {
    const detail = 'say what it does and when to use it, in a sentence';
    yield { field: 'description', code: 'description-short', detail };
  }
  if (description.length > maxFieldSizes.description)
    yield toLengthProblem('description', maxFieldSizes.description);
  const words = Object.values(keywords).flat();
  if (words.length > maxFieldSizes.keywords) yield toLengthProblem('keywords', maxFieldSizes.keywords);
  if (words.some((word) => word.length > maxFieldSizes.keyword))
    yield toLengthProblem('keywords', maxFieldSizes.keyword);
}

/** `maxCharacters`: maximum length of each schema as JSON. */
export function* checkSchemas(
  schemas: { inputSchema?: JsonSchema | undefined; outputSchema?: JsonSchema | undefined },
  maxCharacters = Infinity,
) {
  for (const field of ['inputSchema', 'outputSchema'] as const) {
    const schema = schemas[field];
    if (!schema) continue;
    if (JSON.stringify(schema).length > maxCharacters) yield toLengthProblem(field, maxCharacters);
    else
      for (const problem of checkSchemaAndPatterns(schema, field === 'outputSchema'))
        yield { field, ...problem };
  }
}

function* checkHosts({ class: kind, hosts }: CustomToolContent): Generator<DefinitionProblem> {
  if (kind === 'pure' && hosts.length > 0) {
    yield { field: 'hosts', code: 'hosts-pure', detail: 'a tool without network has no hosts' };
  }
  if (kind === 'net-read' && hosts.length === 0) {
    yield { field: 'hosts', code: 'hosts-missing', detail: 'name each host it reads' };
  }
  if (hosts.length > maxFieldSizes.hosts) {
    yield toLengthProblem('hosts', maxFieldSizes.hosts);
    return;
  }
  for (const [index, host] of hosts.entries()) {
    if (!isHost(host)) {
      const detail = `${JSON.stringify(host.slice(0, 100))}: a name such as api.example.org, without https:// and path`;
      yield { field: 'hosts', code: 'host-form', place: String(index), detail };
    }
  }
}

/** Accepts a host only as `URL` writes it (lower case, punycode, no default port), so we can compare hosts as strings. */
function isHost(host: string): boolean {
  if (!/^[a-z\d.-]+(:\d+)?$/.test(host)) return false;
  return URL.canParse(`https://${host}`) && new URL(`https://${host}`).host === host && host.includes('.');
}

function* checkSecrets({ secrets, hosts }: CustomToolContent): Generator<DefinitionProblem> {
  if (secrets.length > maxFieldSizes.secrets) {
    yield toLengthProblem('secrets', maxFieldSizes.secrets);
    return;
  }
  const names = secrets.map(({ name }) => name);
  for (const [index, { name, host, header }] of secrets.entries()) {
    const place = String(index);
    if (!/^[A-Za-z_]\w{0,39}$/.test(name) || names.indexOf(name) !== index) {
      const detail = `${JSON.stringify(name.slice(0, 60))}: letters, digits and _, each name once`;
      yield { field: 'secrets', code: 'secret-form', place: `${place}.name`, detail };
    }
    if (!isApiKeyHeader(header)) {
      const detail = `${JSON.stringify(header.slice(0, 80))}: a header for a key, such as Authorization or X-Api-Key`;
      yield { field: 'secrets', code: 'secret-header', place: `${place}.header`, detail };
    }
    if (!hosts.includes(host)) {
      const detail = `${JSON.stringify(host.slice(0, 100))} is not among the hosts`;
      yield { field: 'secrets', code: 'secret-host', place: `${place}.host`, detail };
    }
  }
}

/** Headers in which services expect keys. Also matches headers such as `x-api-key`, which end in one of these names. */
const keyHeaderPattern =
  /(?:^|-)(?:authorization|auth|key|apikey|api-key|token|secret|appid|app-id|client-id|access-key|api-secret|password)$/;
const reservedHeaderPattern = /^(?:proxy|sec|access-control)-/i;

/** Allows only headers that usually carry keys. Others are risky: `x-http-method-override` changes the request. */
export function isApiKeyHeader(header: string): boolean {
  const name = header.toLowerCase();
  return (
    /^[a-z][a-z\d-]{0,60}$/.test(name) && !reservedHeaderPattern.test(name) && keyHeaderPattern.test(name)
  );
}

function* checkLimits({ limits }: CustomToolContent): Generator<DefinitionProblem> {
  for (const name of ['timeMs', 'outputCharacters', 'hostCalls'] as const) {
    const [low, high] = [minToolLimits[name], maxSandboxLimits[name]];
    if (!Number.isInteger(limits[name]) || limits[name] < low || limits[name] > high)
      yield { field: 'limits', code: 'limit', place: name, detail: `a whole number from ${low} to ${high}` };
  }
}

function* checkExamples({ examples, inputSchema }: CustomToolContent): Generator<DefinitionProblem> {
  if (examples.length > maxFieldSizes.examples) {
    yield toLengthProblem('examples', maxFieldSizes.examples);
    return;
  }
  if (checkSchemaAndPatterns(inputSchema).length > 0) return;
  for (const [index, { arguments: input, result }] of examples.entries()) {
    const example = { field: 'examples', code: 'example' } as const;
    const checked = checkValue(inputSchema, input, { isClosed: true });
    if (!checked.ok) yield { ...example, place: `${index}.arguments`, detail: checked.reason };
    if (result !== undefined && parseJson(result) === undefined) {
      yield { ...example, place: `${index}.result`, detail: 'it is not JSON' };
    }
  }
}
