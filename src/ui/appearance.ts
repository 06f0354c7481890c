/** Light or dark, how large the letters are and how strong the colours: on the page, and in the browser's own frame around it. */
import type { Settings } from '../contracts/settings';

/** `--ground` of theme.css, which a `<meta>` cannot read. */
const grounds = { light: '#faf8f5', dark: '#161310' };

export function showLook(
  { theme, textSize, contrast }: Pick<Settings, 'theme' | 'textSize' | 'contrast'>,
  page: Document = document,
): void {
  const { dataset, style } = page.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  for (const meta of page.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const ofSystem = meta.media.includes('dark') ? 'dark' : 'light';
    meta.content = grounds[theme === 'system' ? ofSystem : theme];
  }
  // Every length of the page is in rem. Of the size that the browser has been set to.
  style.fontSize = textSize ? `${textSize}%` : '';
  const isHigh =
    contrast === 'more' || matchMedia('(prefers-contrast: more), (forced-colors: active)').matches;
  page.documentElement.toggleAttribute('data-high-contrast', isHigh);
  if (isHigh) void import('./high-contrast.css');
}
