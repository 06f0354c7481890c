/** A second writer to the store, like another tab, which the tests kill while it writes. */
import type { MessagePosition } from '../../src/contracts/chat';
import { openStore } from '../../src/store/open-store';

let release: (() => void) | undefined;

/** Writes a reply of `word0 word1 …` in checkpoints as fast as possible, and reports each one that is on disk. */
async function write(name: string, place: MessagePosition): Promise<void> {
  const { chats } = await openStore({ name });
  for (let at = 0; ; at++) {
    await chats.checkpoint(place, [{ type: 'text-delta', text: `word${at} ` }]);
    postMessage({ written: at });
  }
}

/** Holds a lock until it is told to release it, or is killed. */
async function hold(lock: string): Promise<void> {
  await navigator.locks.request(lock, async () => {
    postMessage({ held: lock });
    await new Promise<void>((resolve) => (release = resolve));
  });
}

onmessage = ({
  data,
}: MessageEvent<{ write?: [string, MessagePosition]; hold?: string; release?: true }>) => {
  if (data.write) void write(...data.write);
  if (data.hold !== undefined) void hold(data.hold);
  if (data.release) release?.();
};
