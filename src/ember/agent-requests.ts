/** Reads a request to agents without a model: `Ask the poet for a haiku, then let the translator put it into German`. */
import type { PlainCall } from '../contracts/message';
import type { ToolSpec } from '../contracts/tool';
import { escapePattern, expandPattern } from './phrases';

/** The most agents of one request. A turn may ask four. */
const maxAgents = 4;

/**
 * Returns a call for each agent that the request asks, in order. An agent later in the chain gets the earlier results with its request
 * (`agent/sub-agents.ts`). Undefined if any step of the request asks no agent or more than one.
 */
export function readAgentCalls(request: string, agents: readonly ToolSpec[]): PlainCall[] | undefined {
  const askable = agents.filter(takesRequest);
  if (askable.length === 0 || request.length > maxRequestCharacters) return undefined;
  const steps = request.split(stepSeparatorPattern()).filter((step) => step.trim() !== '');
  const calls: PlainCall[] = [];
  for (const step of steps) {
    const found = askable.flatMap((agent) => readStep(step, agent) ?? []);
    const [call, ...others] = found;
    const isForOthers = agents.some(
      (agent) => agent.name !== call?.name && isAgentNamedIn(String(call?.arguments['request']), agent),
    );
    if (!call || others.length > 0 || isForOthers) return undefined;
    calls.push(call);
  }
  return calls.length > 0 && calls.length <= maxAgents ? calls : undefined;
}

const maxRequestCharacters = 600;

/** True if the request names the agent, however it goes on. */
function isAgentNamedIn(request: string, agent: Pick<ToolSpec, 'title' | 'name'>): boolean {
  return new RegExp(String.raw`(?<![\p{Script=Latin}\d])${namePatternOf(agent)}`, 'iu').test(request);
}

/** True if the request begins like one to an agent and names this agent. */
export function isAgentAskedIn(request: string, agent: Pick<ToolSpec, 'title' | 'name'>): boolean {
  return expandPattern(String.raw`^\s*{agent-openers}`, 'iu').test(request) && isAgentNamedIn(request, agent);
}

/** Agents with a schema of their own take more than a sentence. */
function takesRequest({ inputSchema }: ToolSpec): boolean {
  const { required } = inputSchema;
  return Array.isArray(required) && required.length === 1 && required[0] === 'request';
}

function readStep(step: string, agent: ToolSpec): PlainCall | undefined {
  const opener = expandPattern(
    String.raw`^\s*{agent-openers}${namePatternOf(agent)}{agent-roles}{agent-joints}`,
    'iu',
  );
  const asked = opener.exec(step)?.[0];
  const request =
    asked === undefined ? '' : step.slice(asked.length).replace(/^[\s:：,，]+|[\s,，;；]+$/gu, '');
  return request.length < 2 ? undefined : { name: agent.name, arguments: { request: capitalise(request) } };
}

/** A name in Latin letters must not go on: `tutorials` does not name the agent `Tutor`. */
function namePatternOf({ title, name }: Pick<ToolSpec, 'title' | 'name'>): string {
  const names = [title, name, name.replaceAll('_', ' ')].map(escapePattern).join('|');
  return String.raw`(?:${names})(?![\p{Script=Latin}\d])`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const stepSeparatorPattern = () =>
  expandPattern(String.raw`\s*(?:[,;.，；。]\s*)?(?:{agent-steps})\s*|[.;。；]\s+(?=\S)|[。；]`, 'iu');
