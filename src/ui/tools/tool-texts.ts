/** Texts of the tool editor: the starting tool, the gallery, hints on descriptions, and the guide. */
import type {
  CustomToolContent,
  DefinitionProblem,
  DefinitionProblemCode,
} from '../../contracts/custom-tool';
import type { StartingTool } from '../../state/tool-form';
import type { RestWords } from '../i18n/words';

export function toStartingTool({ meaning, example, ...texts }: RestWords['editor']['start']): StartingTool {
  return {
    ...texts,
    inputSchema: {
      type: 'object',
      properties: {
        sides: { type: 'integer', description: meaning, default: 6, minimum: 2, maximum: 1000 },
      },
      required: [],
    },
    example: { request: example, arguments: { sides: 20 } },
  };
}

/** Translates a gallery tool into the user's language. The model reads these words too. */
export function translateGalleryTool(
  content: CustomToolContent,
  translations: RestWords['editor']['fromGallery'],
): CustomToolContent {
  const words = translations[content.name];
  if (!words) return content;
  const { request, ...texts } = words;
  // We translate only the first example that has a request.
  const first = content.examples.find((example) => example.request !== '');
  const examples = content.examples.map((example) => (example === first ? { ...example, request } : example));
  return { ...content, ...texts, examples };
}

export function toProblemLines(problems: readonly DefinitionProblem[], rest: RestWords) {
  const words = rest.editor;
  const fieldNames = { ...rest.common, ...words.fields };
  const texts = { ...rest.editorPage.problemCodes, ...words.problemCodes };
  return problems.map(({ field, code, place = '', line, detail }) => ({
    field,
    at: words.problemAt(fieldNames[field], place, line),
    text: texts[code],
    found: selfExplanatoryCodes.has(code) ? '' : detail,
  }));
}

/** For these problems, the message says enough, so we do not add the technical detail, which is in English. */
const selfExplanatoryCodes = new Set<DefinitionProblemCode>([
  ...(['name-form', 'name-taken', 'name-reserved', 'title-missing', 'description-short'] as const),
  ...(['code-missing', 'hosts-missing', 'hosts-pure'] as const),
]);

/** Rates the description of a tool. `when` means that the text does not say when to use the tool. */
export function rateDescription(description: string) {
  const text = description.trim();
  if (text === '') return 'empty';
  // A Chinese character says as much as three letters.
  const length = text.length + (text.match(/\p{Script=Han}/gu) ?? []).length * 2;
  if (length < 25) return 'short';
  if (length > 300) return 'long';
  return usageHintPattern.test(text) ? 'good' : 'when';
}

const usageHintPattern =
  /\b(?:when|whenever|for (?:any|every|all|questions?|deadlines|looking|working)|if (?:the|a|you|someone)|to (?:answer|find|look|check|test|count|convert))\b|当|时候?使用|用于|用来|如果|需要/iu;

/** Joins the wrapped lines of a paragraph, because our renderer keeps line breaks. */
export function joinWrappedLines(markdown: string): string {
  let isCode = false;
  return markdown
    .split('\n')
    .reduce<string[]>((joined, line) => {
      const last = joined.at(-1) ?? '';
      const isFence = line.startsWith('```');
      const isContinued = !isCode && !blockStartPattern.test(line) && !/^(?:$|```|#)/.test(last);
      if (isFence) isCode = !isCode;
      if (isContinued) joined[joined.length - 1] = `${last} ${line.trim()}`;
      else joined.push(line);
      return joined;
    }, [])
    .join('\n');
}

const blockStartPattern = /^(?:$|```)|^\s*(?:#|[-*+] |\d+[.)] |>|\|)/;
