/**
 * A DOM as Markdown for a model: headings, lists, tables, quotes and code, but neither emphasis nor addresses, which
 * cost a small model more than they tell it.
 */
import Turndown from 'turndown';
import { type PageElement, type PageNode, runTurndown } from './page-dom';

const turndown = new Turndown({
  headingStyle: 'atx',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  hr: '---',
});
// Nobody renders it: a backslash before each bracket would only be noise.
turndown.escape = (text) => text;
turndown.addRule('words', {
  filter: ['a', 'em', 'i', 'strong', 'b'],
  replacement: (content) => content,
});
turndown.addRule('cell', {
  filter: ['th', 'td'],
  replacement: (content) => ` ${content.replace(/\s+/g, ' ').replaceAll('|', '/').trim()} |`,
});
turndown.addRule('row', {
  filter: 'tr',
  replacement: (content, node) => {
    const { childNodes } = node as unknown as PageNode;
    const cells = Array.from(childNodes).filter(({ nodeName }) => /^T[HD]$/.test(nodeName));
    const isHead = cells.length > 0 && cells.every(({ nodeName }) => nodeName === 'TH');
    return `|${content.replaceAll('\n', '')}\n${isHead ? `|${' --- |'.repeat(cells.length)}\n` : ''}`;
  },
});
turndown.addRule('rows', {
  filter: ['thead', 'tbody', 'tfoot'],
  replacement: (content) => content,
});
turndown.addRule('table', {
  filter: 'table',
  replacement: (content) => `\n\n${content.trim()}\n\n`,
});

export function writeMarkdown(element: PageElement): string {
  return runTurndown(turndown, element)
    .replace(/[ \t]+$/gm, '')
    .replace(/^(\s*(?:-|\d+\.)) {2,}/gm, '$1 ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
