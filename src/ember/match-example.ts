/**
 * Matches a request against the examples of a tool: the example `How many km are 26.2 miles?` with `{value: 26.2, from: 'miles', to: 'km'}` also
 * matches `how many pounds are 5 kg`. The author of a tool teaches the small model with examples.
 */
import type { ToolSpec } from '../contracts/tool';
import { patternOf, wording } from './phrases';

type Example = NonNullable<ToolSpec['examples']>[number];
type Arguments = Example['arguments'];

interface Slot {
  field: string;
  isNumber: boolean;
}

interface Template {
  pattern: RegExp;
  literal: string;
  slots: readonly Slot[];
  /** Arguments that are not in the request. */
  fixed: Arguments;
}

/** A template with more slots would match nearly anything. */
const maxSlots = 3;
/** Slots are short, so that matching stays fast. */
const slotText = { number: String.raw`([-−]?\d[\d,]*(?:\.\d+)?)`, words: '([^?？!！。;；:：]{1,40}?)' };
const maxWords = 4;
const maxItems = 6;

/** Returns the arguments of each call. Undefined if the request matches none of the examples. */
export function matchExamples(request: string, { examples = [] }: ToolSpec): Arguments[] | undefined {
  const text = plain(request);
  // Templates with the most literal words come first: `how many … are in` before `how many … in`.
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
  if (request === '' || overlaps || found.length > maxSlots) return undefined;

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
  if (!/\p{L}/u.test(literal)) return undefined;
  return { pattern: new RegExp(`^${pattern}$`, 'iu'), literal, slots: found, fixed };
}

function readSlots({ slots, fixed }: Template, texts: readonly string[]): Arguments[] | undefined {
  const last = slots.length - 1;
  const values = slots.map(({ isNumber }, index) => {
    const text = (texts[index] ?? '').trim();
    if (isNumber) return [Number(text.replaceAll(',', '').replace('−', '-'))];
    const items = index === last ? text.split(itemJoints()) : [text];
    return items.every(isShort) && items.length <= maxItems ? items : undefined;
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

const itemJoints = () => patternOf(String.raw`\s*{item-joints}\s*`, 'iu');

function isShort(text: string): boolean {
  return text !== '' && text.split(/\s+/).length <= maxWords && !wording('examples.no-name').test(text);
}

function plain(request: string): string {
  return request
    .replace(/\s+/g, ' ')
    .replace(/(\d)(?=°?[\p{L}]|°)/gu, '$1 ')
    .replace(/(?<=\d\s?)°(?=\s*[cf]\b)/gi, '')
    .replace(/\s*(?:→|->|=>)\s*/g, ' to ')
    .replace(wording('examples.what-is'), 'what is')
    .replace(patternOf(String.raw`^[\s,，]*(?:{request-openers}[\s,，!！]+)+`, 'i'), '')
    .replace(wording('examples.can-you'), '')
    .replace(wording('examples.tell-me'), '')
    .replace(patternOf(String.raw`[\s,，]*{request-closers}?[\s?？.。!！]*$`, 'i'), '')
    .trim();
}

/** The index of `part` in `text`, or -1 if it is there twice or within a word or number. */
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
