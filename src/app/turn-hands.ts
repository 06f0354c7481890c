/** The small model as the hands of a larger model: it calls the tools, and the larger model writes the words. */
import type { Message } from '../contracts/message';
import type { ChatModel, ModelSpec } from '../contracts/model';
import type { ModelStage } from '../contracts/pipeline';
import type { HandsTurn, SmallModelPolicy } from '../contracts/small-model-policy';
import type { Tool } from '../contracts/tool';
import { findRequest } from '../agent/offer-tools';
import type { ToolOffers, ToolPreferences } from './tool-offers';
import { createTurnPipeline } from './turn-stages';

export interface Hands {
  spec: ModelSpec;
  model: ChatModel;
  /** Whether the small model calls the tools for this model. */
  isFor: (model: ModelSpec) => Promise<boolean>;
  /** Whether the user wants the small model to call the tools for this model. */
  isWantedFor: (model: ModelSpec) => boolean;
}

export interface HandsStageOptions extends Omit<
  HandsTurn,
  'hands' | 'handsSpec' | 'tools' | 'agents' | 'calls' | 'modelName' | 'canTalk'
> {
  /** The tools that are on, without those that read the chat's files. */
  on: readonly Tool[];
  history: readonly Message[];
  wishes: Pick<ToolPreferences, 'toolSearch'>;
  unlisted: ReadonlySet<string>;
  signal: AbortSignal;
  /** The larger model. */
  voice: ModelSpec;
}

/** A model file with fewer bytes writes a greeting that is often wrong, and knows one language at most. */
const minTalkBytes = 300_000_000;

export async function createHandsStage(
  hands: Hands,
  smallModel: SmallModelPolicy,
  offers: ToolOffers,
  { on, history, wishes, unlisted, signal, voice, ...turn }: HandsStageOptions,
): Promise<ModelStage> {
  const tools = on.filter(({ isForLargerModels }) => !isForLargerModels);
  // The results that go along with a request to an agent are parts of their own, after the request.
  const own = history.map((message) =>
    message.role === 'user' ? { ...message, content: message.content.slice(0, 1) } : message,
  );
  const speaking = { modelName: voice.name, tools, language: turn.language };
  const decision = await smallModel.before({
    ...speaking,
    history: own,
    nearTools: () => offers.near(findRequest(own), tools),
    mayReply: false,
    signal,
  });
  const calls = decision && 'calls' in decision ? decision.calls : undefined;
  const needed = calls?.map(({ name }) => name);
  const list = await offers.forTurn({ on: tools, history, wishes, needed, unlisted, hands: hands.spec });
  return smallModel.handsStage({
    ...turn,
    ...speaking,
    hands: createTurnPipeline(hands.model, { toolList: list.stage }),
    handsSpec: hands.spec,
    canTalk: voice.file.bytes >= minTalkBytes,
    calls,
    agents: on.filter((tool) => tool.effects({}).type === 'agent' && !unlisted.has(tool.name)),
  });
}
