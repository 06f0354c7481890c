/** Runs exams and stores their results. Loads the requests and tools when an exam starts. */
import type { ExamRecord, ExamStore } from '../../contracts/exam';
import type { ModelName } from '../../contracts/model-library';
import { untilAborted } from '../../contracts/until-aborted';
import { loadCode } from '../../platform/load-code';
import { tryLock } from '../../platform/locks';
import { type ExamFunctions, Exams } from '../../state/exams.svelte';
import type { WantedModel } from '../../engines/host/fallbacks';
import type { Calculate } from '../../tools/builtin/calculator';
import type { TurnDependencies } from '../run-turn';
import type { ChatActivity } from '../model-access';

const examLockName = 'exam';

export function openExams(parts: {
  store: () => Promise<ExamStore>;
  /** Loads the model itself, never its fallback. Rejects with an `AppError`. */
  retry: (model: WantedModel) => Promise<void>;
  turnParts: TurnDependencies;
  calculate: Calculate;
  quiet: ChatActivity;
}): Exams {
  const { store, retry, turnParts, calculate, quiet } = parts;
  async function sit(
    model: ModelName,
    options: Parameters<ExamFunctions['run']>[1],
  ): Promise<'ended' | 'replaced'> {
    const { signal, onRecord, onWaiting } = options;
    const { runExam, sendExamRequest, examRequests, computeExamSetId } = await loadCode(import('./run-exam'));
    const waitUntilQuiet = async () => {
      onWaiting(quiet.isBusy());
      const busy = await quiet.whenQuiet(signal);
      onWaiting(false);
      return busy;
    };
    const exams = await store();
    const stored = (await exams.list()).find(({ modelId }) => modelId === model.id);
    const wanted = { id: model.id, name: model.name };
    const base: ExamRecord = {
      modelId: model.id,
      modelName: model.name,
      ...(stored?.finished && { finished: stored.finished }),
    };
    const seen: { busy?: AbortSignal; isReplaced: boolean } = { isReplaced: false };
    const whenQuiet = async () => {
      // Answering a chat may load another model. If another model is loaded but no chat was answered since our last request, the user loaded it.
      seen.isReplaced = seen.busy?.aborted === false && turnParts.host.spec.id !== model.id;
      if (seen.isReplaced) throw new Error('Another model was loaded.');
      return (seen.busy = await waitUntilQuiet());
    };
    await waitUntilQuiet();
    // A fallback may be loaded. `retry` loads the model itself, or rejects with the reason.
    await untilAborted(retry(wanted), signal);
    const withSmallModel = turnParts.hands?.isWantedFor(turnParts.host.spec) === true;
    await runExam({
      requests: examRequests,
      set: computeExamSetId(examRequests, model.bytes, withSmallModel),
      withSmallModel,
      begun: stored?.begun,
      whenQuiet,
      date: Date.now,
      signal,
      ask: (request, stop) => sendExamRequest(request, wanted, stop, turnParts, calculate, withSmallModel),
      async save(run) {
        const isOver = run.answers.length === run.of;
        const record = isOver ? { ...base, finished: run } : { ...base, begun: run };
        await exams.save(record);
        onRecord(record);
      },
    });
    return seen.isReplaced ? 'replaced' : 'ended';
  }

  return new Exams({
    list: async () => (await store()).list(),
    remove: async (modelId) => (await store()).remove(modelId),
    async run(model, options) {
      const release = await tryLock(examLockName);
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
