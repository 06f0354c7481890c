/** What a body codec is: how a body begins, how its end is found, and what calls it says. */
import type { ToolIndex } from '../tool-index';

/** A call as it was written, before its name and arguments are checked against the offered tools. */
export interface WrittenCall {
  name: string;
  named: Record<string, unknown>;
  /** Arguments without names, to be given the names of the schema in their order. */
  positional?: readonly unknown[];
  /** One text in place of arguments, for a tool that takes one. */
  text?: string;
  /** Each fault that was overlooked, as a phrase for the model. */
  repairs: readonly string[];
  /** Read by a guess: only to be believed when the arguments fit the tool. */
  isGuess?: boolean;
}

/** `more`: what has been written so far does not decide it. */
export type Verdict = 'yes' | 'no' | 'more';

export interface BodyContext {
  tools: ToolIndex;
  /** No mark says that this is a call: only what fits an offered tool is one. */
  isBare: boolean;
  /** A closing mark ended the body, or the reply did after the arguments: brackets may be missing. */
  isClosed: boolean;
}

export interface BodyCodec {
  id: string;
  /** Judges the beginning of a body. */
  begins: (head: string, context: Pick<BodyContext, 'tools' | 'isBare'>) => Verdict;
  /** How the end is found: where brackets close, at a closing mark, at one outside of strings (`block`), or with the line. */
  ends: 'brackets' | 'mark' | 'block' | 'line';
  /** Undefined: not written in this form. Never throws, never makes up arguments. */
  read: (body: string, context: BodyContext) => WrittenCall[] | undefined;
  /** The name, as soon as it stands there, and where the text of the arguments begins. */
  peek?: (head: string) => { name: string; argumentsAt: number } | undefined;
}

/** Turns a pattern for a beginning and one for what could still become it into a verdict. */
export function judge(head: string, whole: RegExp, partial: RegExp): Verdict {
  if (whole.test(head)) return 'yes';
  return partial.test(head) ? 'more' : 'no';
}
