/** Language and look as they last were: until the settings are read, a page in others would change under the eye. */
import type { Settings } from '../contracts/settings';

type Look = Pick<Settings, 'language' | 'theme' | 'textSize' | 'contrast'>;

const key = 'hearth.look';

/** Nothing on a first visit, or where the browser keeps nothing. */
export function recallLook(): Look | undefined {
  try {
    // Checked by hand: the schema is not part of the first paint.
    const [language = '', theme, size, contrast] = (localStorage.getItem(key) ?? '').split(' ');
    if (theme !== 'system' && theme !== 'light' && theme !== 'dark') return undefined;
    return {
      language: language === '' ? null : language,
      theme,
      // What is no number is no size of letters either.
      textSize: Number(size),
      contrast: contrast === 'more' ? contrast : 'system',
    };
  } catch {
    return undefined;
  }
}

export function rememberLook({ language, theme, textSize, contrast }: Look): void {
  try {
    localStorage.setItem(key, `${language ?? ''} ${theme} ${textSize ?? 100} ${contrast ?? 'system'}`);
  } catch {
    // Refused or full: the next start shows it a moment later.
  }
}
