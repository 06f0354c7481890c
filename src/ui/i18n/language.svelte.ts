/** The language on the screen: its words, and how it writes sizes and times. */
import { createContext } from 'svelte';
import type { ModelName } from '../../contracts/model-library';
import { en, type Words } from './en';
import type { LateWords } from './en-late';
import { english, type LanguageEntry } from './registry';

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB'];

export class Language {
  code = $state('en');
  /** False until the first words are there: a screen drawn before would change its language under the eye. */
  isReady = $state(false);
  words = $state.raw<Words>(en);
  #late = $state.raw<LateWords>();
  #isLateNeeded = false;
  #shown = english;
  #wanted: LanguageEntry | undefined;

  /** Changes when the words are there. Rejects where they cannot be loaded: it stays as it is then. */
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
    } catch (error) {
      this.isReady = true;
      this.#wanted = undefined;
      throw error;
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
    return writeNumber(value, maximumFractionDigits, this.code);
  }

  /** In the unit that keeps it below a thousand. */
  bytes(value: number): string {
    const step = Math.min(Math.floor(Math.log10(Math.max(value, 1)) / 3), byteUnits.length - 1);
    return `${this.number(value / 1000 ** step, step > 1 ? 1 : 0)} ${byteUnits[step] ?? ''}`;
  }

  /** Milliseconds below a second, seconds above. */
  duration(milliseconds: number): string {
    const { units } = this.words;
    return milliseconds < 1000
      ? units.milliseconds(this.number(milliseconds))
      : units.seconds(this.number(milliseconds / 1000, 1));
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

  /** Of a model, as a person reads it; what is written down keeps its `name`. */
  modelName({ id, name }: Pick<ModelName, 'id' | 'name'>): string {
    return this.words.model.names[id] ?? name;
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

/**
 * `1,234.5`, as English and Chinese write it. For them not by `Intl.NumberFormat`, whose first use holds the page's thread
 * for 40 to 200 ms, and would just while a model starts.
 */
function writeNumber(value: number, maximumFractionDigits: number, code: string): string {
  if (code !== 'en' && code !== 'zh')
    return new Intl.NumberFormat(code, { maximumFractionDigits }).format(value);
  const [whole = '', fraction = ''] = value.toFixed(maximumFractionDigits).split('.');
  const digits = fraction.replace(/0+$/, '');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return digits === '' ? grouped : `${grouped}.${digits}`;
}
