/** What a chat is handed to run its turns and to write them down. */
import type { MessageNode } from '../contracts/chat';
import type { ChatSettings } from '../contracts/chat-logic';
import type { AgentEvent, TurnReplay } from '../contracts/turn';
import type { Message } from '../contracts/message';
import type { Usage } from '../contracts/model';
import type { ChatStore, DraftStore } from '../contracts/store';
import type { ToolOffer } from '../contracts/tool';

/** Handed in by `src/app`; state knows neither engine nor store. */
export interface RecorderFunctions {
  /** Runs one turn after `history`. */
  run: (
    history: readonly Message[],
    options: ChatSettings & {
      chatId: string;
      /** What the model was shown in the turns before. */
      toolOffer: ToolOffer | undefined;
      /** The messages of `history`, as they are kept. */
      branch: readonly MessageNode[];
      /** How far the sub-agent of a call had come; undefined where it had not begun. */
      agentHistory: (callId: string) => readonly Message[] | undefined;
      /** Missing where no turn is run once more. */
      replay?: TurnReplay | undefined;
      signal: AbortSignal;
      /** Whether the turn is to end after the results of a round: something waits to be asked next. */
      isSteered: () => boolean;
      /** When it was sent, by `now`. */
      askedAt: number;
    },
  ) => AsyncGenerator<AgentEvent, Message[]>;
  /** The model that is loaded, for the record of its replies. */
  currentModel: () => { id: string; engine: string };
  chats: Pick<
    ChatStore,
    | 'create'
    | 'update'
    | 'retitle'
    | 'load'
    | 'loadBefore'
    | 'binFrom'
    | 'restoreFrom'
    | 'save'
    | 'checkpoint'
    | 'mark'
  >;
  drafts: Pick<DraftStore, 'save'>;
  onUsage: (usage: Usage) => void;
  /** Held while a turn of the chat runs, in any tab; `undefined` if another tab holds it. */
  lockTurn: (chatId: string) => Promise<(() => void) | undefined>;
  newId: () => string;
  /** Milliseconds, from any start. */
  now: () => number;
  /** Milliseconds since the epoch. */
  date: () => number;
}
