/** PURE: a question with pictures as a model is given it: shown to one that sees, and told of in words where one is not shown. */
import type { AttachedFile, ImagePart, Message } from '../contracts/message';
import type { PromptMessage } from '../contracts/model';
import { picturesOf, tokensOfPicture } from '../contracts/attachment';
import { startOfLastTurns } from '../contracts/message-parts';
import { neutraliseTokens } from '../text/neutralise';
import type { PromptLanguage } from './format';

/** What there is to show: undefined for a picture that is not kept any more. Missing as a whole for a model that sees none. */
export type PictureOf = (fileId: string) => ImagePart | undefined;

const words: Record<
  PromptLanguage,
  Record<'shown' | 'unseen' | 'gone' | 'left' | 'several', (name: string) => string>
> = {
  en: {
    shown: (name) => `The picture "${name}":`,
    unseen: (name) =>
      `[The user attached the picture "${name}". It cannot be shown to you: you see no pictures. If it matters, say so, and do not guess what is in it.]`,
    gone: (name) =>
      `[The user attached the picture "${name}". It is not shown any more: it was left out, or is not kept. Do not guess what is in it.]`,
    left: (name) => `[The picture "${name}" was shown here. It is left out now, to make room.]`,
    several: (names) => `[The pictures ${names} were shown here. They are left out now, to make room.]`,
  },
  zh: {
    shown: (name) => `图片“${name}”：`,
    unseen: (name) =>
      `[用户附上了图片“${name}”。你看不到图片，无法向你展示。如果它很重要，请说明这一点，不要猜测图片内容。]`,
    gone: (name) => `[用户附上了图片“${name}”。它已被省略或不再保存，因此不再展示。不要猜测图片内容。]`,
    left: (name) => `[此处曾展示图片“${name}”。为腾出空间，现已省略。]`,
    several: (names) => `[此处曾展示图片 ${names}。为腾出空间，现已省略。]`,
  },
};

/** `text` is what was written beside them, as it enters the prompt. */
export function writeQuestion(
  text: string,
  pictures: readonly AttachedFile[],
  pictureOf: PictureOf | undefined,
  language: PromptLanguage,
): PromptMessage {
  const said = words[language];
  const parts = pictures.map((file) => {
    const name = nameOf(file);
    const image = pictureOf?.(file.fileId);
    const label = image ? said.shown(name) : pictureOf ? said.gone(name) : said.unseen(name);
    return { label: { type: 'text' as const, text: label }, image, file };
  });
  const content = [...parts.map(({ label }) => label.text), ...(text === '' ? [] : [text])].join('\n\n');
  const shown = parts.flatMap(({ image, file }) => (image ? [tokensOfPicture(file)] : []));
  if (shown.length === 0) return { role: 'user', content };
  return {
    role: 'user',
    content,
    parts: {
      type: 'question',
      content: [
        ...parts.flatMap(({ label, image }) => (image ? [label, image] : [label])),
        ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ],
      pictureTokens: shown.reduce((sum, tokens) => sum + tokens, 0),
    },
  };
}

/** With a line for the pictures of all turns but the last two. */
export function maskOldPictures(messages: readonly Message[], language: PromptLanguage): Message[] {
  const border = startOfLastTurns(messages);
  const said = words[language];
  return messages.map((message, index) => {
    const pictures = index < border ? picturesOf(message) : [];
    if (message.role !== 'user' || pictures.length === 0) return message;
    const names = pictures.map(nameOf);
    const line =
      names.length === 1
        ? said.left(names[0] ?? '')
        : said.several(names.map((name) => `"${name}"`).join(', '));
    const others = (message.attached ?? []).filter((one) => !pictures.some((picture) => picture === one));
    return { ...message, attached: others, content: [{ type: 'text', text: line }, ...message.content] };
  });
}

/** Whoever made the file chose its name. */
function nameOf({ name }: AttachedFile): string {
  return neutraliseTokens(name.replaceAll(/["\n\r[\]]/g, ' '));
}
