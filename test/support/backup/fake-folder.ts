/** Imitates Chromium's folders on disk: written data replaces a file when it is closed. Tests can switch faults on and off. */
export type FolderFault = 'lapsed' | 'denied' | 'gone' | 'full' | 'changed' | 'cut';

export class FakeFolder {
  fault: FolderFault | undefined;
  readonly files = new Map<string, Uint8Array<ArrayBuffer>>();
  readonly kind = 'directory';
  readonly name = 'Backups';

  get handle(): FileSystemDirectoryHandle {
    return this as unknown as FileSystemDirectoryHandle;
  }

  async queryPermission(): Promise<PermissionState> {
    return this.fault === 'lapsed' ? 'prompt' : 'granted';
  }

  async getFileHandle(name: string, { create = false } = {}): Promise<object> {
    this.#check();
    if (!this.files.has(name)) {
      if (!create) throw new DOMException('No such file.', 'NotFoundError');
      this.files.set(name, new Uint8Array());
    }
    return this.#fileHandle(name);
  }

  async *entries(): AsyncGenerator<[string, object]> {
    this.#check();
    for (const name of [...this.files.keys()]) yield await Promise.resolve([name, this.#fileHandle(name)]);
  }

  async removeEntry(name: string): Promise<void> {
    this.#check();
    if (!this.files.delete(name)) throw new DOMException('No such file.', 'NotFoundError');
  }

  #check(): void {
    if (this.fault === 'lapsed' || this.fault === 'denied')
      throw new DOMException('The request is not allowed.', 'NotAllowedError');
    if (this.fault === 'gone') throw new DOMException('A requested folder was not found.', 'NotFoundError');
  }

  #fileHandle(name: string): object {
    return {
      kind: 'file',
      name,
      getFile: async () => {
        this.#check();
        const bytes = this.files.get(name) ?? new Uint8Array();
        if (this.fault === 'cut') return new File([bytes.slice(0, -100)], name);
        return new File(
          [this.fault === 'changed' ? bytes.map((byte, at) => (at === 99 ? ~byte : byte)) : bytes],
          name,
        );
      },
      createWritable: async () => this.#writable(name),
    };
  }

  #writable(name: string): object {
    this.#check();
    const written: Uint8Array<ArrayBuffer>[] = [];
    return {
      write: async (chunk: Uint8Array<ArrayBuffer>) => {
        this.#check();
        if (this.fault === 'full')
          throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
        written.push(chunk);
      },
      close: async () => {
        this.#check();
        this.files.set(name, new Uint8Array(await new Blob(written).arrayBuffer()));
      },
      abort: () => Promise.resolve(),
    };
  }
}
