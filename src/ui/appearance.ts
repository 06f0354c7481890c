/** Applies the theme, text size and contrast to the page. A copy in localStorage is ready for the first paint. */
import type { Settings } from '../contracts/settings';
import { readStored, writeStored } from './parts/stored-text';

type Look = Pick<Settings, 'language' | 'theme' | 'textSize' | 'contrast'>;

export function applyLook({ theme, textSize, contrast }: Omit<Look, 'language'>): void {
  const { dataset, style } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const systemTheme = meta.media.includes('dark') ? 'dark' : 'light';
    meta.content = backgroundColors[theme === 'system' ? systemTheme : theme];
  }
  // A percentage of the browser's default text size. All lengths on the page are in rem, so they scale too.
  style.fontSize = textSize ? `${textSize}%` : '';
  const isHigh =
    contrast === 'more' || matchMedia('(prefers-contrast: more), (forced-colors: active)').matches;
  document.documentElement.toggleAttribute('data-high-contrast', isHigh);
  if (isHigh) void import('./high-contrast.css');
}

/** Returns the look of the last visit. Undefined on a first visit or if the browser blocks storage. */
export function readStoredLook(): Look | undefined {
  // The settings schema has not loaded at the first paint, so we parse by hand.
  const [language, theme, size, contrast] = (readStored(lookStorageKey) ?? '').split(' ');
  if (theme !== 'system' && theme !== 'light' && theme !== 'dark') return undefined;
  return {
    language: language || null,
    theme,
    textSize: Number(size),
    contrast: contrast === 'more' ? contrast : 'system',
  };
}

export function storeLook({ language, theme, textSize, contrast }: Look): void {
  writeStored(lookStorageKey, `${language ?? ''} ${theme} ${textSize ?? 100} ${contrast ?? 'system'}`);
}

/** Background colours, copied from `--ground` in theme.css because a `<meta>` cannot read CSS variables. */
const backgroundColors = { light: '#faf8f5', dark: '#161310' };

const lookStorageKey = 'hearth.look';
