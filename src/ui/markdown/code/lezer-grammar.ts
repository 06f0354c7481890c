import type { Parser } from '@lezer/common';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import type { CodeKind, CodeSpan, Grammar } from './line-grammar';

/** Number of parse steps per slice. A step reads about one token. */
const stepsPerSlice = 40;
const charactersPerSlice = 2000;

const tagsByKind = {
  keyword: [
    tags.keyword,
    tags.operatorKeyword,
    tags.modifier,
    tags.self,
    tags.null,
    tags.bool,
    tags.atom,
    tags.processingInstruction,
  ],
  string: [tags.string, tags.special(tags.string), tags.regexp, tags.escape, tags.character, tags.url],
  number: [tags.number, tags.unit, tags.color],
  comment: [tags.comment, tags.meta, tags.documentMeta],
  name: [
    tags.function(tags.variableName),
    tags.function(tags.propertyName),
    tags.function(tags.definition(tags.variableName)),
    tags.function(tags.definition(tags.propertyName)),
    tags.macroName,
    tags.labelName,
  ],
  type: [tags.typeName, tags.className, tags.namespace, tags.definition(tags.typeName)],
  property: [tags.propertyName, tags.attributeName, tags.definition(tags.propertyName)],
  tag: [tags.tagName],
  heading: [tags.heading],
} satisfies Partial<Record<CodeKind, unknown>>;

const highlighter = tagHighlighter(
  (Object.keys(tagsByKind) as (keyof typeof tagsByKind)[]).flatMap((kind) =>
    tagsByKind[kind].map((tag) => ({ tag, class: kind })),
  ),
);

/** Creates a grammar from a Lezer parser. The tool editor uses the same parser. */
export function createLezerGrammar(parser: Parser): Grammar {
  return function* read(code) {
    const parse = parser.startParse(code);
    let tree = parse.advance();
    for (let steps = 1; !tree; steps++) {
      if (steps % stepsPerSlice === 0) yield [];
      tree = parse.advance();
    }
    for (let from = 0; from < code.length; from += charactersPerSlice) {
      const spans: CodeSpan[] = [];
      // `classes` lists the kinds of a token, separated by spaces. The last one is the most specific.
      const addSpan = (start: number, end: number, classes: string) =>
        void spans.push({ from: start, to: end, kind: classes.split(' ').at(-1) as CodeKind });
      highlightTree(tree, highlighter, addSpan, from, Math.min(code.length, from + charactersPerSlice));
      yield spans;
    }
  };
}
