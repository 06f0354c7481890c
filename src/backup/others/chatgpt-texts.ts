/** PURE: what a message of ChatGPT's export says, in Markdown. Pictures, sounds and files are elsewhere in the export. */
import { z } from '../../contracts/schema';

export const ChatGptContent = z.object({
  content_type: z.string(),
  parts: z.optional(z.array(z.unknown())),
  /** Of code. */
  language: z.nullish(z.string()),
  text: z.nullish(z.string()),
  /** What the person wrote about themselves, how answers are to be, and what ChatGPT remembered: again in each chat. */
  user_profile: z.nullish(z.string()),
  user_instructions: z.nullish(z.string()),
  model_set_context: z.nullish(z.string()),
  thoughts: z.optional(
    z.array(z.looseObject({ summary: z.nullish(z.string()), content: z.nullish(z.string()) })),
  ),
});
type Content = z.infer<typeof ChatGptContent>;

/** What stands in the text for a source, and the link that the page shows there; none where it shows nothing. */
export const ChatGptReference = z.looseObject({
  matched_text: z.nullish(z.string()),
  alt: z.nullish(z.string()),
});
type Reference = z.infer<typeof ChatGptReference>;

/** A document that stands beside the chat: what the tool that writes it was given, as JSON. */
const Document = z.object({
  name: z.optional(z.string()),
  type: z.optional(z.string()),
  content: z.string(),
});
/** It is written anew as a whole. */
const Rewriting = z.object({
  updates: z.array(z.object({ pattern: z.literal('.*'), replacement: z.string() })),
});

export interface Said {
  text: string;
  /** Parts that no text stands for. */
  leftOut: number;
}

/** Undefined for content of a kind that is no text. */
export function saidIn(content: Content, references: readonly Reference[]): Said | undefined {
  const { content_type: type, text } = content;
  if (type === 'code') return { text: text?.trim() ? fenced(text, content.language) : '', leftOut: 0 };
  if (type !== 'text' && type !== 'multimodal_text') return undefined;
  const parts = (content.parts ?? []).filter((part) => part !== null);
  const texts = parts.flatMap((part) => textOf(part) ?? []);
  return { text: withLinks(texts.join('\n'), references).trim(), leftOut: parts.length - texts.length };
}

/** Instructions and memories that stand in a chat. */
export function toldIn({ user_profile, user_instructions, model_set_context }: Content): string[] {
  return [user_profile, user_instructions, model_set_context].flatMap((told) => told?.trim() || []);
}

/** What the model thought before it said something. */
export function thoughtsIn({ thoughts = [] }: Content): string {
  return thoughts
    .map(({ summary, content }) => [summary && `**${summary}**`, content].filter(Boolean).join('\n\n'))
    .join('\n\n')
    .trim();
}

/** The document that a call of the canvas writes; undefined for other changes of it. */
export function documentIn({ parts = [], text }: Content): string | undefined {
  const given = text ?? parts.find((part) => typeof part === 'string');
  const json = given === undefined ? undefined : parsed(given);
  const whole = Document.safeParse(json);
  if (whole.success) {
    const { name, type = 'document', content } = whole.data;
    const body = type.startsWith('code/') ? fenced(content, type.slice('code/'.length)) : content;
    return name === undefined ? body : `**${name}**\n\n${body}`;
  }
  const again = Rewriting.safeParse(json);
  return again.success ? again.data.updates.at(-1)?.replacement : undefined;
}

/** Of one that was spoken, the words that were heard. */
function textOf(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  const isWords =
    typeof part === 'object' &&
    part !== null &&
    'content_type' in part &&
    part.content_type === 'audio_transcription' &&
    'text' in part &&
    typeof part.text === 'string';
  return isWords ? (part.text as string) : undefined;
}

/** Marks of private use stand around what the page draws as something else: a source as its link, a place or a person as its name. */
function withLinks(text: string, references: readonly Reference[]): string {
  let linked = text;
  for (const { matched_text: mark, alt } of references)
    if (mark && mark.trim() !== '') linked = linked.replaceAll(mark, () => alt ?? '');
  return linked
    .replace(/\ue200entity\ue202\[[^,\]]*, *"([^"\ue201]*)"[^\ue201]*\ue201/g, '$1')
    .replace(/ ?\ue200[^\ue201]*\ue201/g, '');
}

function fenced(code: string, language: string | null | undefined): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language && language !== 'unknown' ? language : ''}\n${code}\n${fence}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
