/** The folder of backups on the screen: which it is, how it stands, and what lies in it. */
import type { FolderState } from '../contracts/backup';

/** Those that a person presses reject with nothing: what went wrong is in the state after it. */
export interface FolderFunctions {
  /** Backups are made by themselves from now on: once a visit, when it is known whether all is there that was stored. */
  begin: () => Promise<void>;
  /** Lets the person choose a folder, and makes the first backup there. `passphrase`: '' for none. */
  choose: (passphrase: string) => Promise<void>;
  /** No more backups; those that are there stay. */
  forget: () => Promise<void>;
  /** Asks the browser's leave where that is needed, and makes one now. */
  backUp: () => Promise<void>;
  /** What lies in it. Nothing where it cannot be read now. */
  list: () => Promise<void>;
  /** Undefined where it is gone. */
  open: (name: string) => Promise<File | undefined>;
  setReminding: (isReminding: boolean) => Promise<void>;
}

export class BackupFolder {
  state = $state.raw<FolderState>({ isOffered: false, isEncrypted: false, isReminding: true });
  /** A backup is being made, or looked for. */
  isBusy = $state(false);
  readonly #functions: FolderFunctions;

  constructor(functions: FolderFunctions) {
    this.#functions = functions;
  }

  begin(): Promise<void> {
    return this.#functions.begin();
  }

  choose(passphrase: string): Promise<void> {
    return this.#while(() => this.#functions.choose(passphrase));
  }

  forget(): Promise<void> {
    return this.#while(() => this.#functions.forget());
  }

  backUp(): Promise<void> {
    return this.#while(() => this.#functions.backUp());
  }

  list(): Promise<void> {
    return this.#while(() => this.#functions.list());
  }

  open(name: string): Promise<File | undefined> {
    return this.#functions.open(name);
  }

  setReminding(isReminding: boolean): Promise<void> {
    return this.#functions.setReminding(isReminding);
  }

  /** One thing at a time: what is pressed meanwhile does nothing. */
  async #while(task: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      await task();
    } finally {
      this.isBusy = false;
    }
  }
}
