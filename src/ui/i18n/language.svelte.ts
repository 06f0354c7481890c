/** The language on the screen: its words, and how it writes sizes and times. */
import { createContext } from 'svelte';
import { en, type Words } from './en';
import type { LateWords } from './en-late';
import { english, type LanguageEntry } from './registry';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export class Language {
  code = $state('en');
  /** False until the first words are there: a screen drawn before would change its language under the eye. */
  isReady = $state(false);
  words = $state.raw<Words>(en);
  #late = $state.raw<LateWords>();
  #isLateNeeded = false;
  #shown = english;
  #wanted: LanguageEntry | undefined;

  /** Changes when the words are there, and stays as it is where they cannot be loaded. */
  async use(entry: LanguageEntry): Promise<void> {
    if (this.#wanted === entry) return;
    this.#wanted = entry;
    const loading = entry.load();
    // What is there already is shown at once, not a tick later.
    if (!this.#isLateNeeded && !(loading instanceof Promise)) {
      this.#show(entry, loading);
      return;
    }
    try {
      const [words, late] = await Promise.all([loading, this.#isLateNeeded ? entry.loadLate() : undefined]);
      if (this.#wanted === entry) this.#show(entry, words, late);
    } catch {
      this.isReady = true;
      this.#wanted = undefined;
    }
  }

  /** What is said by the parts that `Lazy` shows. */
  get late(): LateWords {
    if (!this.#late) throw new Error('What comes later is said before `Lazy` has loaded it.');
    return this.#late;
  }

  /** Resolves when `late` is there, in the language that is shown by then or is to come. */
  async loadLate(): Promise<void> {
    if (this.#isLateNeeded && this.#late) return;
    this.#isLateNeeded = true;
    const entry = this.#wanted ?? this.#shown;
    const late = await entry.loadLate();
    if (entry === (this.#wanted ?? this.#shown)) this.#late = late;
    else await this.loadLate();
  }

  number(value: number, maximumFractionDigits = 0): string {
    return new Intl.NumberFormat(this.code, { maximumFractionDigits }).format(value);
  }

  /** In the unit that keeps it below a thousand. */
  bytes(value: number): string {
    const step = Math.min(Math.floor(Math.log10(Math.max(value, 1)) / 3), units.length - 1);
    const unit = units[step] ?? 'byte';
    const maximumFractionDigits = step > 1 ? 1 : 0;
    const format = new Intl.NumberFormat(this.code, { style: 'unit', unit, maximumFractionDigits });
    return format.format(value / 1000 ** step);
  }

  /** Milliseconds below a second, seconds above. */
  duration(milliseconds: number): string {
    const [value, unit, maximumFractionDigits] =
      milliseconds < 1000
        ? ([Math.round(milliseconds), 'millisecond', 0] as const)
        : ([milliseconds / 1000, 'second', 1] as const);
    return new Intl.NumberFormat(this.code, { style: 'unit', unit, maximumFractionDigits }).format(value);
  }

  /** Seconds below a minute, minutes above, both whole. */
  age(milliseconds: number): string {
    const isLong = milliseconds >= 60_000;
    const value = Math.floor(milliseconds / (isLong ? 60_000 : 1000));
    const unit = isLong ? 'minute' : 'second';
    return new Intl.NumberFormat(this.code, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  }

  /** Day and time; milliseconds since the epoch. */
  time(at: number): string {
    return new Intl.DateTimeFormat(this.code, { dateStyle: 'medium', timeStyle: 'medium' }).format(at);
  }

  #show(entry: LanguageEntry, words: Words, late?: LateWords): void {
    this.#shown = entry;
    this.code = entry.code;
    this.words = words;
    this.#late = late ?? this.#late;
    this.isReady = true;
  }
}

export const [getLanguage, setLanguage] = createContext<Language>();
