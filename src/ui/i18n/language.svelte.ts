/** The language of the screen: its messages, and how it formats numbers, sizes and times. */
import { createContext } from 'svelte';
import type { ModelName } from '../../contracts/model-library';
import { isTime } from '../../contracts/time';
import en from './en.json?shell';
import { english, type LanguageEntry } from './registry';
import type { RestWords, ShellWords } from './words';

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB'];

export class Language {
  code = $state('en');
  /** False until the first words are loaded. Until then, the app renders no screen. */
  isReady = $state(false);
  words = $state.raw<ShellWords>(en);
  #rest = $state.raw<RestWords>();
  #isRestNeeded = false;
  #shown = english;
  #wanted: LanguageEntry | undefined;

  /** Switches to a language once its words are loaded. If loading fails, rejects and keeps the old language. */
  async switchTo(entry: LanguageEntry): Promise<void> {
    if (this.#wanted === entry) return;
    this.#wanted = entry;
    const loading = entry.load();
    // Words that are already loaded must appear now, not one tick later.
    if (!this.#isRestNeeded && !(loading instanceof Promise)) {
      this.#show(entry, loading);
      return;
    }
    try {
      const [words, rest] = await Promise.all([loading, this.#isRestNeeded ? entry.loadRest() : undefined]);
      if (this.#wanted === entry) this.#show(entry, words, rest);
    } catch (error) {
      this.isReady = true;
      this.#wanted = undefined;
      throw error;
    }
  }

  /** The words for parts of the page that load later. Throws until `loadRest` has resolved. */
  get rest(): RestWords {
    if (!this.#rest) throw new Error('`loadRest` has not loaded these messages yet.');
    return this.#rest;
  }

  /** Loads `rest` in the current language, or in the one that is still loading. */
  async loadRest(): Promise<void> {
    if (this.#isRestNeeded && this.#rest) return;
    this.#isRestNeeded = true;
    const entry = this.#wanted ?? this.#shown;
    const rest = await entry.loadRest();
    if (entry === (this.#wanted ?? this.#shown)) this.#rest = rest;
    else await this.loadRest();
  }

  number(value: number, maximumFractionDigits = 0): string {
    return formatNumber(value, maximumFractionDigits, this.code);
  }

  /** Formats bytes in the unit that keeps the number below 1000, such as `6.2 MB`. */
  bytes(value: number): string {
    const step = Math.min(Math.floor(Math.log10(Math.max(value, 1)) / 3), byteUnits.length - 1);
    return `${this.number(value / 1000 ** step, step > 1 ? 1 : 0)} ${byteUnits[step] ?? ''}`;
  }

  /** Formats a duration as `12 ms` below one second, and as `1.2 s` from one second on. */
  duration(milliseconds: number): string {
    const { units } = this.words;
    return milliseconds < 1000
      ? units.milliseconds(this.number(milliseconds))
      : units.seconds(this.number(milliseconds / 1000, 1));
  }

  /** Formats a time span in whole seconds, or from one minute on in whole minutes. */
  age(milliseconds: number): string {
    const isLong = milliseconds >= 60_000;
    const value = Math.floor(milliseconds / (isLong ? 60_000 : 1000));
    const unit = isLong ? 'minute' : 'second';
    return new Intl.NumberFormat(this.code, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  }

  /** Formats a date and time. `at` is in milliseconds since the epoch. A file may contain numbers that are no time. */
  time(at: number): string {
    if (!isTime(at)) return '–';
    return new Intl.DateTimeFormat(this.code, { dateStyle: 'medium', timeStyle: 'medium' }).format(at);
  }

  /** The name of a model on the screen. Exports and logs use its `name` instead. */
  modelName({ id, name }: Pick<ModelName, 'id' | 'name'>): string {
    return this.words.model.names[id] ?? name;
  }

  #show(entry: LanguageEntry, words: ShellWords, rest?: RestWords): void {
    this.#shown = entry;
    this.code = entry.code;
    this.words = words;
    this.#rest = rest ?? this.#rest;
    this.isReady = true;
  }
}

export const [getLanguage, setLanguage] = createContext<Language>();

/** Formats English and Chinese without `Intl.NumberFormat`, whose first use blocks the page for 40 to 200 ms. */
function formatNumber(value: number, maximumFractionDigits: number, code: string): string {
  if (code !== 'en' && code !== 'zh')
    return new Intl.NumberFormat(code, { maximumFractionDigits }).format(value);
  const [whole = '', fraction = ''] = value.toFixed(maximumFractionDigits).split('.');
  const digits = fraction.replace(/0+$/, '');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return digits === '' ? grouped : `${grouped}.${digits}`;
}
