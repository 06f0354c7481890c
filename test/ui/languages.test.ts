/** Every language has all texts, and every text is used by a screen. */
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../src/contracts/error-code';
import { galleryTools } from '../../src/tools/custom/gallery/registry';
import { Language } from '../../src/ui/i18n/language.svelte';
import en from '../../src/ui/i18n/en.json?shell';
import enRest from '../../src/ui/i18n/en.json?rest';
import { type LanguageEntry, selectLanguage, languages } from '../../src/ui/i18n/registry';

const sources = Object.values(
  import.meta.glob<string>(['../../src/{app,ui}/**/*.{svelte,ts}', '!../../src/ui/i18n/words.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).join('\n');

/** Returns the paths of all texts, without the indexes of lists. */
function pathsOf(words: unknown, path: string[] = []): string[][] {
  if (typeof words !== 'object' || words === null) return [path];
  if (Array.isArray(words)) return words.flatMap((word) => pathsOf(word, path));
  return Object.entries(words).flatMap(([key, value]) => pathsOf(value, [...path, key]));
}

const all = { ...en, ...enRest };
const loadAll = async ({ load, loadRest }: LanguageEntry) => ({ ...(await load()), ...(await loadRest()) });

/** Drops the texts of gallery tools, which English takes from the tools themselves. */
const flat = (words: unknown) =>
  [...new Set(pathsOf(words).map((path) => path.join('.')))]
    .filter((path) => !path.startsWith('editor.fromGallery.'))
    .sort();

/** Tables that are read by a value, such as a case of a type, and not by name. */
const tables =
  /^(errors|ends|statuses|failures|chatNotices|chats\.actions)\.|\.(days|examples|closed|said|faults|states|finishes|themes|places|descriptions|titles|reasons|problems|fileProblems|problemCodes|failures|hints|prefillReasons|steps|held|verdicts|names|searchModes|filters|toolKinds|chosenBy|kinds|tables|parts|sources|troubles|spans|allowedBy|marks|fields|passedOver|sides|updatePhases|unplaced|stageNames|also)\./;

describe.for(languages)('the language $name', (entry) => {
  test('has exactly the same set of texts as English', async () => {
    expect(flat(await loadAll(entry))).toEqual(flat(all));
  });

  test('has a message for every error', async () => {
    const words = await loadAll(entry);
    for (const error of errorCodes) {
      expect(words.errors[error]('Ember', '7').length).toBeGreaterThan(10);
      expect(words.errors[error]('Ember', '7')).not.toContain('undefined');
    }
    expect(words.model.isStarting('Ember', '40')).toMatch(/Ember.*40/);
    expect(words.empty.examples.length).toBeGreaterThanOrEqual(3);
  });

  test('translates the names of all gallery tools, unless it is English', async () => {
    const named = Object.keys((await entry.loadRest()).editor.fromGallery).sort();
    const names = galleryTools.map(({ name }) => name).sort();
    expect(named).toEqual(entry.code === 'en' ? [] : names);
  });

  test('formats numbers like the browser', () => {
    const language = new Language();
    language.code = entry.code;
    for (const value of [0, 7, 10, 100, 999.5, 1000, 12_345.67, 1e6, 0.04, 0.96, 1e15]) {
      for (const digits of [0, 1, 2]) {
        const format = new Intl.NumberFormat(entry.code, { maximumFractionDigits: digits });
        expect(language.number(value, digits)).toBe(format.format(value));
      }
    }
  });

  test('has a language code that the browser knows', () => {
    expect(Intl.getCanonicalLocales(entry.code)).toEqual([entry.code]);
  });
});

test.for(pathsOf(all).map((path) => path.join('.')))(
  'no text in the language files is unused: %s',
  (path) => {
    const key = path.split('.').at(-1)!;
    expect(
      tables.test(path) || new RegExp(`\\.${key}\\b|'${key}'|\\b${key}\\b[^{}=;]*\\} = `).test(sources),
    ).toBe(true);
  },
);

test.for([
  { chosen: null, preferred: ['zh-CN', 'en'], code: 'zh' },
  { chosen: null, preferred: ['fr-FR', 'zh-TW', 'en'], code: 'zh' },
  { chosen: null, preferred: ['fr-FR'], code: 'en' },
  { chosen: null, preferred: [], code: 'en' },
  { chosen: 'en', preferred: ['zh-CN'], code: 'en' },
  { chosen: 'zh', preferred: ['en'], code: 'zh' },
  // The user chose it in a version that had it.
  { chosen: 'eo', preferred: ['zh-CN'], code: 'zh' },
])(
  "the user's choice comes before the browser's languages: chosen $chosen, browser $preferred, shown $code",
  ({ chosen, preferred, code }) => {
    expect(selectLanguage(chosen, preferred).code).toBe(code);
  },
);

const chinese = languages.find(({ code }) => code === 'zh')!;

const esperanto: LanguageEntry = {
  code: 'eo',
  name: 'Esperanto',
  load: () => ({ ...en }),
  loadRest: () => Promise.resolve({ ...enRest }),
};

describe('the display language', () => {
  test.for([
    { bytes: 0, written: '0 B' },
    { bytes: 999, written: '999 B' },
    { bytes: 6_150_000, written: '6.2 MB' },
    { bytes: 60_000_000_000, written: '60 GB' },
    { bytes: 5e15, written: '5,000 TB' },
  ])('formats a file size: $bytes bytes as $written', ({ bytes, written }) => {
    expect(new Language().bytes(bytes)).toBe(written);
  });

  test.for([
    { milliseconds: 0.4, written: '0 ms' },
    { milliseconds: 12, written: '12 ms' },
    { milliseconds: 1234, written: '1.2 s' },
  ])('formats a duration: $milliseconds ms as $written', ({ milliseconds, written }) => {
    expect(new Language().duration(milliseconds)).toBe(written);
  });

  test('stays the same if another language fails to load', async () => {
    const language = new Language();
    const gone = language.switchTo({ ...esperanto, load: () => Promise.reject(new Error('gone')) });
    await expect(gone).rejects.toThrow('gone');
    expect(language).toMatchObject({ code: 'en', isReady: true, words: en });
  });

  test('is the language that was chosen last, even if another language loads later', async () => {
    const language = new Language();
    let arrive: (words: typeof en) => void = () => undefined;
    const slow = language.switchTo({
      ...esperanto,
      load: () => new Promise((resolve) => (arrive = resolve)),
    });
    await language.switchTo(languages[0]!);
    arrive({ ...en });
    await slow;
    expect(language.code).toBe('en');
  });

  test('changes all texts at once, including texts that load after the start', async () => {
    const language = new Language();
    expect(() => language.rest).toThrow('loadRest');
    await language.loadRest();
    expect(language.rest).toBe(enRest);
    const shown = language.switchTo(chinese);
    expect([language.words, language.rest]).toEqual([en, enRest]);
    await shown;
    expect([language.words.navigation.tools, language.rest.tools.unused]).toEqual(['工具', '还没有用过。']);
  });

  test('loads all its own texts even if it is chosen while another language is loading', async () => {
    const language = new Language();
    let arrive: (words: typeof enRest) => void = () => undefined;
    void language.switchTo({ ...esperanto, loadRest: () => new Promise((resolve) => (arrive = resolve)) });
    const loaded = language.loadRest();
    await language.switchTo(chinese);
    arrive({ ...enRest });
    await loaded;
    expect(language.rest.tools.unused).toBe('还没有用过。');
  });

  test('is never mixed with another language that loads only in part', async () => {
    const language = new Language();
    await language.loadRest();
    const gone = language.switchTo({ ...esperanto, loadRest: () => Promise.reject(new Error('gone')) });
    await expect(gone).rejects.toThrow('gone');
    expect(language).toMatchObject({ code: 'en', words: en, rest: enRest });
  });
});
