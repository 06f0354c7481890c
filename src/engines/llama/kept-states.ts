/** Saves states of llama.cpp's cache, so no text is read twice. Writes only states of the system text to disk, because chats are private. */
import { saveEngineState, openSavedState, toHex } from '../../egress/kept-files';

export interface SavedState {
  tokens: readonly number[];
  state: Uint8Array<ArrayBuffer>;
}

const maxSavedStatesBytes = 128 * 2 ** 20;

export function createStateCache() {
  let all: SavedState[] = [];
  return {
    /** Returns the state that shares the longest start with `tokens`, and the length of that start. */
    find(tokens: readonly number[]) {
      const found = all.map((kept) => ({ kept, shared: countSharedTokens(kept.tokens, tokens) }));
      return found.toSorted((one, other) => other.shared - one.shared)[0];
    },
    /** Saves a state. Deletes states that contain only the beginning of its text and, beyond the size limit, the oldest states. */
    add(kept: SavedState): void {
      const isPart = ({ tokens }: SavedState) => countSharedTokens(tokens, kept.tokens) === tokens.length;
      all = [...all.filter((other) => !isPart(other)), kept];
      const bytes = () => all.reduce((sum, { state }) => sum + state.byteLength, 0);
      while (bytes() > maxSavedStatesBytes) all = all.slice(1);
    },
  };
}

export function countSharedTokens(one: readonly number[], other: readonly number[]): number {
  const differs = one.findIndex((token, index) => token !== other[index]);
  return differs === -1 ? one.length : differs;
}

/** Stores one model's states on the device. `program`: name of the llama.cpp build, because builds may differ in layout. */
export function createStateStorage(modelUrl: string, program: string) {
  const nameOf = async (tokens: readonly number[]) =>
    toHex(await computeDigest(new TextEncoder().encode(`${program} ${tokens.join(' ')}`)));
  return {
    async find(tokens: readonly number[]): Promise<Uint8Array<ArrayBuffer> | undefined> {
      const file = await openSavedState(modelUrl, await nameOf(tokens)).catch(() => undefined);
      if (!file) return undefined;
      const bytes = new Uint8Array(await file.arrayBuffer());
      const state = bytes.subarray(digestBytes);
      const isWhole = toHex(bytes.subarray(0, digestBytes)) === toHex(await computeDigest(state));
      return isWhole ? state : undefined;
    },
    /** Never rejects. Saves nothing if the disk is full. */
    async add({ tokens, state }: SavedState): Promise<void> {
      const file = new Blob([await computeDigest(state), state]);
      await saveEngineState(modelUrl, await nameOf(tokens), file).catch(() => undefined);
    },
  };
}

const digestBytes = 32;

async function computeDigest(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}
