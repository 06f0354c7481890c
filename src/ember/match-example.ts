/**
 * Reads a request by the examples of a tool: `How many km are 26.2 miles?` with `{value: 26.2, from: 'miles', to: 'km'}` also reads
 * `how many pounds are 5 kg`. Whoever writes a tool teaches the smallest model by writing such lines.
 */
import type { ToolSpec } from '../contracts/tool';

type Example = NonNullable<ToolSpec['examples']>[number];
type Arguments = Example['arguments'];

interface Slot {
  field: string;
  isNumber: boolean;
}

interface Template {
  pattern: RegExp;
  /** The words that no slot takes. */
  literal: string;
  slots: readonly Slot[];
  /** What no word of the request stands for. */
  fixed: Arguments;
}

/** More of them in one line would match nearly anything. */
const mostSlots = 3;
/** Of what one slot may take, so that no line takes long to match. */
const slotText = { number: String.raw`([-−]?\d[\d,]*(?:\.\d+)?)`, words: '([^?？!！。;；:：]{1,40}?)' };
const mostWords = 4;
const mostItems = 6;

/** One call a list of arguments; undefined where the request is worded like none of the examples. */
export function matchExamples(request: string, { examples = [] }: ToolSpec): Arguments[] | undefined {
  const text = plain(request);
  // The more of the request is the example's own words, the surer it is: `how many … are in` before `how many … in`.
  const templates = examples
    .flatMap((example) => templateOf(example) ?? [])
    .sort((one, other) => other.literal.length - one.literal.length);
  for (const template of templates) {
    const match = template.pattern.exec(text);
    const read = match && readSlots(template, match.slice(1));
    if (read) return read;
  }
  return undefined;
}

function templateOf(example: Example): Template | undefined {
  const request = plain(example.request);
  const fixed: Arguments = {};
  const found: (Slot & { at: number; length: number })[] = [];
  for (const [field, value] of Object.entries(example.arguments)) {
    const text = typeof value === 'string' || typeof value === 'number' ? plain(String(value)) : '';
    const at = text === '' ? -1 : wholeIndexOf(request, text);
    if (at === -1) fixed[field] = value;
    else found.push({ field, isNumber: typeof value === 'number', at, length: text.length });
  }
  found.sort((one, other) => one.at - other.at);
  const overlaps = found.some(({ at, length }, index) => at + length > (found[index + 1]?.at ?? Infinity));
  if (request === '' || overlaps || found.length > mostSlots) return undefined;

  let pattern = '';
  let literal = '';
  let at = 0;
  for (const slot of found) {
    literal += request.slice(at, slot.at);
    pattern += escape(request.slice(at, slot.at)) + (slot.isNumber ? slotText.number : slotText.words);
    at = slot.at + slot.length;
  }
  literal += request.slice(at);
  pattern += escape(request.slice(at));
  // Without a word of its own it would match every request.
  if (!/\p{L}/u.test(literal)) return undefined;
  return { pattern: new RegExp(`^${pattern}$`, 'iu'), literal, slots: found, fixed };
}

function readSlots({ slots, fixed }: Template, texts: readonly string[]): Arguments[] | undefined {
  const last = slots.length - 1;
  const values = slots.map(({ isNumber }, index) => {
    const text = (texts[index] ?? '').trim();
    if (isNumber) return [Number(text.replaceAll(',', '').replace('−', '-'))];
    // `in Tokyo, Paris and New York` asks once for each.
    const items =
      index === last ? text.split(/\s*(?:,\s*and\s+|，|、|,|\s+and\s+|\s+&\s+|和|以及)\s*/iu) : [text];
    return items.every(isShort) && items.length <= mostItems ? items : undefined;
  });
  if (values.some((value) => value === undefined)) return undefined;
  const many = values[last]?.length ?? 1;
  return Array.from({ length: many }, (_, item) => {
    const read = slots.map(
      ({ field }, index) => [field, values[index]?.[index === last ? item : 0]] as const,
    );
    return { ...fixed, ...Object.fromEntries(read) };
  });
}

/** A name, not a sentence or a sum. */
function isShort(text: string): boolean {
  return text !== '' && text.split(/\s+/).length <= mostWords && !sentence.test(text);
}

const sentence =
  /\b(?:and|or|but|if|who|what|when|where|why|how|my|your|the time)\b|是|多少|什么|谁|怎么|几点|吗$|[=+*%]/i;

/** On one line, without what a request may begin or end with and means the same. */
function plain(request: string): string {
  return (
    request
      .replace(/\s+/g, ' ')
      // `72°F` and `5kg`: what is a word of its own elsewhere.
      .replace(/(\d)(?=°?[\p{L}]|°)/gu, '$1 ')
      .replace(/(?<=\d\s?)°(?=\s*[cf]\b)/gi, '')
      .replace(/\s*(?:→|->|=>)\s*/g, ' to ')
      .replace(/\bwhats\b|\bwhat['’]s\b/gi, 'what is')
      .replace(
        /^[\s,，]*(?:(?:please|hey|hi|hello|ok|okay|so|and|now|请问?|帮我|麻烦|那么?)[\s,，!！]+)+/i,
        '',
      )
      .replace(/^(?:can|could|would|will) you (?:please )?(?:tell me )?/i, '')
      .replace(/^(?:tell me|give me|show me) /i, '')
      .replace(/[\s,，]*(?:please|thanks|thank you|right now|now|谢谢|呢|啊|呀)?[\s?？.。!！]*$/i, '')
      .trim()
  );
}

/** Where `part` stands in `text`, once and not within a word or number; -1 else. */
function wholeIndexOf(text: string, part: string): number {
  const small = text.toLowerCase();
  const wanted = part.toLowerCase();
  const at = small.indexOf(wanted);
  if (at === -1 || small.includes(wanted, at + 1)) return -1;
  const isInside = (edge: string, own: string) =>
    /[\p{Script=Latin}\d]/u.test(edge) && /[\p{Script=Latin}\d]/u.test(own);
  const before = isInside(text.charAt(at - 1), part.charAt(0));
  const after = isInside(text.charAt(at + part.length), part.charAt(part.length - 1));
  return before || after ? -1 : at;
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`).replaceAll(' ', String.raw`\s+`);
}
