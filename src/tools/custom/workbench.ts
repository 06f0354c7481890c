/** Entry point for custom tools: validates them, runs them, reads them from files, and offers them to the agent. */
import type { CustomTool, CustomToolContent, ToolSecret } from '../../contracts/custom-tool';
import type { Origin } from '../../contracts/origin';
import type { Egress } from '../../contracts/egress';
import type { Sandbox, SandboxResult } from '../../contracts/sandbox';
import { toForeignToolName } from '../../contracts/tool-names';
import type { Tool } from '../../contracts/tool';
import type { RateLimits } from '../http';
import { createCustomTool, createRunner, type CustomToolOptions, findSchemaProblem } from './custom-tool';
import { createToolChecker } from './remote-checker';

export type Workbench = ReturnType<typeof createWorkbench>;

const maxRequestsPerMinute = 60;

export function createWorkbench(parts: {
  sandbox: Sandbox;
  egress: Egress;
  secretOf: (toolId: string, secret: ToolSecret) => Promise<string | undefined>;
  limits: RateLimits;
  startChecker: () => Worker;
}) {
  const { sandbox, egress, secretOf, limits, startChecker } = parts;
  const checker = createToolChecker(startChecker);
  const partsFor = (toolId: string): CustomToolOptions => ({
    sandbox,
    checker,
    egress: {
      send(request, signal) {
        const wait = limits.take(toolId, maxRequestsPerMinute);
        if (wait === 0) return egress.send(request, signal);
        const seconds = Math.ceil(wait / 1000);
        const message = `${request.tool} has made ${maxRequestsPerMinute} requests within a minute. Try again in ${seconds} s`;
        return Promise.reject(new Error(message));
      },
    },
    secretOf: (secret) => secretOf(toolId, secret),
  });
  const toTool = (toolId: string, content: CustomToolContent, origin?: Origin): Promise<Tool | undefined> =>
    createCustomTool(content, partsFor(toolId), origin).catch(() => undefined);

  return {
    readFile: checker.readFile,
    checkJson: checker.checkJson,

    /** Also checks the syntax of the code in the sandbox, without running it. */
    check: async (content: CustomToolContent, takenNames: readonly string[], signal: AbortSignal) => {
      const problems = await checker.checkDefinition(content, takenNames, signal);
      if (problems.some(({ field }) => field === 'code')) return problems;
      const refusal = await sandbox.check(content.code, signal);
      if (!refusal) return problems;
      const { line, message: detail } = refusal;
      return problems.concat({ field: 'code', code: 'syntax', line, detail });
    },

    run: async (
      toolId: string,
      content: CustomToolContent,
      input: unknown,
      options: Parameters<ReturnType<typeof createRunner>>[1],
    ): Promise<SandboxResult> => {
      const message = findSchemaProblem(content);
      if (message !== undefined) return { ok: false, failure: 'BAD_ARGS', message, logs: [], ms: 0 };
      return (await createRunner(content, partsFor(toolId))(input, options)).result;
    },

    toTools: async (list: readonly CustomTool[], takenNames: readonly string[]): Promise<Tool[]> => {
      const taken = new Set(takenNames);
      const tools: Tool[] = [];
      for (const { id, content, origin, isOn } of list) {
        const name = toForeignToolName(content.name, 'my');
        if (!isOn || taken.has(name)) continue;
        const tool = await toTool(id, { ...content, name }, origin);
        if (!tool) continue;
        taken.add(name);
        tools.push(tool);
      }
      return tools;
    },

    toTool,
  };
}
