/** Reads calls without a model: a sum, a conversion, a follow-up to either, a note, the weather, or a request worded like a tool's example. */
import type { Message, PlainCall } from '../contracts/message';
import { maxNoteCharacters, noteIn } from '../contracts/note';
import type { SmallModelPolicyOptions } from '../contracts/small-model-policy';
import type { Tool, ToolSpec } from '../contracts/tool';
import { readRequestedSum } from '../text/arithmetic';
import { continueConversion, readRequestedConversion } from '../text/requested-conversion';
import { splitConversion } from '../text/units';
import { captureFirstGroup, escapePattern, expandPattern, patternOf } from './phrases';
import { lastTurnOf, findNewestQuestion } from './read-intent';
import { type IsKnownPlace, readWeather, readWeatherRequest, toWeatherCalls } from './weather-requests';
import { recallToolName } from '../contracts/tool-names';
import { readWordProblem } from './word-problems';

/** Returns the calls that a known wording asks for. Undefined if no wording matches or a trial of a call fails: the model then decides. */
export async function readPlainCalls(
  history: readonly Message[],
  tools: readonly Tool[],
  signal: AbortSignal,
  loadPlaces: SmallModelPolicyOptions['loadPlaces'],
): Promise<PlainCall[] | undefined> {
  const request = findNewestQuestion(history);
  if (request === undefined) return undefined;
  const note = readNoteRequest(request, tools);
  if (note && (note.isCertain || (await hasMatchingNote(note.call, tools, signal)))) return [note.call];
  const isPlace = tools.some(({ name }) => name === 'weather') ? await loadPlaces() : undefined;
  const weather = isPlace && readWeather(history, isPlace);
  const calls =
    weather && weather.length > 0
      ? weather
      : (readRequest(request, tools, isPlace) ?? readFollowUpCall(history, tools));
  if (!calls) return undefined;
  const guessed = calls.filter(({ name }) => name !== 'calculator');
  const worked = await Promise.all(guessed.map((call) => wouldSucceed(call, tools, signal)));
  // The calculator may convert what a tool of the user could not.
  return worked.includes(false) ? readConversion(request, tools) : calls;
}

function readConversion(request: string, tools: readonly Tool[]): PlainCall[] | undefined {
  const calculator = tools.find(({ name }) => name === 'calculator');
  const expression = calculator && readRequestedConversion(request);
  return expression === undefined ? undefined : [{ name: 'calculator', arguments: { expression } }];
}

export async function isPlaceMissing(
  history: readonly Message[],
  tools: readonly Pick<Tool, 'name'>[],
  loadPlaces: SmallModelPolicyOptions['loadPlaces'],
): Promise<boolean> {
  if (!tools.some(({ name }) => name === 'weather')) return false;
  return readWeather(history, await loadPlaces())?.length === 0;
}

/** Whether a call would succeed. We do not try a call with side effects, and assume that it succeeds. */
export async function wouldSucceed(call: PlainCall, tools: readonly Tool[], signal: AbortSignal) {
  if (!isPure(call, tools)) return true;
  const output = await runPureCall(call, tools, signal);
  // There is no output if the user stopped the turn or the tool threw an error.
  return output !== undefined && !output.isError;
}

/** Output of a call without side effects. Undefined for other calls, or if `signal` aborts or the tool throws. */
export async function runPureCall(call: PlainCall, tools: readonly Tool[], signal: AbortSignal) {
  return isPure(call, tools) ? tryCall(call, tools, signal) : undefined;
}

async function tryCall(call: PlainCall, tools: readonly Tool[], signal: AbortSignal) {
  const output = findTool(call, tools)?.execute(call.arguments, { signal, onProgress: () => undefined });
  return output?.catch(() => undefined);
}

function isPure(call: PlainCall, tools: readonly Tool[]): boolean {
  return findTool(call, tools)?.effects(call.arguments).type === 'pure';
}

function findTool({ name }: PlainCall, tools: readonly Tool[]): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}

/** Maximum length of a request that we read without the model, in characters. */
const maxRequestCharacters = 300;
const maxCallsPerRequest = 8;

/**
 * Reads the calls of one request or several joined requests. Undefined if any part cannot be read or any call has side effects. Weather
 * calls are allowed, because Hearth asks permission for them. `isPlace` is undefined if the weather tool is off.
 */
export function readRequest(request: string, tools: readonly Tool[], isPlace?: IsKnownPlace) {
  if (request.length > maxRequestCharacters) return undefined;
  const calls = readRequestParts(request.trim(), tools, isPlace, maxCallsPerRequest);
  const arePure = calls?.every((call) => call.name === 'weather' || isPure(call, tools));
  return calls && arePure && calls.length <= maxCallsPerRequest ? calls : undefined;
}

function readRequestParts(
  request: string,
  tools: readonly Tool[],
  isPlace: IsKnownPlace | undefined,
  max: number,
): PlainCall[] | undefined {
  if (request === '' || max <= 0) return undefined;
  const whole = readSingleRequest(request, tools, isPlace);
  if (whole) return whole;
  for (const { index, 0: joint } of request.matchAll(requestSeparatorPattern())) {
    const first = readSingleRequest(request.slice(0, index), tools, isPlace);
    const behind = request.slice(index + joint.length);
    const rest = first && readRequestParts(behind, tools, isPlace, max - first.length);
    if (rest) return [...first, ...rest];
  }
  return undefined;
}

const requestSeparatorPattern = () =>
  expandPattern(String.raw`\s*(?:[,;，；。?？]\s*{after-comma}?|{part-joints})\s*`, 'gi');

function readSingleRequest(request: string, tools: readonly Tool[], isPlace: IsKnownPlace | undefined) {
  const sum = readRequestedSum(request) ?? readSumInSteps(request) ?? readWordProblem(request);
  const calculator = tools.find(({ name }) => name === 'calculator');
  if (sum !== undefined && calculator) return [{ name: calculator.name, arguments: { expression: sum } }];
  const weather = isPlace && readWeatherRequest(request, isPlace);
  if (weather && weather.places.length > 0) return toWeatherCalls(weather);
  // Skip the calculator, because its examples also match requests without a sum: `How much is a coffee?`.
  const others = tools.filter((tool) => tool !== calculator && tool.name !== 'weather');
  const read = others.flatMap((tool) => {
    const found = matchExamples(request, tool);
    return found ? [found.map((given) => ({ name: tool.name, arguments: given }))] : [];
  });
  const only = read.length === 1 ? read[0] : undefined;
  // A user's own tool for units goes first: it may know more of them. One that sends data elsewhere, such as for money, does not.
  return only?.every((call) => isPure(call, tools)) ? only : (readConversion(request, tools) ?? only);
}

const maxNoteQuestionCharacters = 120;

/** Reads a request to save or find a note. If `isCertain` is false, the caller must check that a matching note exists. */
export function readNoteRequest(request: string, tools: readonly ToolSpec[]) {
  // Check this pattern first. Every pattern below needs one of its words, and compiling them all takes 160 kB in each tab.
  if (!patternOf('notes.any-word').test(request)) return undefined;
  const isOn = (tool: string) => tools.some(({ name }) => name === tool);
  const text = request.trim();
  const note = isOn('remember') ? readNoteToSave(text) : undefined;
  if (note !== undefined) return { call: { name: 'remember', arguments: { note } }, isCertain: true };
  if (!isOn(recallToolName) || text.length > maxNoteQuestionCharacters) return undefined;
  const named = readNoteQuery(text, 'notes.of-notes');
  const query = named ?? readNoteQuery(text, 'notes.of-memory');
  if (query === undefined) return undefined;
  return { call: { name: recallToolName, arguments: { query } }, isCertain: named !== undefined };
}

const noteOpenerPattern = () => expandPattern(String.raw`^(?:{note-openers}[\s,，:：!！]*)+`, 'iu');

function readNoteToSave(text: string): string | undefined {
  const opened = text.replace(noteOpenerPattern(), '');
  // `Could you note down that …?` is a request, and the question mark is not part of the note.
  const asked = opened === text ? opened : opened.replace(/\s*[?？]+$/u, '');
  // `remember that …` saves any text. Without `that`, the text must be a statement, which `my name` is not.
  const own = patternOf('notes.keeping-own').exec(asked)?.[1];
  const isStatement = own !== undefined && patternOf('notes.says-something', 'en').test(own);
  const note = (captureFirstGroup('notes.keeping', asked) ?? (isStatement ? own : undefined))?.trim();
  if (note === undefined || note.length > maxNoteCharacters || /[?？]/u.test(note)) return undefined;
  if (/^\p{Script=Han}/u.test(note)) {
    const isQuestion = patternOf('notes.goes-on').test(note) || patternOf('notes.is-question').test(note);
    if (note.length < 4 || isQuestion || !patternOf('notes.says-something', 'zh').test(note))
      return undefined;
  }
  return note.length < 3 ? undefined : note;
}

/** `of-notes`: the request mentions notes. `of-memory`: it may mean this chat instead. */
function readNoteQuery(text: string, kind: 'notes.of-notes' | 'notes.of-memory'): string | undefined {
  const asked = text.replace(/[\s?？.。!！]+$/u, '').replace(noteOpenerPattern(), '');
  const words = captureFirstGroup(kind, asked)?.replace(patternOf('notes.query-end'), '').trim();
  if (words === undefined || words === '' || kind === 'notes.of-memory') return words || undefined;
  const content = words.replace(patternOf('notes.query-fillers'), ' ').replace(/\s+/g, ' ').trim();
  return content === '' ? words : content;
}

/** Whether the call finds a note. If it does not, `What did I tell you about Oslo?` probably means this chat. */
async function hasMatchingNote(call: PlainCall, tools: readonly Tool[], signal: AbortSignal) {
  const output = await tryCall(call, tools, signal);
  return output?.content.some((part) => part.type === 'text' && noteIn(part.text) !== undefined) ?? false;
}

function readFollowUpCall(history: readonly Message[], tools: readonly Tool[]): PlainCall[] | undefined {
  const expression = tools.some(({ name }) => name === 'calculator') ? readFollowUp(history) : undefined;
  return expression === undefined ? undefined : [{ name: 'calculator', arguments: { expression } }];
}

const maxFollowUpCharacters = 60;
/** Maximum length of an expression in characters. Each follow-up makes the expression longer. The model handles longer ones. */
const maxExpressionCharacters = 200;

/** Continues the last sum: `divide that by 2`, or `and 5000?` after `17.5% of 2340`. Or the last conversion: `and in feet?`. */
export function readFollowUp(history: readonly Message[]): string | undefined {
  const before = findLastSum(history.slice(0, -1));
  const said = normaliseFollowUp(findNewestQuestion(history) ?? '');
  if (before === undefined || said.length > maxFollowUpCharacters) return undefined;
  const conversion = splitConversion(before);
  const next = conversion
    ? continueConversion(said, conversion)
    : (extendSum(said, before) ?? replaceNumberInSum(said, before));
  return next !== undefined && next.length <= maxExpressionCharacters ? next : undefined;
}

/** The most steps of one sum. */
const maxSumSteps = 6;

/** Reads `Multiply 37 by 46, then subtract 700 from the result` or `先算25乘48，再除以6`. Undefined if any step is no plain operation. */
export function readSumInSteps(request: string): string | undefined {
  const [first = '', ...others] = request.split(stepSeparatorPattern());
  if (others.length === 0 || others.length >= maxSumSteps) return undefined;
  const opening = normaliseFollowUp(first).replace(expandPattern('^{first-step}'), '');
  const begun = readRequestedSum(opening) ?? readOrderedSum(opening);
  return others.reduce<string | undefined>((sum, step) => {
    return sum === undefined ? undefined : extendSum(normaliseFollowUp(step), sum);
  }, begun);
}

const stepSeparatorPattern = () => expandPattern(String.raw`\s*(?:[,;.，；。]\s*)?(?:{next-step})\s*`, 'iu');

/** `multiply 37 by 46`: the operation comes before its numbers. */
function readOrderedSum(said: string): string | undefined {
  for (const [words, operator, isSwapped] of orderedOperations) {
    const [, one, other] = expandPattern(`^${words}$`, 'u').exec(said) ?? [];
    if (one !== undefined && other !== undefined)
      return isSwapped ? `${other}${operator}${one}` : `${one}${operator}${other}`;
  }
  return undefined;
}

function findLastSum(history: readonly Message[]): string | undefined {
  const { written, results } = lastTurnOf(history);
  const [call, ...more] = written.filter(({ type }) => type.endsWith('tool-call'));
  const isLone = more.length === 0 && results.length === 1 && results[0]?.isError === false;
  if (!isLone || call?.type !== 'tool-call' || call.name !== 'calculator') return undefined;
  const expression = call.arguments['expression'];
  return typeof expression === 'string' ? expression : undefined;
}

function normaliseFollowUp(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(expandPattern(String.raw`^[\s,.]*(?:{sum-openers}[\s,]*)+`), '')
    .replace(expandPattern(String.raw`(?:[\s,]*{sum-closers})*[\s?.!。=]*$`), '')
    .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
    .trim();
}

const numberPattern = String.raw`(\d+(?:\.\d+)?%?)`;
const followUpOperations: readonly (readonly [string, (sum: string, given: string) => string])[] = [
  [`{times} ?${numberPattern}`, (sum, given) => `${sum}*${given}`],
  [`{divided-by} ?${numberPattern}`, (sum, given) => `${sum}/${given}`],
  [`{plus} ?${numberPattern}(?: {plus-ends})?`, (sum, given) => `${sum}+${given}`],
  [`{minus} ?${numberPattern}(?: {minus-ends})?`, (sum, given) => `${sum}-${given}`],
  [String.raw`(\d+(?:\.\d+)?){percent-of}`, (sum, given) => `${given}% of ${sum}`],
  ['{half}', (sum) => `${sum}/2`],
  ['{double}', (sum) => `${sum}*2`],
  ['{squared}', (sum) => `${sum}^2`],
  ['{cubed}', (sum) => `${sum}^3`],
  ['{root}', (sum) => `sqrt(${sum})`],
];

const orderedOperations: readonly (readonly [string, string, boolean])[] = [
  [`multiply ${numberPattern} (?:by|with|and) ${numberPattern}`, '*', false],
  [`divide ${numberPattern} by ${numberPattern}`, '/', false],
  [`add ${numberPattern} (?:and|to|plus) ${numberPattern}`, '+', false],
  [`subtract ${numberPattern} from ${numberPattern}`, '-', true],
];

function extendSum(said: string, before: string): string | undefined {
  const sum = /^\d+(?:\.\d+)?$/.test(before) ? before : `(${before})`;
  for (const [words, write] of followUpOperations) {
    const match = expandPattern(`^${words}$`, 'u').exec(said);
    if (match) return write(sum, match[1] ?? '');
  }
  return undefined;
}

function replaceNumberInSum(said: string, before: string): string | undefined {
  const given = expandPattern(`^{other-number}? ?${numberPattern}$`, 'u').exec(said)?.[1];
  if (given === undefined) return undefined;
  const numbers = Array.from(before.matchAll(/(?<![\w.])(\d+(?:\.\d+)?)(%?)/g));
  const isShare = given.endsWith('%');
  const replaced = numbers.findLast(([, , mark]) => (mark === '%') === isShare);
  if (!replaced) return undefined;
  const end = replaced.index + replaced[0].length;
  return before.slice(0, replaced.index) + given + before.slice(end);
}

type ToolExample = NonNullable<ToolSpec['examples']>[number];
type ToolArguments = ToolExample['arguments'];

/** Maximum number of arguments in a template. With more, it would match nearly any request. */
const maxSlots = 3;
const slotPatterns = { number: String.raw`([-−]?\d[\d,]*(?:\.\d+)?)`, words: '([^?？!！。;；:：]{1,40}?)' };
const maxSlotWords = 4;
const maxSlotItems = 6;

/**
 * Reads the arguments of each call from a request worded like one of the tool's examples. The example `How many km are 26.2 miles?` with
 * `{value: 26.2, from: 'miles', to: 'km'}` also reads `how many pounds are 5 kg`. Undefined if no example matches.
 */
function matchExamples(request: string, { examples = [] }: ToolSpec): ToolArguments[] | undefined {
  const text = normaliseRequest(request);
  // Try examples with more fixed text first: `how many … are in` before `how many … in`.
  const templates = examples
    .flatMap((example) => toTemplate(example) ?? [])
    .sort((one, other) => other.literal.length - one.literal.length);
  for (const template of templates) {
    const match = template.pattern.exec(text);
    const read = match && readSlots(template, match.slice(1));
    if (read) return read;
  }
  return undefined;
}

/** `slots`: the arguments that the example's request mentions. `fixed`: all others, which every call gets. */
function toTemplate(example: ToolExample) {
  const request = normaliseRequest(example.request);
  const fixed: ToolArguments = {};
  const slots: { field: string; isNumber: boolean; at: number; end: number }[] = [];
  for (const [field, value] of Object.entries(example.arguments)) {
    const text =
      typeof value === 'string' || typeof value === 'number' ? normaliseRequest(String(value)) : '';
    const at = text === '' ? -1 : indexOfWholeWord(request, text);
    if (at === -1) fixed[field] = value;
    else slots.push({ field, isNumber: typeof value === 'number', at, end: at + text.length });
  }
  slots.sort((one, other) => one.at - other.at);
  const overlaps = slots.some(({ end }, index) => end > (slots[index + 1]?.at ?? Infinity));
  if (request === '' || overlaps || slots.length > maxSlots) return undefined;

  const literals = [...slots, undefined].map((slot, at) => request.slice(slots[at - 1]?.end ?? 0, slot?.at));
  const literal = literals.join('');
  if (!/\p{L}/u.test(literal)) return undefined;
  const patterns = slots.map(({ isNumber }) => (isNumber ? slotPatterns.number : slotPatterns.words));
  const source = literals.map((text, index) => escapePattern(text) + (patterns[index] ?? '')).join('');
  return { pattern: new RegExp(`^${source}$`, 'iu'), literal, slots, fixed };
}

function readSlots({ slots, fixed }: NonNullable<ReturnType<typeof toTemplate>>, texts: readonly string[]) {
  const last = slots.length - 1;
  const values = slots.map(({ isNumber }, index) => {
    const text = (texts[index] ?? '').trim();
    if (isNumber) return [Number(text.replaceAll(',', '').replace('−', '-'))];
    const items = index === last ? text.split(itemSeparatorPattern()) : [text];
    return items.every(isShortSlotText) && items.length <= maxSlotItems ? items : undefined;
  });
  if (values.some((value) => value === undefined)) return undefined;
  const many = values[last]?.length ?? 1;
  return Array.from({ length: many }, (_, item) => {
    const read = slots.map(({ field }, at) => [field, values[at]?.[at === last ? item : 0]] as const);
    return { ...fixed, ...Object.fromEntries(read) };
  });
}

const itemSeparatorPattern = () => expandPattern(String.raw`\s*{item-joints}\s*`, 'iu');

function isShortSlotText(text: string): boolean {
  return text !== '' && text.split(/\s+/).length <= maxSlotWords && !patternOf('examples.no-name').test(text);
}

function normaliseRequest(request: string): string {
  return request
    .replace(/\s+/g, ' ')
    .replace(/(\d)(?=°?[\p{L}]|°)/gu, '$1 ')
    .replace(/(?<=\d\s?)°(?=\s*[cf]\b)/gi, '')
    .replace(/\s*(?:→|->|=>)\s*/g, ' to ')
    .replace(patternOf('examples.what-is'), 'what is')
    .replace(expandPattern(String.raw`^[\s,，]*(?:{request-openers}[\s,，!！]+)+`, 'i'), '')
    .replace(patternOf('examples.can-you'), '')
    .replace(patternOf('examples.tell-me'), '')
    .replace(expandPattern(String.raw`[\s,，]*{request-closers}?[\s?？.。!！]*$`, 'i'), '')
    .trim();
}

/** Returns -1 if `part` is missing, occurs twice, or is part of a word or number. */
function indexOfWholeWord(text: string, part: string): number {
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
