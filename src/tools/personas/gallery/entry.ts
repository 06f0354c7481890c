/** PURE: what all entries of the gallery begin with. */
import type { PersonaContent } from '../../../contracts/persona';

/** The same persona, in the words of each language of the screen. */
export type GalleryEntry = Readonly<Record<'en' | 'zh', PersonaContent>>;

type Texts = Pick<PersonaContent, 'name' | 'description' | 'instructions'> &
  Pick<Partial<PersonaContent>, 'questions' | 'inputSchema' | 'outputSchema'>;

/** It answers in the language it is asked in, with the chat's own model. */
export function entry(
  shared: Pick<PersonaContent, 'tools'> & Partial<PersonaContent>,
  { en, zh }: Record<'en' | 'zh', Texts>,
): GalleryEntry {
  const both = {
    ...{ model: null, sampling: {}, language: null, areCardsFolded: false, isTool: false },
    ...shared,
  };
  return { en: { ...both, ...en }, zh: { ...both, ...zh } };
}
