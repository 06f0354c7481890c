/** Writes the answer of `query_table` as a sentence, so that no model can misread it. */
import type { ToolCall } from '../contracts/message';
import type { PageLanguage } from '../contracts/small-model-policy';
import { isRecord } from '../protocol/tool-index';
import { fillTemplate, phrasesIn } from './phrases';

/** Undefined for a query that lists rows in another way than for the best or worst one. */
export function tellTable({ arguments: query }: ToolCall, text: string, language: PageLanguage) {
  const phrases = phrasesIn(language).table;
  const [head = '', ...lines] = text.split('\n').filter((line) => !/^[[(]/.test(line));
  const [, fitting = '', all = ''] = /^(\d+) of (\d+) rows/.exec(head) ?? [];
  if (all === '') return undefined;
  const where = writeConditions(query['where'], language);
  const of = typeof query['of'] === 'string' ? query['of'] : '';
  if (fitting === '0') return fillTemplate(phrases.none, { where });
  const isCut = text.includes('\n[');
  const said = (template: string, values: Record<string, string>) =>
    fillTemplate(template, { where, of, ...values }) +
    (isCut ? `\n\n${text.slice(text.lastIndexOf('\n[') + 1)}` : '');
  if (query['groupBy'] !== undefined) return toMarkdownTable(lines);
  const { aggregate, sortBy } = query;
  if (aggregate === 'count' && query['of'] === undefined) return said(phrases.rows, { count: fitting, all });
  if (typeof aggregate === 'string' && aggregate in phrases) {
    const value = /: (.*)$/.exec(lines[0] ?? '')?.[1];
    return value === undefined ? undefined : said(phrases[aggregate as 'sum'], { value });
  }
  if (typeof sortBy !== 'string') return undefined;
  const best = readBestRows(lines);
  if (!best) return undefined;
  const labels = best.labels.join(phrases.list);
  const label = best.isMaybeMore ? fillTemplate(phrases.several, { label: labels }) : labels;
  const template = query['descending'] === true ? phrases.best : phrases.worst;
  return said(template, { of: sortBy, label, value: best.value });
}

/** Reads the rows that share the first value. Undefined if there is more than a label and a value in a row. */
function readBestRows(lines: readonly string[]) {
  const rows = lines.slice(1).map(readCsvLine);
  const [first] = rows;
  if (!first || rows.some(({ length }) => length !== 2)) return undefined;
  const best = rows.filter(([, value]) => value === first[1]);
  return {
    labels: best.map(([label = '']) => label),
    value: first[1] ?? '',
    isMaybeMore: best.length === rows.length && rows.length > 1,
  };
}

/** Reads cells, of which some are in quotes. */
function readCsvLine(line: string): string[] {
  return Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain = '']) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  );
}

function toMarkdownTable(lines: readonly string[]): string {
  const rows = lines.map((line) => readCsvLine(line).map((cell) => cell.replaceAll('|', String.raw`\|`)));
  const [head = [], ...body] = rows;
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function writeConditions(where: unknown, language: PageLanguage): string {
  const { where: template, joint, comparisons } = phrasesIn(language).table;
  const conditions = (Array.isArray(where) ? where : []).flatMap((one) => {
    if (!isRecord(one)) return [];
    const is = String(one['is']);
    const comparison = is in comparisons ? comparisons[is as '='] : is;
    const gap = language === 'zh' ? '' : ' ';
    return [one['column'], comparison, one['value'] ?? ''].map(String).join(gap).trim();
  });
  return conditions.length === 0 ? '' : fillTemplate(template, { conditions: conditions.join(joint) });
}
