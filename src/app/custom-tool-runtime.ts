/** Part of the composition root: custom tools. Their code is loaded when one is on or the editor opens. */
import type { CustomToolContent, DefinitionProblem } from '../contracts/custom-tool';
import type { Egress } from '../contracts/egress';
import type { CallStep, Interceptor } from '../contracts/turn';
import type { Sandbox, SandboxResult } from '../contracts/sandbox';
import type { CustomToolStore } from '../contracts/store';
import type { Tool } from '../contracts/tool';
import type { ToolTry } from '../state/custom-tools.svelte';
import type { Workbench } from '../tools/custom/workbench';
import { createRateLimits } from '../tools/web-search/rate-limits';
import { loadOnce } from './load-once';

interface CustomToolRuntimeParts {
  sandbox: Sandbox;
  startChecker: () => Worker;
  egress: Egress;
  kept: Pick<CustomToolStore, 'list' | 'secretOf'>;
  takenNames: readonly string[];
  /** Names of persona tools and server tools. */
  otherNames: () => Promise<readonly string[]>;
  /** Asks for permission for a call outside a chat. */
  permission: () => Interceptor;
}

export interface CustomToolRuntime {
  /** The custom tools that are on, as of the last `refresh`. */
  current: () => Promise<readonly Tool[]>;
  /** Reads the custom tools again. Resolves to an empty list if that fails. Never rejects. */
  refresh: () => Promise<readonly Tool[]>;
  check: (toolId: string, content: CustomToolContent, signal: AbortSignal) => Promise<DefinitionProblem[]>;
  readFile: Workbench['readFile'];
  checkJson: Workbench['checkJson'];
  /** For the editor: asks for permission as in a chat. Never rejects. */
  run: (
    run: ToolTry,
    options: { signal: AbortSignal; onLog: (line: string) => void },
  ) => Promise<SandboxResult>;
}

export function createCustomToolRuntime(parts: CustomToolRuntimeParts): CustomToolRuntime {
  const { sandbox, startChecker, egress, kept, takenNames, otherNames, permission } = parts;
  const workbench = loadOnce(async () => {
    const { createWorkbench } = await import('../tools/custom/workbench');
    return createWorkbench({
      ...{ sandbox, startChecker, egress, secretOf: kept.secretOf },
      limits: createRateLimits(() => performance.now()),
    });
  });

  let current: Promise<readonly Tool[]> | undefined;
  const readAll = async (): Promise<readonly Tool[]> => {
    const { tools } = await kept.list();
    if (!tools.some(({ isOn }) => isOn)) return [];
    return (await workbench.load()).toTools(tools, takenNames);
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
      const [{ check }, { tools }, names] = await Promise.all([workbench.load(), kept.list(), otherNames()]);
      const others = tools.filter(({ id }) => id !== toolId).map((tool) => tool.content.name);
      return check(content, [...takenNames, ...others, ...names], signal);
    },

    readFile: async (file) => (await workbench.load()).readFile(file),
    checkJson: async (...check) => (await workbench.load()).checkJson(...check),

    async run({ toolId, content, input }, { signal, onLog }) {
      try {
        const { toTool, run } = await workbench.load();
        const tool = await toTool(toolId, content);
        // No question for an invalid tool: the run below reports why.
        const verdict = tool && (await ask(tool, input, signal));
        if (typeof verdict === 'object' && 'block' in verdict) return refused('DENIED', verdict.block);
        return await run(toolId, content, input, { signal, onLog });
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
