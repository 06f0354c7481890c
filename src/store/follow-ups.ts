/** Keeps the messages that wait. One that is asked goes with the write of its question: `Chats.save`. */
import { liveQuery } from 'dexie';
import { FollowUp } from '../contracts/follow-up';
import { read } from '../contracts/schema';
import type { FollowUpStore } from '../contracts/store';
import type { Database } from './database';
import { attempt, toAppError } from './storage-error';

export class FollowUps implements FollowUpStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  watch(onList: (list: FollowUp[]) => void, onError: (error: Error) => void): () => void {
    const { followUps } = this.#database;
    const subscription = liveQuery((): Promise<unknown[]> => followUps.toArray()).subscribe({
      next: (rows) => onList(readFollowUps(rows)),
      error: (error: unknown) => onError(toAppError(error)),
    });
    return () => subscription.unsubscribe();
  }

  async list(chatId: string): Promise<FollowUp[]> {
    return readFollowUps(await attempt(() => this.#database.followUps.where({ chatId }).toArray()));
  }

  async add(followUp: FollowUp): Promise<void> {
    await attempt(() => this.#database.followUps.put(followUp));
  }

  async change(id: string, changed: Partial<Pick<FollowUp, 'text' | 'place'>>): Promise<void> {
    // Not put: one that another tab has asked or taken away meanwhile does not come back.
    await attempt(() => this.#database.followUps.update(id, changed));
  }

  async remove(id: string): Promise<void> {
    await attempt(() => this.#database.followUps.delete(id));
  }
}

export function inOrder(followUps: readonly FollowUp[]): FollowUp[] {
  return [...followUps].sort((one, other) => one.place - other.place);
}

/** A row that cannot be read stays where it is: nothing writes over it. */
function readFollowUps(rows: readonly unknown[]): FollowUp[] {
  return inOrder(
    rows.flatMap((row) => {
      const followUp = read(FollowUp, row);
      return followUp.ok ? [followUp.value] : [];
    }),
  );
}
