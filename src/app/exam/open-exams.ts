/** A part of the composition root: what the exams of models are handed. Requests and tools come when one is begun. */
import type { ExamRecord, ExamStore } from '../../contracts/exam';
import type { ModelName } from '../../contracts/model-name';
import { untilAborted } from '../../contracts/until-aborted';
import { tryLock } from '../../platform/locks';
import { type ExamFunctions, Exams } from '../../state/exams.svelte';
import type { AgentRuntime } from '../agent-runtime';
import type { Quiet } from './quiet';

interface ExamsParts {
  store: () => Promise<ExamStore>;
  loadRuntime: () => Promise<Pick<AgentRuntime, 'retry' | 'turnParts' | 'calculate'>>;
  quiet: Quiet;
}

/** Held while a model is tested, in any tab. */
const examLock = 'exam';

export function openExams({ store, loadRuntime, quiet }: ExamsParts): Exams {
  async function sit(
    model: ModelName,
    options: Parameters<ExamFunctions['run']>[1],
  ): Promise<'ended' | 'replaced'> {
    const { signal, onRecord, onWaiting } = options;
    const [{ runExam }, { askRequest }, { examRequests, setOf }, runtime, exams] = await Promise.all([
      import('./run-exam'),
      import('./ask-request'),
      import('./requests'),
      loadRuntime(),
      store(),
    ]);
    const kept = (await exams.list()).find(({ modelId }) => modelId === model.id);
    const wanted = { id: model.id, name: model.name };
    const base: ExamRecord = {
      ...{ modelId: model.id, modelName: model.name },
      ...(kept?.finished && { finished: kept.finished }),
    };
    let busy: AbortSignal | undefined;
    let isReplaced = false;
    const whenQuiet = async () => {
      // No chat was answered since the request before, so a person has loaded another one.
      isReplaced = busy?.aborted === false && runtime.turnParts.host.spec.id !== model.id;
      if (isReplaced) throw new Error('Another model was loaded.');
      onWaiting(quiet.isBusy());
      busy = await quiet.whenQuiet(signal);
      onWaiting(false);
      return busy;
    };
    // Whatever has answered in its place: it is tested itself, or it is said why it cannot be.
    onWaiting(quiet.isBusy());
    await quiet.whenQuiet(signal);
    onWaiting(false);
    await untilAborted(runtime.retry(wanted), signal);
    await runExam({
      ...{ requests: examRequests, set: setOf(examRequests, model.bytes), begun: kept?.begun },
      ...{ whenQuiet, date: Date.now, signal },
      ask: (request, stop) =>
        askRequest(
          request,
          { model: wanted, signal: stop },
          { turn: runtime.turnParts, calculate: runtime.calculate },
        ),
      async save(run) {
        const isOver = run.answers.length === run.of;
        const record = isOver ? { ...base, finished: run } : { ...base, begun: run };
        await exams.save(record);
        onRecord(record);
      },
    });
    return isReplaced ? 'replaced' : 'ended';
  }

  return new Exams({
    list: async () => (await store()).list(),
    remove: async (modelId) => (await store()).remove(modelId),
    async run(model, options) {
      const release = await tryLock(examLock);
      if (!release) return 'elsewhere';
      try {
        return await sit(model, options);
      } catch (error) {
        if (!options.signal.aborted) throw error;
        return 'ended';
      } finally {
        release();
      }
    },
  });
}
