/**
 * What is being written in a form and is kept nowhere yet, by the name of the form: it is there again after a reload and after another
 * screen, until it is kept or let go of. Fields for keys, tokens and passwords stay out of it.
 */
import { untrack } from 'svelte';

type Fields = Readonly<Record<string, string | boolean>>;

/** Where the texts of forms are held. Nothing in it throws. */
export interface Place {
  read: (form: string) => string | undefined;
  /** Without a text it is forgotten. */
  write: (form: string, text?: string) => void;
}

const prefix = 'hearth.unsaved.';

/** On this device, beside the look. */
const onDevice: Place = {
  read(form) {
    try {
      return localStorage.getItem(prefix + form) ?? undefined;
    } catch {
      return undefined;
    }
  },
  write(form, text) {
    try {
      if (text === undefined) localStorage.removeItem(prefix + form);
      else localStorage.setItem(prefix + form, text);
    } catch {
      // Refused or full: it is there as long as the form is.
    }
  },
};

/** By field; undefined where nothing is held that can be read. */
export function unsavedIn(form: string, place: Place = onDevice): Fields | undefined {
  try {
    const held: unknown = JSON.parse(place.read(form) ?? 'null');
    if (typeof held !== 'object' || held === null) return undefined;
    const fields = Object.entries(held).filter(([, value]) => ['string', 'boolean'].includes(typeof value));
    return fields.length > 0 ? Object.fromEntries(fields) : undefined;
  } catch {
    return undefined;
  }
}

/** Without `fields` it is forgotten. */
export function holdUnsaved(form: string, fields?: Fields, place: Place = onDevice): void {
  place.write(form, fields && JSON.stringify(fields));
}

/** Forms called by a kind and the id of a record are forgotten once that is gone. `ids`: of those that are there. */
export function forgetUnsavedBut(kind: string, ids: readonly string[]): void {
  const start = `${prefix}${kind} `;
  try {
    const forms = Object.keys(localStorage).filter((key) => key.startsWith(start));
    const isThere = (form: string) => ids.some((id) => `${form} `.startsWith(`${start}${id} `));
    for (const form of forms.filter((one) => !isThere(one))) localStorage.removeItem(form);
  } catch {
    // Refused: nothing is held there.
  }
}

/** Whether an address carries what should be written down nowhere: a name and a password, or a key among its parameters. */
export function carriesKey(address: string): boolean {
  return /\/\/[^/?#]*@|[?&#][^=&]*(?:key|token|secret|pass|auth|sig)[^=&]*=[^&{]/i.test(address);
}

interface Options<Written> {
  /** Fields for addresses: one that carries a key is not held. */
  addresses?: readonly (keyof Written)[];
  place?: Place;
}

/** The fields of a form, to be bound. Made while its component is. */
export class Unsaved<Written extends Record<string, string | boolean>> {
  readonly fields: Written;
  readonly #form: string | undefined;
  readonly #place: Place;
  #first: Written;
  #isFromBefore: boolean;

  /** `form`: undefined for one of which nothing may be held. `first`: what it begins with. */
  constructor(form: string | undefined, first: Written, options: Options<Written> = {}) {
    const { addresses = [], place = onDevice } = options;
    this.#form = form;
    this.#place = place;
    this.#first = first;
    const held = form === undefined ? undefined : unsavedIn(form, place);
    // What the form no longer has, or has as something else, is left out.
    const fitting = Object.entries(held ?? {}).filter(([name, value]) => typeof value === typeof first[name]);
    this.fields = $state({ ...first, ...Object.fromEntries(fitting) });
    this.#isFromBefore = $state(fitting.length > 0);
    $effect(() => {
      const written = Object.fromEntries(
        Object.entries(this.fields).filter(
          ([name, text]) => !addresses.includes(name) || !carriesKey(String(text)),
        ),
      );
      untrack(() => this.#write(this.#isChanged(written) ? written : undefined));
    });
  }

  /** Something stands in the form that was written earlier, and not kept. */
  get isResumed(): boolean {
    return this.#isFromBefore && this.#isChanged();
  }

  /** It is kept by now, or let go of: held again is what is changed from how it stands. */
  forget(): void {
    this.#first = { ...this.fields };
    this.#isFromBefore = false;
    this.#write();
  }

  #isChanged(fields: Fields = this.fields): boolean {
    return Object.entries(fields).some(([name, value]) => value !== this.#first[name]);
  }

  #write(fields?: Fields): void {
    if (this.#form !== undefined) holdUnsaved(this.#form, fields, this.#place);
  }
}
