/** Language and theme as they last were: until the settings are read, a page in others would change under the eye. */
import type { Settings } from '../contracts/settings';

type Look = Pick<Settings, 'language' | 'theme'>;

const key = 'hearth.look';

/** Nothing on a first visit, or where the browser keeps nothing. */
export function recallLook(): Look | undefined {
  try {
    // Checked by hand: the schema is not part of the first paint.
    const [language = '', theme] = (localStorage.getItem(key) ?? '').split(' ');
    if (theme !== 'system' && theme !== 'light' && theme !== 'dark') return undefined;
    return { language: language === '' ? null : language, theme };
  } catch {
    return undefined;
  }
}

export function rememberLook({ language, theme }: Look): void {
  try {
    localStorage.setItem(key, `${language ?? ''} ${theme}`);
  } catch {
    // Refused or full: the next start shows it a moment later.
  }
}
