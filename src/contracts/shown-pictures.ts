/** PURE: pictures that go with messages: how large one is kept, and about how much of a model's memory it takes. */
import type { AttachedFile, Message } from './message';

/** Pixels of the longer side, and of all of it: what models see of a larger one they scale down themselves. */
export const mostOfShown = { side: 1568, pixels: 1_150_000 };

/** Shown in one request; older ones are told of in words, so that a long chat is not sent whole again and again. */
export const mostShown = 20;

export function picturesOf(message: Message | undefined): AttachedFile[] {
  const attached = message?.role === 'user' ? (message.attached ?? []) : [];
  return attached.filter((one) => 'fileId' in one).filter(({ kind }) => kind === 'picture');
}

/** Models differ by a factor of ten; of those that say how they count, most take less. */
export function tokensOfPicture({ pixels }: Pick<AttachedFile, 'pixels'>): number {
  const { width, height } = pixels ?? { width: 1024, height: 1024 };
  return Math.ceil((width * height) / 750) + 16;
}
