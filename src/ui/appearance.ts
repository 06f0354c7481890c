/** Light or dark: on the page, and in the browser's own frame around it. */
import type { Settings } from '../contracts/settings';

/** `--ground` of theme.css, which a `<meta>` cannot read. */
const grounds = { light: '#faf8f5', dark: '#161310' };

export function showTheme(theme: Settings['theme'], page: Document = document): void {
  if (theme === 'system') delete page.documentElement.dataset['theme'];
  else page.documentElement.dataset['theme'] = theme;
  for (const meta of page.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const ofSystem = meta.media.includes('dark') ? 'dark' : 'light';
    meta.content = grounds[theme === 'system' ? ofSystem : theme];
  }
}
