/**
 * Follows the Prompt API's specification (https://webmachinelearning.github.io/prompt-api, draft of June 2026) and that of the APIs whose
 * steps it shares: availability, downloads that need a click, sessions, context usage, aborts and rejections. We had no real one to compare
 * it with. It is one function without imports, so that a page can run it as an init script.
 *
 * Its model repeats the last message word by word. At the word "hang" it waits until the request is aborted. A test can choose its replies.
 */

export interface FakeOptions {
  availability?: 'unavailable' | 'downloadable' | 'downloading' | 'available';
  /** Maximum tokens of a session. */
  contextWindow?: number;
  /** Available languages. Default: all. */
  languages?: string[];
  canSee?: boolean;
  /** Only uses the names of the first browsers: `inputQuota`, `inputUsage`, `measureInputUsage`. */
  hasOldNames?: boolean;
  /** Downloads start without a click, because Node has none. */
  needsNoPress?: boolean;
}

export interface FakeMessage {
  role: string;
  /** For a message in parts: their text, and for each picture its type and bytes in brackets. */
  content: string;
  prefix?: boolean;
}

export interface SeenPrompt {
  /** Number of the `create` call that opened the session. */
  session: number;
  /** What the session already contained. */
  held: FakeMessage[];
  input: FakeMessage[];
  responseConstraint?: Record<string, unknown> | undefined;
  omitResponseConstraintInput?: boolean | undefined;
}

export interface FakePromptApi {
  creates: {
    initialPrompts: FakeMessage[];
    samplingMode: string | undefined;
    languages: string[] | undefined;
    isDestroyed: boolean;
  }[];
  prompts: SeenPrompt[];
  /** Adds replies in this order: a text, or the name of an error. */
  say: (...replies: (string | { error: string; message?: string; after?: string })[]) => void;
  /** Sets the progress of the running download, from 0 to 1, where 1 ends it. Returns false if nobody follows a download. */
  progress: (share: number) => boolean;
  failDownload: () => boolean;
  /** Loses every open session, as if the browser's service had crashed. */
  loseSessions: () => void;
  setAvailability: (availability: NonNullable<FakeOptions['availability']>) => void;
}

export function installPromptApi(options: FakeOptions): FakePromptApi {
  const { contextWindow = 1024, hasOldNames = false } = options;
  let availability = options.availability ?? 'available';
  const creates: FakePromptApi['creates'] = [];
  const prompts: SeenPrompt[] = [];
  const script: (string | { error: string; message?: string; after?: string })[] = [];
  let sessions: { lose: () => void }[] = [];
  let download: { progress: (share: number) => void; fail: () => void } | undefined;

  const refusal = (name: string, message: string) => new DOMException(message, name);
  class QuotaError extends DOMException {
    readonly requested: number;
    readonly quota: number;
    constructor(requested: number, quota: number) {
      super('The input is too large.', 'QuotaExceededError');
      this.requested = requested;
      this.quota = quota;
    }
  }
  const tokensOf = (all: FakeMessage[]) =>
    all.reduce((sum, { content }) => sum + 3 + Math.ceil(content.length / 4), 0);

  type Part = { type: string; value: unknown };
  function writeParts({ role, content }: { role: string; content: string | Part[] }): string {
    if (!Array.isArray(content)) return content;
    const write = ({ type, value }: Part) => {
      if (type === 'text' && typeof value === 'string') return value;
      if (type !== 'image' || !(value instanceof Blob)) throw new TypeError(`"${type}" is no such part.`);
      if (!options.canSee || role !== 'user') throw refusal('NotSupportedError', 'No image was expected.');
      return `[${value.type} ${value.size}]`;
    };
    return content.map(write).join('\n');
  }

  /** Implements "Validate and canonicalize a prompt" of the specification. */
  function check(input: unknown, hasAppended: boolean): FakeMessage[] {
    if (typeof input === 'string') return [{ role: 'user', content: input }];
    if (!Array.isArray(input)) throw new TypeError('The input is neither a string nor a sequence.');
    const messages = (input as FakeMessage[]).map((one) => ({ ...one, content: writeParts(one) }));
    let isFirst = !hasAppended;
    for (const [at, { role, content, prefix }] of messages.entries()) {
      if (!['system', 'user', 'assistant'].includes(role)) throw new TypeError(`"${role}" is no role.`);
      if (typeof content !== 'string') throw new TypeError('The content is no string.');
      if (prefix && (role !== 'assistant' || at !== messages.length - 1))
        throw refusal('SyntaxError', 'A prefix must be the last message, of the assistant.');
      if (role === 'system' && !isFirst) throw new TypeError('A system prompt must be the first message.');
      isFirst = false;
    }
    return messages.map(({ role, content }) => ({ role, content }));
  }

  type Expected = { type?: string; languages?: string[] };
  type Core = { expectedInputs?: Expected[]; expectedOutputs?: Expected[] };
  function availabilityOf({ expectedInputs = [], expectedOutputs = [] }: Core) {
    const asked = [...expectedInputs, ...expectedOutputs].flatMap(({ languages = [] }) => languages);
    const has = (language: string) => options.languages?.includes(language) ?? true;
    const isFit = options.canSee || expectedInputs.every(({ type }) => type !== 'image');
    return isFit && asked.every(has) ? availability : 'unavailable';
  }

  const modes = ['most-predictable', 'predictable', 'balanced', 'creative', 'most-creative'];
  type Create = Core & {
    signal?: AbortSignal;
    monitor?: (monitor: EventTarget) => void;
    initialPrompts?: unknown;
    samplingMode?: string;
  };

  class Session extends EventTarget {
    static availability(given: Core = {}) {
      return Promise.resolve(availabilityOf(given));
    }

    static async create(given: Create = {}): Promise<Session> {
      const { signal, monitor, initialPrompts, samplingMode } = given;
      if (samplingMode !== undefined && !modes.includes(samplingMode))
        throw new TypeError(`"${samplingMode}" is no sampling mode.`);
      const initial = initialPrompts === undefined ? [] : check(initialPrompts, false);
      signal?.throwIfAborted();
      const target = new EventTarget();
      monitor?.(target);
      const fire = (loaded: number) => {
        if (signal?.aborted) return;
        const fields = { loaded, total: 1, lengthComputable: true };
        target.dispatchEvent(Object.assign(new Event('downloadprogress'), fields));
      };
      const state = availabilityOf(given);
      if (state === 'unavailable') throw refusal('NotSupportedError', 'The options are not supported.');
      if (state === 'downloadable' || state === 'downloading') await bring(state, fire, signal);
      else [0, 1].forEach(fire);
      if (tokensOf(initial) > contextWindow) throw new QuotaError(tokensOf(initial), contextWindow);
      signal?.throwIfAborted();
      return new Session(initial, given);
    }

    readonly #number = creates.length;
    readonly #initial: FakeMessage[];
    #held: FakeMessage[];
    #usage: number;
    #isLost = false;
    readonly #life = new AbortController();

    constructor(initial: FakeMessage[], { signal, samplingMode, expectedOutputs }: Create) {
      super();
      this.#initial = initial;
      this.#held = [...initial];
      this.#usage = tokensOf(initial);
      const languages = expectedOutputs?.flatMap((one) => one.languages ?? []);
      creates.push({ initialPrompts: initial, samplingMode, languages, isDestroyed: false });
      sessions.push({ lose: () => (this.#isLost = true) });
      signal?.addEventListener('abort', () => this.#end(signal.reason));
      const names = hasOldNames
        ? (['inputQuota', 'inputUsage', 'measureInputUsage'] as const)
        : (['contextWindow', 'contextUsage', 'measureContextUsage'] as const);
      Object.defineProperties(this, {
        [names[0]]: { get: () => contextWindow },
        [names[1]]: { get: () => this.#usage },
        [names[2]]: {
          value: (input: unknown) =>
            this.#life.signal.aborted
              ? Promise.reject(this.#life.signal.reason as Error)
              : Promise.resolve(tokensOf(check(input, false))),
        },
      });
    }

    destroy() {
      this.#end(refusal('AbortError', 'The session was destroyed.'));
    }

    #end(reason: unknown) {
      creates[this.#number]!.isDestroyed = true;
      this.#life.abort(reason);
    }

    promptStreaming(
      input: unknown,
      given: {
        signal?: AbortSignal;
        responseConstraint?: Record<string, unknown>;
        omitResponseConstraintInput?: boolean;
      } = {},
    ): ReadableStream<string> {
      if (this.#isLost) throw refusal('InvalidStateError', 'The model execution session has been destroyed.');
      const { signal, responseConstraint, omitResponseConstraintInput } = given;
      if (omitResponseConstraintInput && !responseConstraint)
        throw new TypeError('omitResponseConstraintInput without responseConstraint.');
      const both = AbortSignal.any([this.#life.signal, ...(signal ? [signal] : [])]);
      both.throwIfAborted();
      let isLeft = false;
      return new ReadableStream<string>({
        start: (controller) => {
          both.addEventListener('abort', () => controller.error(both.reason));
          this.#answer(
            input,
            { responseConstraint, omitResponseConstraintInput },
            { controller, isOver: () => both.aborted || isLeft },
          ).catch((error: unknown) => {
            if (!both.aborted) controller.error(error);
          });
        },
        cancel() {
          isLeft = true;
        },
      });
    }

    async #answer(
      input: unknown,
      held: Pick<SeenPrompt, 'responseConstraint' | 'omitResponseConstraintInput'>,
      { controller, isOver }: { controller: ReadableStreamDefaultController<string>; isOver: () => boolean },
    ) {
      const messages = check(input, this.#usage > 0);
      const seen = { session: this.#number, held: [...this.#held], input: input as FakeMessage[] };
      prompts.push({ ...seen, ...structuredClone(held) });
      this.#makeRoom(tokensOf(messages));
      this.#usage += tokensOf(messages);
      this.#held.push(...messages);
      await turn();
      const reply = script.shift() ?? defaultReply(messages, held.responseConstraint);
      const text = typeof reply === 'string' ? reply : (reply.after ?? '');
      let said = '';
      for (const piece of text.match(/\s*\S+|\s+$/g) ?? []) {
        await turn();
        if (isOver()) return;
        if (piece.trim() === 'hang') return;
        said += piece;
        this.#usage += 1;
        controller.enqueue(piece);
      }
      await turn();
      if (isOver()) return;
      if (typeof reply !== 'string') throw refusal(reply.error, reply.message ?? 'The model said no.');
      this.#held.push({ role: 'assistant', content: said });
      controller.close();
    }

    /** Drops the oldest messages, except the initial ones. */
    #makeRoom(tokens: number) {
      if (tokensOf(this.#initial) + tokens > contextWindow)
        throw new QuotaError(this.#usage + tokens, contextWindow);
      while (this.#usage + tokens > contextWindow && this.#held.length > this.#initial.length) {
        const gone = this.#held.splice(this.#initial.length, 2);
        this.#usage -= tokensOf(gone);
        this.dispatchEvent(new Event('contextoverflow'));
      }
    }
  }

  async function bring(
    state: 'downloadable' | 'downloading',
    fire: (loaded: number) => void,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (state === 'downloadable' && !options.needsNoPress) {
      if (!navigator.userActivation.isActive)
        throw refusal('NotAllowedError', 'Requires a user gesture when availability is "downloadable".');
    }
    availability = 'downloading';
    fire(0);
    await new Promise<void>((resolve, reject) => {
      // After an abort, the browser continues the download by itself.
      signal?.addEventListener('abort', () => {
        download = undefined;
        reject(signal.reason as Error);
      });
      download = {
        progress(share) {
          fire(share);
          if (share < 1) return;
          availability = 'available';
          resolve();
        },
        fail() {
          availability = 'downloadable';
          reject(refusal('NetworkError', 'The download failed.'));
        },
      };
    });
  }

  /** Lets other tasks run first. */
  function turn(): Promise<void> {
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(0);
    });
  }

  /** Repeats the last message. With a response schema, returns JSON whose texts are that message. */
  function defaultReply(messages: FakeMessage[], form?: Record<string, unknown>): string {
    const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    return form ? JSON.stringify(valueOf(form, asked)) : asked;
  }

  function valueOf(form: Record<string, unknown>, text: string): unknown {
    if ('const' in form) return form['const'];
    if (Array.isArray(form['anyOf'])) return valueOf(form['anyOf'][0] as Record<string, unknown>, text);
    if (form['type'] === 'object') {
      const fields = Object.entries((form['properties'] ?? {}) as Record<string, Record<string, unknown>>);
      return Object.fromEntries(fields.map(([name, inner]) => [name, valueOf(inner, text)]));
    }
    return form['type'] === 'number' || form['type'] === 'integer' ? 1 : text;
  }

  const fake: FakePromptApi = {
    creates,
    prompts,
    say: (...replies) => void script.push(...replies),
    progress(share) {
      download?.progress(share);
      return download !== undefined;
    },
    failDownload() {
      download?.fail();
      return download !== undefined;
    },
    loseSessions() {
      for (const { lose } of sessions) lose();
      sessions = [];
    },
    setAvailability: (now) => void (availability = now),
  };
  Object.assign(globalThis, { LanguageModel: Session, fakePromptApi: fake });
  return fake;
}
