/** A part of the composition root: the person's own tools. What they need is loaded for the first one that is on, or written. */
import type {
  CustomToolContent,
  CustomToolList,
  DefinitionProblem,
  ToolSecret,
} from '../contracts/custom-tool';
import type { Egress } from '../contracts/egress';
import type { CallStep, Interceptor } from '../contracts/interceptor';
import type { Sandbox, SandboxResult } from '../contracts/sandbox';
import type { Tool } from '../contracts/tool';
import type { Workbench } from '../tools/custom/workbench';
import { createRateLimits } from '../tools/web-search/rate-limits';

interface CustomToolRuntimeParts {
  sandbox: Sandbox;
  startChecker: () => Worker;
  egress: Egress;
  kept: {
    list: () => Promise<CustomToolList>;
    secretOf: (toolId: string, secret: ToolSecret) => Promise<string | undefined>;
  };
  /** Of tools that are built in. */
  takenNames: readonly string[];
  /** Stands before a call that is in no chat. */
  permission: () => Interceptor;
}

export interface ToolTry {
  toolId: string;
  content: CustomToolContent;
  /** The arguments. */
  input: Record<string, unknown>;
}

export interface CustomToolRuntime {
  /** Those that are on, as they were when they were last read. */
  current: () => Promise<readonly Tool[]>;
  /** Reads them anew. What cannot be read leaves none, and never rejects. */
  refresh: () => Promise<readonly Tool[]>;
  check: (toolId: string, content: CustomToolContent, signal: AbortSignal) => Promise<DefinitionProblem[]>;
  readFile: Workbench['readFile'];
  /** For the editor: the person is asked for leave as in a chat. Never rejects. */
  run: (
    run: ToolTry,
    options: { signal: AbortSignal; onLog: (line: string) => void },
  ) => Promise<SandboxResult>;
}

export function createCustomToolRuntime(parts: CustomToolRuntimeParts): CustomToolRuntime {
  const { sandbox, startChecker, egress, kept, takenNames, permission } = parts;
  let loading: Promise<Workbench> | undefined;
  const load = (): Promise<Workbench> => {
    loading ??= import('../tools/custom/workbench').then(
      ({ createWorkbench }) =>
        createWorkbench({
          ...{ sandbox, startChecker, egress, secretOf: kept.secretOf },
          limits: createRateLimits(() => performance.now()),
        }),
      (error: unknown) => {
        // The next time tries anew.
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };

  let current: Promise<readonly Tool[]> | undefined;
  const readAll = async (): Promise<readonly Tool[]> => {
    const { tools } = await kept.list();
    if (!tools.some(({ isOn }) => isOn)) return [];
    return (await load()).toTools(tools, takenNames);
  };
  const refresh = () => {
    current = readAll().catch(() => []);
    return current;
  };

  const ask = (tool: Tool, input: Record<string, unknown>, signal: AbortSignal) => {
    const call = { type: 'tool-call' as const, id: crypto.randomUUID(), name: tool.name, arguments: input };
    const step: CallStep = {
      tool,
      effects: tool.effects(input),
      signal,
      emit: () => undefined,
      messages: [],
    };
    return permission().before?.(call, step);
  };

  return {
    refresh,
    current: () => current ?? refresh(),

    async check(toolId, content, signal) {
      const [workbench, { tools }] = await Promise.all([load(), kept.list()]);
      const others = tools.filter(({ id }) => id !== toolId).map((tool) => tool.content.name);
      return workbench.check(content, [...takenNames, ...others], signal);
    },

    readFile: async (file) => (await load()).readFile(file),

    async run({ toolId, content, input }, { signal, onLog }) {
      try {
        const workbench = await load();
        const tool = await workbench.toTool(toolId, content);
        // One that cannot be made into a tool does not run either: its run says why.
        const verdict = tool && (await ask(tool, input, signal));
        if (typeof verdict === 'object' && 'block' in verdict) return refused('DENIED', verdict.block);
        return await workbench.run(toolId, content, input, { signal, onLog });
      } catch (error) {
        if (signal.aborted) return refused('CANCELLED', 'Stopped');
        return refused(
          'PROTOCOL',
          `It could not be started. Reload the page, and try again. ${String(error)}`,
        );
      }
    },
  };
}

function refused(failure: 'DENIED' | 'CANCELLED' | 'PROTOCOL', message: string): SandboxResult {
  return { ok: false, failure, message, logs: [], ms: 0 };
}
