/**
 * Turns a plain question about a table into a query, without a model: a count, a sum, an average, the best or worst row, groups. Models read
 * such numbers from the rows and get them wrong. A question that can be read in two ways, or with a word that we do not know how to use, is left
 * to the model.
 */
import { createCellReader, type Table } from './ask-table';
import type { TableQuery } from './table-query';

const maxQuestionCharacters = 200;
/** With more values, a column is a text and not a kind of thing. */
const maxValueCharacters = 60;

/** `title`: the file's name without its ending. `How many orders are there?` counts the rows of `orders.csv`. */
export function readTableQuestion(table: Table, question: string, title: string): TableQuery | undefined {
  if (question.length > maxQuestionCharacters) return undefined;
  const text = normalise(question);
  if (unreadablePattern.test(text) || text.split(/[?？]/).filter((part) => part.trim() !== '').length > 1)
    return undefined;
  const columns = describeColumns(table);
  const { where, rest } = readConditions(text, columns);
  if (!where) return undefined;
  const named = findNamedColumns(rest, columns);
  const query = readAggregate(rest, named, columns, where.length > 0, title);
  if (!query || hasUnreadWords(rest, named, title)) return undefined;
  return { ...(where.length > 0 && { where }), ...query };
}

interface Column {
  name: string;
  isNumeric: boolean;
  /** Different cells by their text in lower case. Empty for numbers. */
  values: ReadonlyMap<string, string>;
  pattern: RegExp;
}

type Condition = NonNullable<TableQuery['where']>[number];

const normalise = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();

function describeColumns({ columns, rows }: Table): Column[] {
  return columns.map((name, at) => {
    const cells = rows.map((row) => row[at] ?? '').filter((cell) => cell.trim() !== '');
    const read = createCellReader(cells);
    const isNumeric = cells.length > 0 && cells.every((cell) => read(cell)?.type === 'number');
    const texts = isNumeric ? [] : cells.filter(({ length }) => length <= maxValueCharacters);
    const values = new Map(texts.map((cell) => [normalise(cell), cell.trim()]));
    return { name, isNumeric, values, pattern: wordPattern(normalise(name), true) };
  });
}

/** Matches the words in a sentence. With `isNoun`, also in the plural or singular. */
function wordPattern(words: string, isNoun: boolean): RegExp {
  const spaced = words.replaceAll(/[_-]+/g, ' ').trim();
  const escaped = spaced.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(' ', '[ _-]');
  if (/\p{Script=Han}/u.test(spaced)) return new RegExp(escaped, 'u');
  const stem = isNoun ? escaped.replace(/(?:(?<=[sxz]|[cs]h)es|(?<=[^su])s)$/, '') : escaped;
  const plural = stem.endsWith('y') ? `${stem.slice(0, -1)}(?:y|ies)` : `${stem}(?:e?s)?`;
  return new RegExp(String.raw`(?<![\p{L}\d])${isNoun ? plural : escaped}(?![\p{L}\d])`, 'u');
}

/** Finds the conditions, and blanks them out. `where` is undefined if one can be read in two ways. */
function readConditions(text: string, columns: readonly Column[]): { where?: Condition[]; rest: string } {
  const where: Condition[] = [];
  let rest = text;
  for (const [is, pattern] of comparisons) {
    for (const match of Array.from(rest.matchAll(pattern))) {
      const numeric = columns.filter(({ isNumeric }) => isNumeric);
      const named = findNamedColumns(rest, numeric);
      const column =
        named.length > 0 ? nearest(named, match.index) : numeric.length === 1 ? numeric[0] : undefined;
      if (!column) return { rest };
      where.push({ column: column.name, is, value: Number(match[1]) });
      rest = blank(rest, match.index, match[0].length);
    }
  }
  const found = columns
    .flatMap((column) => Array.from(column.values, ([value, cell]) => ({ column, value, cell })))
    .filter(({ value }) => value.length > 1 || /\p{Script=Han}/u.test(value))
    .sort((one, other) => other.value.length - one.value.length);
  for (const { column, value, cell } of found) {
    // Building a pattern for each of a hundred thousand cells would take long.
    if (!rest.includes(value)) continue;
    const match = wordPattern(value, false).exec(rest);
    // `Which country` names a column, even if a cell has the same word.
    if (!match || columns.some(({ name }) => normalise(name) === value)) continue;
    const isElsewhere = columns.some((other) => other !== column && other.values.has(value));
    if (isElsewhere || where.some((one) => one.column === column.name)) return { rest };
    where.push({ column: column.name, is: '=', value: cell });
    rest = blank(rest, match.index, match[0].length);
  }
  return { where, rest };
}

const blank = (text: string, at: number, length: number) =>
  text.slice(0, at) + ' '.repeat(length) + text.slice(at + length);

function findNamedColumns(text: string, columns: readonly Column[]): (Column & { at: number })[] {
  const found = columns.flatMap((column) => {
    const match = column.pattern.exec(text);
    return match ? [{ ...column, at: match.index, length: match[0].length }] : [];
  });
  // `unit price` is the column `unit price`, not also `price`.
  return found.filter(
    ({ at, length }) =>
      !found.some(
        (other) => other.length > length && other.at <= at && at + length <= other.at + other.length,
      ),
  );
}

const nearest = <Item extends { at: number }>(items: readonly Item[], at: number) =>
  items.toSorted((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at))[0];

const number = String.raw`(\d+(?:\.\d+)?)`;
const comparisons: readonly (readonly [Condition['is'], RegExp])[] = [
  [
    '>=',
    new RegExp(
      String.raw`\b(?:at least|no less than|not less than) ${number}|(?:至少|不少于)${number}`,
      'gu',
    ),
  ],
  [
    '<=',
    new RegExp(
      String.raw`\b(?:at most|no more than|not more than|up to) ${number}|(?:至多|不超过|最多)${number}`,
      'gu',
    ),
  ],
  [
    '>',
    new RegExp(
      String.raw`\b(?:more than|over|above|greater than|higher than|larger than|bigger than|exceeding) ${number}|(?:超过|大于|高于|多于)${number}`,
      'gu',
    ),
  ],
  [
    '<',
    new RegExp(
      String.raw`\b(?:less than|fewer than|under|below|lower than|smaller than) ${number}|(?:少于|小于|低于|不到)${number}`,
      'gu',
    ),
  ],
];

const patterns = {
  most: /\b(?:most|highest|largest|biggest|greatest|maximum|max|best|top|longest|tallest|oldest|heaviest|priciest|most expensive)\b|最(?:多|高|大|贵|长|好|重|老)/u,
  least:
    /\b(?:least|fewest|lowest|smallest|minimum|min|worst|cheapest|shortest|youngest|lightest|least expensive)\b|最(?:少|低|小|便宜|短|差|轻|年轻)/u,
  sum: /\b(?:total|sum|altogether|in all|add up|combined|overall)\b|总(?:和|数|共|计|额|价|量)?|一共|合计|加起来/u,
  average: /\b(?:average|mean|on average)\b|平均/u,
  median: /\bmedian\b|中位数/u,
  count: /\b(?:how many|number of|count)\b|多少|几[个行条家座种位名]|数量/u,
  group: /\b(?:per|by|for each|in each|of each|for every|each)\b|每个?|按/u,
  which: /\b(?:which|who|what|where)\b|哪|谁|什么/u,
  rows: /\b(?:rows?|entries|entry|lines?|records?|items?)\b|行|条|记录|项/u,
};

/** Words that change the question in a way we do not read. */
const unreadablePattern =
  /\b(?:not|no|never|except|without|other than|excluding|second|third|difference|compare|compared|between|percent(?:age)?|share of|ratio|why|explain|sum (?:it |this |that )?up|summar\w+|about|write|plot|chart|and then|instead|both|or|change|growth|trend)\b|除了|不是|第二|第三|差|百分|比例|为什么|解释|总结|概括|写|画|或|之间|增长/u;

function readAggregate(
  text: string,
  named: readonly (Column & { at: number })[],
  columns: readonly Column[],
  hasCondition: boolean,
  title: string,
): TableQuery | undefined {
  const numeric = columns.filter(({ isNumeric }) => isNumeric);
  const namedNumeric = named.filter(({ isNumeric }) => isNumeric);
  const [only, ...more] = numeric;
  const of = namedNumeric[0] ?? (more.length === 0 ? only : undefined);
  const others = named.filter(({ isNumeric }) => !isNumeric);
  const is = (kind: keyof typeof patterns) => patterns[kind].test(text);
  const kinds = (['most', 'least', 'sum', 'average', 'median'] as const).filter(is);
  if (kinds.length > 1 || namedNumeric.length > 1) return undefined;
  const [kind] = kinds;
  const group = is('group') ? others.find(({ at }) => groupBeforePattern.test(text.slice(0, at))) : undefined;

  if (kind === 'most' || kind === 'least') {
    const meant = namedNumeric[0] ?? findMeantColumn(text, numeric);
    if (!meant || group) return undefined;
    const [label] = others.length > 0 ? others : columns.filter(({ isNumeric }) => !isNumeric);
    const isRow =
      others.length > 0 || (is('which') && namedNumeric.length === 0) || /\bwh(?:ich|o)\b|哪|谁/u.test(text);
    if (!isRow || !label) return { aggregate: kind === 'most' ? 'max' : 'min', of: meant.name };
    return {
      columns: [label.name, meant.name],
      sortBy: meant.name,
      descending: kind === 'most',
      limit: maxTies,
    };
  }
  if (kind !== undefined)
    return of && { aggregate: kind, of: of.name, ...(group && { groupBy: group.name }) };
  if (is('count')) {
    const counted = named.find(({ at }) => countBeforePattern.test(text.slice(0, at)));
    // `How many people live in Norway?` adds up the column `people`.
    if ((counted ?? namedNumeric[0])?.isNumeric)
      return of && { aggregate: 'sum', of: of.name, ...(group && { groupBy: group.name }) };
    const noun = counted ?? others.find((column) => column !== group);
    if (noun && !group) return { aggregate: 'distinct', of: noun.name };
    const isAboutRows = is('rows') || hasCondition || wordPattern(normalise(title), true).test(text);
    if (!isAboutRows && !noun) return undefined;
    return { aggregate: 'count', ...(group && { groupBy: group.name }) };
  }
  const isAmount = /\bhow much\b/u.test(text) || (is('which') && namedNumeric.length === 1);
  // `How much is a flight to Oslo?` does not ask for the people of Oslo.
  const isOfColumn = namedNumeric.length === 1 || (of !== undefined && moneyPattern.test(of.name));
  if (!isAmount || !of || !hasCondition || !isOfColumn) return undefined;
  return { aggregate: 'sum', of: of.name };
}

/** The column that a superlative means if the question names none: `the cheapest` means the price, `the biggest` the only number. */
function findMeantColumn(text: string, numeric: readonly Column[]): Column | undefined {
  const [, names] = meanings.find(([words]) => words.test(text)) ?? [];
  const fitting = names ? numeric.filter(({ name }) => names.test(name)) : numeric;
  const isMeant = names !== undefined || sizePattern.test(text);
  return isMeant && fitting.length === 1 ? fitting[0] : undefined;
}

const meanings: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:cheapest|priciest|(?:most|least) expensive)\b|最(?:贵|便宜)/u, /price|cost|fee|价|费/iu],
  [/\b(?:oldest|youngest)\b|最(?:老|年轻)/u, /\bage\b|年龄/iu],
];
const sizePattern = /\b(?:largest|biggest|smallest|best|worst)\b|最(?:大|小|好|差)/u;
const moneyPattern =
  /amount|price|cost|total|value|spen[dt]|expense|revenue|sales|income|salary|fee|金额|价|费|额|收入|支出|成本/iu;

/** The most rows that we ask for, to see whether several share the best value. */
const maxTies = 5;

const countBeforePattern =
  /(?:\b(?:how many|number of|count of)(?: different)? |(?:多少|几)[个行条家座种位名]?)$/u;
const groupBeforePattern = /(?:\b(?:per|by|for each|in each|of each|for every|each) |每个?|按)$/u;

/** True if the question has a number or word besides those that we read: `How many ferries are in Norway?` asks for something else. */
function hasUnreadWords(text: string, named: readonly Column[], title: string): boolean {
  const read = [
    ...named.map(({ pattern }) => pattern),
    wordPattern(normalise(title), true),
    ...Object.values(patterns),
  ];
  const left = read.reduce((all, { source }) => all.replace(new RegExp(source, 'gu'), ' '), text);
  return /[\p{L}\p{N}]/u.test(left.replace(fillerPattern, ' '));
}

const fillerPattern =
  /\b(?:what['’]?s?|which|who|where|how|many|much|is|are|was|were|be|the|an?|of|in|on|for|at|to|from|by|and|there|here|it|this|that|these|those|table|file|data|list|do|does|did|have|has|had|having|with|live|lives|living|i|we|my|our|me|us|you|tell|give|show|find|get|please|can|could|value|values|column|columns|number|numbers|count|different|spend|spent|pay|paid|cost|costs|earn|earned|sell|sold|buy|bought|make|made)\b|[的了是有在和呢吗啊吧呀请我们个表格里中文件数据一共多少这那花卖买给告诉看]/gu;
