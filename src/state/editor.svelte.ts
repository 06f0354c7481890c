/** Base class of the tool and persona editors: a form, its draft, and saving. Stores each change in the draft at once. */
import { untrack } from 'svelte';
import type { Origin } from '../contracts/origin';
import { coalesce } from './coalesce';

/** In the URL, this replaces the id of a record that is not saved yet. */
export const newRecordId = 'new';

interface EditorFunctions<Draft> {
  newId: () => string;
  loadDraft: (id: string) => Promise<Draft | undefined>;
  saveDraft: (draft: Draft) => Promise<void>;
  removeDraft: (id: string) => Promise<void>;
}

export abstract class Editor<
  Saved extends { content: object; origin?: Origin | undefined },
  Draft extends { form: object; origin?: Origin | undefined },
  Problem extends { field: string },
> {
  status = $state<'loading' | 'ready' | 'missing'>('loading');
  form: Draft['form'];
  saved = $state.raw<Saved>();
  isChanged = $state(false);
  isSaving = $state(false);
  problems = $state.raw<readonly Problem[]>([]);

  protected readonly initialForm: Draft['form'];
  protected recordId: string;
  /** Where the record or its draft came from, if from a file. */
  origin: Origin | undefined;
  /** Id of the draft: the record's id, or `new` until the record is saved. */
  #draftId: string;
  readonly #writeDraft = coalesce(async () => {
    if (this.isChanged) await this.functions.saveDraft(this.createDraft());
  });

  constructor(id: string, start: Draft['form']) {
    this.#draftId = id;
    this.recordId = id;
    this.initialForm = start;
    // Raw, because IndexedDB cannot clone a proxy.
    this.form = $state.raw(start);
  }

  /** Resolves to the content of the form. Undefined if the form is invalid. `problems` then says why. */
  abstract readContent(): Promise<Saved['content'] | undefined>;
  protected abstract readonly functions: EditorFunctions<Draft>;
  protected abstract readonly formOf: (content: Saved['content']) => Draft['form'];
  protected abstract readonly recordIdOf: (draft: Draft) => string;
  protected abstract createDraft(): Draft;
  protected abstract findSaved(): Promise<Saved | undefined>;
  protected abstract write(content: Saved['content']): Promise<Saved>;
  protected loadOtherData?(): Promise<void>;

  get id(): string {
    return this.#draftId;
  }

  async open(): Promise<void> {
    const draft = await this.functions.loadDraft(this.#draftId);
    if (this.#draftId === newRecordId) this.recordId = this.functions.newId();
    else {
      this.saved = await this.findSaved();
      if (!this.saved) {
        this.status = 'missing';
        return;
      }
      this.form = this.formOf(this.saved.content);
    }
    this.origin = this.saved?.origin ?? draft?.origin;
    if (draft) {
      this.recordId = this.recordIdOf(draft);
      this.form = draft.form;
      this.isChanged = true;
    }
    await this.loadOtherData?.();
    this.status = 'ready';
  }

  change(changed: Partial<Draft['form']>): void {
    this.form = { ...this.form, ...changed };
    this.isChanged = true;
    const fields = Object.keys(changed);
    this.problems = this.problems.filter(({ field }) => !fields.includes(field));
    void this.#writeDraft();
  }

  async discard(): Promise<void> {
    this.form = this.saved ? this.formOf(this.saved.content) : this.initialForm;
    this.isChanged = false;
    this.problems = [];
    await this.functions.removeDraft(this.#draftId);
  }

  async save(): Promise<boolean> {
    if (this.isSaving) return false;
    this.isSaving = true;
    const { form } = this;
    try {
      const content = await this.readContent();
      if (!content) return false;
      const saved = await this.write(content);
      const draftId = this.#draftId;
      this.#draftId = this.recordId;
      this.saved = saved;
      if (draftId !== this.#draftId || this.form === form) await this.functions.removeDraft(draftId);
      // Text typed during the save was not saved, so keep it as a draft.
      if (this.form === form) this.isChanged = false;
      else this.change({});
      return true;
    } finally {
      this.isSaving = false;
    }
  }
}

/** Returns a function that opens editors by id. It reuses the last editor even if saving has changed its id from `new`. */
export function createEditorCache<Kept extends { id: string; open: () => Promise<void> }>(
  create: (id: string) => Kept,
): (id: string) => Kept {
  let last: Kept | undefined;
  return (id) => {
    if (last?.id === id) return last;
    const editor = untrack(() => create(id));
    last = editor;
    void editor.open();
    return editor;
  };
}
