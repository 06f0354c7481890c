/** Language and theme as they last were: until the settings are read, a page in others would change under the eye. */
import { Settings } from '../contracts/settings';

type Look = Pick<Settings, 'language' | 'theme'>;

const key = 'hearth.look';

/** Nothing on a first visit, or where the browser keeps nothing. */
export function recallLook(): Look | undefined {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : Settings.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function rememberLook({ language, theme }: Look): void {
  try {
    localStorage.setItem(key, JSON.stringify({ language, theme }));
  } catch {
    // Refused or full: the next start shows it a moment later.
  }
}
