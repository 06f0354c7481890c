/**
 * The part of the composition root that typing does without: loop, engines, tools. `main.ts` loads it when the page
 * is idle or somebody types, and hands its functions to the state.
 */
import calculatorWorkerUrl from '../workers/calculator.worker?worker&url';
import egressWorkerUrl from '../workers/egress.worker?worker&url';
import modelWorkerUrl from '../workers/model.worker?worker&url';
import { runAgent } from './agent/run-agent';
import type { Egress } from './contracts/egress';
import type { AgentEvent } from './contracts/events';
import { defaultLimits } from './contracts/limits';
import type { Message } from './contracts/message';
import type { ModelSpec } from './contracts/model';
import { specOf, type ToolSpec } from './contracts/tool';
import { createEgress, type EgressOptions } from './egress/client';
import { createModelHost, type HostOptions, type ModelHost } from './engines/model-host';
import { watchLimits } from './engines/watch';
import { startEgressWorker, startWorker } from './platform/start-worker';
import { createCalculator } from './tools/builtin/calculator/remote-calculator';
import { createBuiltinTools } from './tools/registry';

export interface MachineOptions extends Pick<HostOptions, 'onPhase' | 'onSlow'> {
  spec: ModelSpec;
  outside: Pick<EgressOptions, 'allowedAddresses' | 'record'>;
}

interface TurnOptions {
  toolsOff: readonly string[];
  rounds: number;
  signal: AbortSignal;
}

export interface Machine {
  host: ModelHost;
  tools: readonly ToolSpec[];
  egress: Egress;
  run: (history: readonly Message[], options: TurnOptions) => AsyncGenerator<AgentEvent, Message[]>;
}

export function createMachine({ spec, outside, onPhase, onSlow }: MachineOptions): Machine {
  const egress = createEgress({
    ...outside,
    startWorker: () => startEgressWorker(egressWorkerUrl),
    isOnline: () => navigator.onLine,
    newId: () => crypto.randomUUID(),
    date: Date.now,
  });
  const calculator = createCalculator(() => startWorker(calculatorWorkerUrl));
  const tools = createBuiltinTools({ calculate: calculator.calculate });
  const specs = tools.map(specOf);
  const host = createModelHost({
    spec: { ...spec, file: { ...spec.file, path: new URL(spec.file.path, document.baseURI).href } },
    tools: specs,
    startWorker: () => startWorker(modelWorkerUrl),
    onPhase(phase) {
      // While the model reads, the other core has nothing to do.
      if (phase.type === 'ready') calculator.prepare();
      onPhase(phase);
    },
    onSlow,
    limits: watchLimits,
  });
  return {
    host,
    tools: specs,
    egress,
    run: (history, { toolsOff, rounds, signal }) =>
      runAgent(history, {
        model: host,
        tools: { tools: tools.filter(({ name }) => !toolsOff.includes(name)), interceptors: [] },
        limits: { ...defaultLimits, rounds },
        signal,
        date: Date.now,
        newNonce: () => crypto.randomUUID().slice(0, 8),
      }),
  };
}
