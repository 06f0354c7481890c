/** A turn that is run once more from some point of it on: what is known of how it went. */
import type { Message } from './message';
import type { ToolOffer } from './tool-offer';

export interface TurnReplay {
  /** So many messages at the end of the history are taken from the record, as they were or changed: the turn goes on after them. */
  taken: number;
  /** Of them, how many the page had written before it asked a model. */
  beforeModel: number;
  /** The turn as it was, from its first reply on. */
  recorded: readonly Message[];
  /** What sub-agents had said and done in it. */
  byAgents: readonly Message[];
  /** What its model had been shown; undefined where that was all tools that were on. */
  toolOffer: ToolOffer | undefined;
  /** A sub-agent that goes on from some point of its own turn: the call that asks it, which is not answered yet. */
  agent?: { callId: string; replay: TurnReplay } | undefined;
}
