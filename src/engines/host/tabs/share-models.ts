/**
 * Shares one engine among all tabs. The tab with the model's lock owns the engine. If that tab closes or crashes, another tab gets the lock.
 * If it stops answering, another tab steals the lock. Why: docs/decisions/2026-11-26-one-model-for-all-tabs.md.
 */
import type { ModelSpec } from '../../../contracts/model';
import { untilAborted } from '../../../contracts/until-aborted';
import { type Channel, type OnMessage, openChannelPair } from '../../../platform/channels';
import type { Release } from '../../../platform/locks';
import type { HoldLockOptions } from '../../../platform/waiting-locks';
import { requireLoaded } from '../../engine';
import type { RunningModel } from '../running-model';
import {
  pingIntervalMs,
  createGuestModel,
  type GuestModel,
  type GuestOptions,
  isTakeoverDue,
} from './guest-model';
import {
  GuestMessage,
  OwnerMessage,
  isEngineMovedError,
  LobbyMessage,
  createMovedError,
  serveTabs,
  type TabServer,
} from './serve-tabs';

type OpenModel = (spec: ModelSpec) => RunningModel;

export interface TabLocksAndChannels {
  hold: (name: string, options: HoldLockOptions) => Promise<Release>;
  openChannel: (name: string, onMessage: OnMessage) => Channel;
  newId: () => string;
}

export interface SharingOptions {
  links: TabLocksAndChannels;
  openHere: OpenModel;
  /** Returns a key that is equal for specs that can share an engine. Includes Hearth's version. */
  keyOf: (spec: ModelSpec) => string;
}

/** Milliseconds that an engine waits for its first user after a takeover. */
const maxUnusedEngineMs = 10_000;
const doNothing = (): void => undefined;

export function createModelSharing(options: SharingOptions): OpenModel {
  const accessByKey = new Map<string, EngineAccess>();

  function accessFor(spec: ModelSpec): EngineAccess {
    const key = options.keyOf(spec);
    const known = accessByKey.get(key);
    if (known) return known;
    const access = shareEngine(key, spec, options, () => {
      if (accessByKey.get(key) === access) accessByKey.delete(key);
    });
    accessByKey.set(key, access);
    return access;
  }

  return (spec) => {
    const life = new AbortController();
    let guest: GuestModel | undefined;
    const joined = () => {
      life.signal.throwIfAborted();
      return requireLoaded(guest);
    };
    return {
      async load(_spec, onProgress, onLost) {
        for (;;) {
          try {
            guest = await accessFor(spec).join(life.signal);
            await guest.load(onProgress, onLost);
            return;
          } catch (error) {
            life.signal.throwIfAborted();
            if (!isEngineMovedError(error)) throw error;
          }
        }
      },
      measure: async (...asked) => joined().measure(...asked),
      async *respond(...asked) {
        yield* joined().respond(...asked);
      },
      close(reason) {
        if (life.signal.aborted) return;
        life.abort(reason);
        guest?.leave(reason);
      },
    };
  };
}

interface EngineUser {
  id: string;
  /** True if we hold the lock for `id`. As long as we hold the lock, other tabs know that this user of the engine exists. */
  isKnown: boolean;
  isFound: boolean;
  find: (holder: string) => void;
}

type EngineAccess = ReturnType<typeof shareEngine>;

/** Calls `onOver` when nobody in this tab uses the engine, or when it is lost. */
function shareEngine(key: string, spec: ModelSpec, { links, openHere }: SharingOptions, onOver: () => void) {
  const holderId = links.newId();
  const lockName = `engine:${key}`;
  const line = new AbortController();
  let server: TabServer | undefined;
  let isOver = false;
  let endStay = doNothing;
  const users = new Set<EngineUser>();
  const guests = new Map<GuestModel, string>();
  const received = new Set<string>();
  const lobby = links.openChannel(lockName, hear);
  const onStolen = () => server?.end(createMovedError());
  links.hold(lockName, { signal: line.signal, onStolen }).then(begin, doNothing);

  function begin(release: Release): void {
    if (isOver || server) {
      release();
      return;
    }
    const own = serveTabs(spec, openHere(spec), () => {
      server = undefined;
      release();
      close();
    });
    server = own;
    if (users.size === 0) {
      // We took the engine over from a closed tab, but do not use it here. Keep it for a while, so other tabs that used it can connect.
      endStay = own.welcome(() => ({ post: doNothing, close: doNothing }));
      setTimeout(endStay, maxUnusedEngineMs);
    }
    for (const guest of [...guests.keys()]) guest.lose(createMovedError());
    for (const { find } of [...users]) find(holderId);
    lobby.post({ type: 'here', holder: holderId });
  }

  /** Takes over the engine of a silent tab. If several tabs try, they take turns, and each one first checks that the owner is still silent. */
  async function steal(isSilent: () => boolean): Promise<void> {
    const endTurn = await links.hold(`${lockName} is taken`, { signal: line.signal });
    try {
      lobby.post({ type: 'who' });
      await new Promise((resolve) => setTimeout(resolve, pingIntervalMs));
      if (!isSilent() || isOver || server) return;
      begin(await links.hold(lockName, { signal: line.signal, isStealing: true, onStolen }));
    } finally {
      endTurn();
    }
  }

  function hear(untrusted: unknown): void {
    const message = LobbyMessage.parse(untrusted);
    if (server) {
      if (message.type === 'hello') receive(server, message.guest);
      else if (message.type === 'who') lobby.post({ type: 'here', holder: holderId });
    } else if (message.type === 'here') find(message);
  }

  function find(message: Extract<LobbyMessage, { type: 'here' }>): void {
    const { holder, guest } = message;
    for (const user of [...users]) {
      if (user.id === guest) user.find(holder);
      else if (guest === undefined && user.isKnown) lobby.post({ type: 'hello', guest: user.id });
    }
    for (const [one, known] of [...guests]) if (known !== holder) one.lose(createMovedError());
  }

  /** Accepts a guest once, even if it asks again because our answer was lost. */
  function receive(to: TabServer, guestId: string): void {
    if (!received.has(guestId)) {
      received.add(guestId);
      const part = to.welcome((onMessage) =>
        links.openChannel(channelNameOf(holderId, guestId), (data) => onMessage(GuestMessage.parse(data))),
      );
      // Wait without a limit, because the guest holds this lock as long as it lives.
      const { signal } = new AbortController();
      links.hold(guestLockNameOf(guestId), { signal }).then((release) => {
        release();
        part();
      }, doNothing);
    }
    lobby.post({ type: 'here', holder: holderId, guest: guestId });
  }

  function leave(): void {
    if (!server && users.size === 0 && guests.size === 0) close();
  }

  function close(): void {
    if (isOver) return;
    isOver = true;
    line.abort(new Error('Nobody here needs it any more.'));
    lobby.close();
    onOver();
  }

  function attach(holder: string, open: GuestOptions['open'], release: Release): GuestModel {
    const guest = createGuestModel({
      open,
      newId: links.newId,
      onSilence: (isSilent) => void steal(isSilent).catch(doNothing),
      onOver() {
        guests.delete(guest);
        // Release the lock later, so our last message arrives before the owner notices that we left.
        setTimeout(release, pingIntervalMs);
        leave();
      },
    });
    guests.set(guest, holder);
    return guest;
  }

  function attachHere(to: TabServer): GuestModel {
    const open: GuestOptions['open'] = (onMessage) => {
      const { near, open: openFar } = openChannelPair<OwnerMessage, GuestMessage>(onMessage);
      to.welcome(openFar);
      return near;
    };
    const guest = attach(holderId, open, doNothing);
    endStay();
    return guest;
  }

  /** Resolves when an owner is found, or this tab becomes the owner. Rejects with the reason of `signal`. */
  async function join(signal: AbortSignal): Promise<GuestModel> {
    if (server) return attachHere(server);
    const id = links.newId();
    let unanswered = 0;
    let beat: ReturnType<typeof setInterval> | undefined;
    const hello = () => {
      if (isTakeoverDue(unanswered++)) steal(() => !user.isFound && !signal.aborted).catch(doNothing);
      lobby.post({ type: 'hello', guest: id });
    };
    let release: Release = doNothing;
    const user: EngineUser = { id, isKnown: false, isFound: false, find: doNothing };
    const found = new Promise<GuestModel>((resolve) => {
      user.find = (holder) => {
        if (user.isFound) return;
        user.isFound = true;
        const open: GuestOptions['open'] = (onMessage) =>
          links.openChannel(channelNameOf(holder, id), (message) => onMessage(OwnerMessage.parse(message)));
        if (server) release();
        resolve(server ? attachHere(server) : attach(holder, open, release));
      };
    });
    users.add(user);
    try {
      release = await untilAborted(links.hold(guestLockNameOf(id), { signal }), signal);
      if (user.isFound) release();
      else {
        user.isKnown = true;
        hello();
        beat = setInterval(hello, pingIntervalMs);
      }
      return await untilAborted(found, signal);
    } catch (error) {
      release();
      throw error;
    } finally {
      clearInterval(beat);
      users.delete(user);
      leave();
    }
  }

  return { join };
}

const channelNameOf = (holder: string, guest: string) => `engine-talk:${holder}:${guest}`;
const guestLockNameOf = (guest: string) => `engine-guest:${guest}`;
