import type { CustomToolContent } from '../../contracts/custom-tool';
import type { LateWords } from '../i18n/words';

/** In the words of the person whose tool it will be; the model reads them too. */
export function inLanguage(
  content: CustomToolContent,
  known: LateWords['editor']['fromGallery'],
): CustomToolContent {
  const words = known[content.name];
  if (!words) return content;
  const { request, ...named } = words;
  // It is how the first is asked for; the others ask for something else.
  const first = content.examples.find((example) => example.request !== '');
  const examples = content.examples.map((one) => (one === first ? { ...one, request } : one));
  return { ...content, ...named, examples };
}
