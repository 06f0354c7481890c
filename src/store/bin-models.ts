/**
 * Puts models of the person's own into the bin and takes them out. They stand in the settings, in one list for all: those in the bin are
 * in a list beside it, so that whoever reads the first need know nothing of a bin.
 */
import type { BinEntry } from '../contracts/bin';
import { ExamRecord, type ExamStore } from '../contracts/exam';
import type { BinnedModel } from '../contracts/model-name';
import { read } from '../contracts/schema';
import type { SettingsStore } from '../contracts/store';
import { entryOf, freeName } from './bin-entries';
import type { BinnedKind } from './binned-kind';

interface ModelStores {
  settings: Pick<SettingsStore, 'load' | 'save'>;
  exams: ExamStore;
}

export function binnedModelsOf({ settings, exams }: ModelStores): BinnedKind {
  async function find(id: string) {
    const { ownModels, binnedModels = [] } = await settings.load();
    const binned = binnedModels.find(({ model }) => model.id === id);
    return { ownModels, others: binnedModels.filter((other) => other !== binned), binned };
  }

  return {
    async put(id, deletedAt) {
      const { ownModels, others } = await find(id);
      const model = ownModels.find((own) => own.id === id);
      if (!model) return;
      const exam = (await exams.list()).find(({ modelId }) => modelId === id);
      await settings.save({
        ownModels: ownModels.filter((own) => own !== model),
        binnedModels: [...others, { model, deletedAt, ...(exam && { exam }) }],
      });
      await exams.remove(id);
    },
    async restore(id) {
      const { ownModels, others, binned } = await find(id);
      if (!binned) return ownModels.some((own) => own.id === id);
      const free = freeName(id, new Set(ownModels.map((own) => own.id)), '-');
      await settings.save({
        ownModels: [...ownModels, { ...binned.model, id: free }],
        binnedModels: others,
      });
      const exam = read(ExamRecord, binned.exam);
      if (exam.ok) await exams.save({ ...exam.value, modelId: free });
      return true;
    },
    deletedAt: async (id) => (await find(id)).binned?.deletedAt,
    async remove(id) {
      const { others, binned } = await find(id);
      if (binned) await settings.save({ binnedModels: others });
    },
  };
}

export function entryOfModel({ model, deletedAt }: BinnedModel): BinEntry {
  return entryOf('model', { id: model.id, deletedAt }, model.endpoint?.model ?? model.id);
}
