/**
 * One engine for all tabs: of those that want the same model, the one that holds its lock has it, and the others use it through that one.
 * The lock goes to the next in line when its tab closes or crashes, and is taken from a tab that does not answer.
 * Why: docs/decisions/2026-11-26-one-model-for-all-tabs.md.
 */
import { AppError } from '../../../contracts/app-error';
import type { ModelSpec } from '../../../contracts/model';
import { untilAborted } from '../../../contracts/until-aborted';
import { type Channel, type OnMessage, openPair } from '../../../platform/channels';
import type { Release } from '../../../platform/locks';
import type { HoldOptions } from '../../../platform/waiting-locks';
import type { RunningModel } from '../running-model';
import { beatMs, createGuestModel, type GuestModel, type GuestOptions, isInVain } from './guest-model';
import { FromGuest, FromHolder, isMoved, LobbyMessage, moved } from './messages';
import { serveTabs, type TabServer } from './serve-tabs';

type Open = (spec: ModelSpec) => RunningModel;

export interface TabLinks {
  hold: (name: string, options: HoldOptions) => Promise<Release>;
  openChannel: (name: string, onMessage: OnMessage) => Channel;
  newId: () => string;
}

export interface SharingOptions {
  links: TabLinks;
  /** Opens a life in this tab. */
  openHere: Open;
  /** Of what is the same in every tab that may use it: the version of the app too. */
  keyOf: (spec: ModelSpec) => string;
}

/** Milliseconds for which an engine that was taken over waits for somebody to use it. */
const unusedMs = 10_000;
const nothing = (): void => undefined;

/** Lives of models that may run in another tab. */
export function createSharing(options: SharingOptions): Open {
  const seats = new Map<string, Seat>();

  function seatFor(spec: ModelSpec): Seat {
    const key = options.keyOf(spec);
    const known = seats.get(key);
    if (known) return known;
    const seat = createSeat(key, spec, options, () => {
      if (seats.get(key) === seat) seats.delete(key);
    });
    seats.set(key, seat);
    return seat;
  }

  return (spec) => {
    const life = new AbortController();
    let guest: GuestModel | undefined;
    const joined = () => {
      life.signal.throwIfAborted();
      if (!guest) throw new AppError('engine-crashed', 'No model is loaded.');
      return guest;
    };
    return {
      async load(_spec, onProgress, onLost) {
        for (;;) {
          try {
            guest = await seatFor(spec).join(life.signal);
            await guest.load(onProgress, onLost);
            return;
          } catch (error) {
            life.signal.throwIfAborted();
            if (!isMoved(error)) throw error;
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

interface Seeker {
  id: string;
  /** It holds the lock by which it is known to live. */
  isKnown: boolean;
  isFound: boolean;
  find: (holder: string) => void;
  findHere: () => void;
}

/** A tab's part in one engine. */
interface Seat {
  /** Resolves once it is known who has the engine: this tab, where nobody has. Rejects as `signal` says. */
  join: (signal: AbortSignal) => Promise<GuestModel>;
}

/** `onOver`: nobody in this tab has to do with the engine any more, or it is lost. */
function createSeat(key: string, spec: ModelSpec, options: SharingOptions, onOver: () => void): Seat {
  const { links, openHere } = options;
  const holderId = links.newId();
  const lockName = `engine:${key}`;
  /** In line for the lock, for as long as anybody here has to do with the engine. */
  const line = new AbortController();
  let server: TabServer | undefined;
  let isOver = false;
  /** Lets an engine go that was taken over. */
  let endStay = nothing;
  /** Of this tab: those who look for whoever has it, and those who have found them. */
  const seekers = new Set<Seeker>();
  const guests = new Map<GuestModel, string>();
  /** Of other tabs, in this one's engine. */
  const received = new Set<string>();
  const lobby = links.openChannel(lockName, hear);
  links.hold(lockName, { signal: line.signal, onStolen: stolen }).then(begin, nothing);

  function stolen(): void {
    server?.end(moved());
  }

  /** The lock is this tab's. */
  function begin(release: Release): void {
    if (isOver || server) {
      release();
      return;
    }
    const own = serveTabs(spec, openHere(spec), () => {
      server = undefined;
      release();
      // What is wanted next is another life.
      close();
    });
    server = own;
    if (seekers.size === 0) {
      // It is taken over from a tab that is gone: who used it there comes back for it.
      endStay = own.welcome(() => ({ post: nothing, close: nothing }));
      setTimeout(endStay, unusedMs);
    }
    for (const guest of [...guests.keys()]) guest.lose(moved());
    for (const { findHere } of [...seekers]) findHere();
    lobby.post({ type: 'here', holder: holderId });
  }

  /**
   * Takes the engine from a tab that does not answer. Several may find that out at once, or have missed where it went: they do so one
   * after another, and each asks once more, so that none takes it from the one that has just taken it. `isSilent`: still not answered.
   */
  async function steal(isSilent: () => boolean): Promise<void> {
    const endTurn = await links.hold(`${lockName} is taken`, { signal: line.signal });
    try {
      lobby.post({ type: 'who' });
      await new Promise((resolve) => setTimeout(resolve, beatMs));
      if (!isSilent() || isOver || server) return;
      begin(await links.hold(lockName, { signal: line.signal, isStealing: true, onStolen: stolen }));
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
    for (const seeker of [...seekers]) {
      if (seeker.id === guest) seeker.find(holder);
      else if (guest === undefined && seeker.isKnown) lobby.post({ type: 'hello', guest: seeker.id });
    }
    for (const [one, known] of [...guests]) if (known !== holder) one.lose(moved());
  }

  /** Who asks twice has not heard yet that it was heard. */
  function receive(to: TabServer, guestId: string): void {
    const here = { type: 'here', holder: holderId, guest: guestId } as const;
    if (received.has(guestId)) {
      lobby.post(here);
      return;
    }
    received.add(guestId);
    const part = to.welcome((onMessage) =>
      links.openChannel(talkName(holderId, guestId), (message) => onMessage(FromGuest.parse(message))),
    );
    // It is held for as long as that tab lives.
    const signal = new AbortController().signal;
    links.hold(guestLock(guestId), { signal }).then((release) => {
      release();
      part();
    }, nothing);
    lobby.post(here);
  }

  function leave(): void {
    if (!server && seekers.size === 0 && guests.size === 0) close();
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
      onSilence: (isSilent) => void steal(isSilent).catch(nothing),
      onOver() {
        guests.delete(guest);
        // After what it has said last.
        setTimeout(release, beatMs);
        leave();
      },
    });
    guests.set(guest, holder);
    return guest;
  }

  function attachHere(to: TabServer): GuestModel {
    const open: GuestOptions['open'] = (onMessage) => {
      const { near, open: openFar } = openPair<FromHolder, FromGuest>(onMessage);
      to.welcome(openFar);
      return near;
    };
    const guest = attach(holderId, open, nothing);
    endStay();
    return guest;
  }

  async function join(signal: AbortSignal): Promise<GuestModel> {
    if (server) return attachHere(server);
    const id = links.newId();
    let unanswered = 0;
    let beat: ReturnType<typeof setInterval> | undefined;
    const hello = () => {
      if (isInVain(unanswered++)) steal(() => !seeker.isFound && !signal.aborted).catch(nothing);
      lobby.post({ type: 'hello', guest: id });
    };
    let release: Release = nothing;
    const seeker: Seeker = { id, isKnown: false, isFound: false, find: nothing, findHere: nothing };
    const found = new Promise<GuestModel>((resolve) => {
      seeker.find = (holder) => {
        if (seeker.isFound) return;
        seeker.isFound = true;
        const open: GuestOptions['open'] = (onMessage) =>
          links.openChannel(talkName(holder, id), (message) => onMessage(FromHolder.parse(message)));
        resolve(attach(holder, open, release));
      };
      seeker.findHere = () => {
        if (seeker.isFound || !server) return;
        seeker.isFound = true;
        release();
        resolve(attachHere(server));
      };
    });
    seekers.add(seeker);
    try {
      release = await untilAborted(links.hold(guestLock(id), { signal }), signal);
      if (seeker.isFound) release();
      else {
        seeker.isKnown = true;
        hello();
        beat = setInterval(hello, beatMs);
      }
      return await untilAborted(found, signal);
    } catch (error) {
      release();
      throw error;
    } finally {
      clearInterval(beat);
      seekers.delete(seeker);
      leave();
    }
  }

  return { join };
}

const talkName = (holder: string, guest: string) => `engine-talk:${holder}:${guest}`;
const guestLock = (guest: string) => `engine-guest:${guest}`;
