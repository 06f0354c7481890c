/** Unsaved form input, stored until it is saved or discarded. Never put secrets into it. */
import { untrack } from 'svelte';
import { readStored, writeStored } from './stored-text';

type StoredFields = Readonly<Record<string, string | boolean>>;

/** Reads and writes the stored input of a form. Its functions must not throw. */
export type FormStorage = typeof deviceStorage;

/** The fields of a form, to bind inputs to. Create this during component setup, because it uses an effect. */
export class UnsavedForm<Written extends Record<string, string | boolean>> {
  readonly fields: Written;
  readonly #form: string | undefined;
  readonly #place: FormStorage;
  #saved: Written;
  #isFromBefore: boolean;

  /** Stores the input under the name `form`, if given. Omits the fields named in `addresses` if they contain secrets. */
  constructor(
    form: string | undefined,
    initial: Written,
    {
      addresses = [],
      place = deviceStorage,
    }: { addresses?: readonly (keyof Written)[]; place?: FormStorage } = {},
  ) {
    this.#form = form;
    this.#place = place;
    this.#saved = initial;
    const stored = form === undefined ? undefined : readUnsaved(form, place);
    // An older version of the form may have stored other fields.
    const fitting = Object.entries(stored ?? {}).filter(
      ([name, value]) => typeof value === typeof initial[name],
    );
    this.fields = $state({ ...initial, ...Object.fromEntries(fitting) });
    this.#isFromBefore = $state(fitting.length > 0);
    $effect(() => {
      const written = Object.fromEntries(
        Object.entries(this.fields).filter(
          ([name, text]) => !addresses.includes(name) || !containsSecret(String(text)),
        ),
      );
      untrack(() => this.#write(this.#isChanged(written) ? written : undefined));
    });
  }

  /** True if the form shows unsaved input from an earlier visit. */
  get isResumed(): boolean {
    return this.#isFromBefore && this.#isChanged();
  }

  /** Focuses the first input of a form that the user has just opened, but not of one restored with the screen. */
  readonly focusIfNew = (form: HTMLElement): void => {
    if (!untrack(() => this.isResumed)) form.querySelector('input')?.focus();
  };

  /** Deletes the stored input. Call this after saving or discarding: the current values count as saved. */
  forget(): void {
    this.#saved = { ...this.fields };
    this.#isFromBefore = false;
    this.#write();
  }

  #isChanged(fields: StoredFields = this.fields): boolean {
    return Object.entries(fields).some(([name, value]) => value !== this.#saved[name]);
  }

  #write(fields?: StoredFields): void {
    if (this.#form !== undefined) storeUnsaved(this.#form, fields, this.#place);
  }
}

/** The stored fields of a form. Undefined if there are none or they are malformed. */
export function readUnsaved(form: string, place: FormStorage = deviceStorage): StoredFields | undefined {
  try {
    const stored: unknown = JSON.parse(place.read(form) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return undefined;
    const fields = Object.entries(stored).filter(([, value]) => ['string', 'boolean'].includes(typeof value));
    return fields.length > 0 ? Object.fromEntries(fields) : undefined;
  } catch {
    return undefined;
  }
}

export function storeUnsaved(form: string, fields?: StoredFields, place: FormStorage = deviceStorage): void {
  place.write(form, fields && JSON.stringify(fields));
}

/** Discards the input of forms named `<kind> <id>` if no record in `existing` has that id. */
export function discardUnsavedExcept(kind: string, existing: readonly { id: string }[]): void {
  const start = `${storageKeyPrefix}${kind} `;
  try {
    const forms = Object.keys(localStorage).filter((key) => key.startsWith(start));
    const isNeeded = (form: string) => existing.some(({ id }) => `${form} `.startsWith(`${start}${id} `));
    for (const form of forms) if (!isNeeded(form)) localStorage.removeItem(form);
  } catch {
    // Storage is blocked, so no input is stored.
  }
}

/** True if a URL contains a secret: a user name, a password or a key among its parameters. */
export function containsSecret(address: string): boolean {
  return /\/\/[^/?#]*@|[?&#][^=&]*(?:key|token|secret|pass|auth|sig)[^=&]*=[^&{]/i.test(address);
}

const storageKeyPrefix = 'hearth.unsaved.';

const deviceStorage = {
  read: (form: string) => readStored(storageKeyPrefix + form),
  write: (form: string, text?: string) => writeStored(storageKeyPrefix + form, text),
};
