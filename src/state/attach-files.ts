/** Attaches files to a chat's draft. Kept out of the session, so the shell need not load this code. */
import { type AttachProblem, attachmentLimits, type AttachingFile } from '../contracts/attachment';
import type { AttachedFile } from '../contracts/message';
import type { StoredAttachment } from '../contracts/store';
import type { ChatSession } from './chat-session.svelte';
import { addAttached, detach } from './draft';

export interface AttachmentFunctions {
  take: (file: File, chatId: string) => Promise<AttachedFile | { trouble: AttachProblem }>;
  load: (id: string) => Promise<StoredAttachment | undefined>;
  remove: (id: string) => Promise<void>;
}

type LoadCode = () => Promise<Pick<AttachmentFunctions, 'take' | 'remove'>>;

export function attachFiles(session: ChatSession, files: readonly File[], load: LoadCode): void {
  const room =
    attachmentLimits.files - session.attached.length - session.attaching.filter(isBeingRead).length;
  const named = files.map((file, at) => ({
    file,
    entry: { id: crypto.randomUUID(), name: cleanName(file.name), trouble: findProblem(file, at >= room) },
  }));
  session.attaching = [...session.attaching.filter(isBeingRead), ...named.map(({ entry }) => entry)];
  const readable = named.filter(({ entry }) => entry.trouble === undefined);
  const before = session.whenAttached;
  const work = async () => {
    await before;
    for (const { file, entry } of readable) await attachFile(session, file, entry.id, load);
  };
  session.whenAttached = work();
}

async function attachFile(session: ChatSession, file: File, id: string, load: LoadCode): Promise<void> {
  const trouble = await tryToAttach(session, file, id, load).catch((): AttachProblem => 'damaged');
  const isRestored = trouble !== undefined && isPasted(file);
  if (isRestored) addToDraft(session, await file.text());
  session.attaching = session.attaching.flatMap((one) => {
    if (one.id !== id) return one;
    return trouble === undefined || isRestored ? [] : { ...one, trouble };
  });
}

/** Resolves to the reason for a failure. Undefined if the file was attached, or the user has removed it meanwhile. */
async function tryToAttach(session: ChatSession, file: File, id: string, load: LoadCode) {
  const functions = await load().catch(() => undefined);
  if (!functions) return 'missing';
  const outcome = await functions.take(file, session.id);
  if ('trouble' in outcome) return outcome.trouble;
  const isTakenBack = !session.attaching.some((one) => one.id === id);
  if (isTakenBack) await functions.remove(outcome.fileId);
  else addAttached(session, outcome);
  return undefined;
}

function addToDraft(session: ChatSession, text: string): void {
  session.setDraft([session.draft, text].filter((part) => part !== '').join('\n'));
}

const isBeingRead = ({ trouble }: AttachingFile) => trouble === undefined;

function findProblem({ size }: File, isTooMany: boolean): AttachProblem | undefined {
  if (isTooMany) return 'many';
  return size > attachmentLimits.bytes ? 'large' : undefined;
}

/** Returns a file name without folders, bidirectional marks and invisible characters. At most 120 characters. */
export function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const seen = last.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, '').trim();
  return seen === '' ? 'file' : Array.from(seen).slice(-120).join('');
}

export async function removeFile(session: ChatSession, id: string, functions: AttachmentFunctions) {
  detach(session, id);
  const isSent = session.nodes.some(
    ({ message }) =>
      message.role === 'user' && message.attached?.some((one) => 'fileId' in one && one.fileId === id),
  );
  if (!isSent) await functions.remove(id);
}

const pastedFileNamePattern = /^pasted-(\d+)\.txt$/;

export function isPasted({ name }: Pick<AttachedFile, 'name'>): boolean {
  return pastedFileNamePattern.test(name);
}

/** We attach pasted text as a file if it has at least this many characters or lines. */
const minPastedFileSize = { characters: 2000, lines: 40 };

/** Makes a file from long pasted text. Undefined if the text is short or the draft cannot take more files. */
export function createPastedFile(text: string, { attached, attaching }: ChatSession): File | undefined {
  if (attached.length + attaching.filter(isBeingRead).length >= attachmentLimits.files) return undefined;
  const isLong =
    text.length >= minPastedFileSize.characters ||
    text.split('\n', minPastedFileSize.lines).length >= minPastedFileSize.lines;
  if (!isLong) return undefined;
  const numbers = attached.map((one) =>
    Number(('name' in one && pastedFileNamePattern.exec(one.name)?.[1]) || 0),
  );
  return new File([text], `pasted-${Math.max(0, ...numbers) + 1}.txt`, { type: 'text/plain' });
}

export async function restorePastedText(
  session: ChatSession,
  { fileId }: AttachedFile,
  functions: AttachmentFunctions,
): Promise<void> {
  const kept = await functions.load(fileId);
  if (!kept) return;
  addToDraft(session, kept.text);
  await removeFile(session, fileId, functions);
}
