/** Holds a reply to the letter: to calls that the page has read in the request, or to a text. For a very small model, which copies with slips. */
import type { Constraint, Dictation } from '../contracts/model';
import type { Dialect } from './format';
import { literal } from './schema-grammar';

export function dictate(dictation: Dictation, dialect: Dialect): Constraint {
  const text = 'text' in dictation ? dictation.text : writeCalls(dictation.calls, dialect);
  const grammar = `root ::= ${literal(text)}`;
  return { grammar, structuralTag: { type: 'structural_tag', format: { type: 'grammar', grammar } } };
}

function writeCalls(calls: Extract<Dictation, { calls: unknown }>['calls'], dialect: Dialect): string {
  return calls
    .map(({ name, arguments: given }) => {
      const { before, after } = dialect.frame(name);
      return before + JSON.stringify(given) + after;
    })
    .join('\n');
}
