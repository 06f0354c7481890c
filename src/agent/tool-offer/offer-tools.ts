/**
 * Limits the tools that a model sees in a turn to those that are useful and fit its context. The agent loop passes all tools, including
 * `find_tools`, and runs any call. The list is at the beginning of the prompt, so it is made once per chat and kept; tools that the model finds
 * later are described in the search result. The list is rebuilt only when that beginning changes anyway: for another model, after old messages
 * were dropped or summarised, or when the user switches tools.
 */
import type { Message } from '../../contracts/message';
import type { ChatModel, ModelSpec, ReplyRequest } from '../../contracts/model';
import { findToolsName, foundToolsIn, type ToolOffer, type ToolSpec } from '../../contracts/tool';
import { namedResults, readResultName } from '../../contracts/message-parts';
import { untilAborted } from '../../contracts/until-aborted';
import { type ModelStage, stopped } from '../../contracts/pipeline';
import { makeOffer, type OfferRules, specsOf } from './make-offer';

interface OfferOptions extends OfferRules {
  /** The model that answers at this moment: a fallback may replace it within a turn. */
  spec: () => Pick<ModelSpec, 'id' | 'contextTokens'>;
  /** Whether that model is small and therefore sees few tools. */
  isSmall: () => boolean;
  /** The chat's earlier list. */
  before: ToolOffer | undefined;
  /** Names of tools that are in no list, but may be called. */
  unlisted?: ReadonlySet<string> | undefined;
}

export interface ToolListStage extends ModelStage {
  /** Names of tools in its list or in results within its context. */
  described: (messages: readonly Message[]) => ReadonlySet<string>;
  /** The messages of the last request. Undefined before the first. */
  asked: () => readonly Message[] | undefined;
}

export function toolListStage(options: OfferOptions): ToolListStage {
  let asked: readonly Message[] | undefined;
  let current: { offer: ToolOffer | undefined; modelId: string } | undefined;
  /** The last list that was reported to the turn. */
  let told: { offer: ToolOffer | undefined } | undefined;

  const { unlisted: unshown = none } = options;
  /** The page calls some tools on behalf of a small model, so that model does not see them. */
  const isListable = ({ name, isCalledByPage }: ToolSpec) =>
    !unshown.has(name) && !(isCalledByPage && options.isSmall());

  async function update(
    { messages, tools, summary }: Pick<ReplyRequest, 'messages' | 'tools' | 'summary'>,
    model: ChatModel,
  ) {
    const spec = options.spec();
    // A list of all tools, or one made for this request, stays the same during the turn.
    if (current?.modelId === spec.id && current.offer?.finder !== 'model') return current;
    const offer = await makeOffer(
      {
        ...{ spec, isSmall: options.isSmall(), messages },
        measure: (given, listed) => model.measure(given, listed, given.length > 0 ? summary : undefined),
        tools: tools.filter((tool) => !unlisted.has(tool.name) && isListable(tool)),
        finder: tools.find(({ name }) => name === findToolsName),
        before: current ? current.offer : options.before,
      },
      options,
    );
    current = { offer, modelId: spec.id };
    return current;
  }

  /** The tools that the prompt lists, and those that can be called. */
  function share(
    offer: ToolOffer | undefined,
    tools: readonly ToolSpec[],
    messages: readonly Message[] = [],
  ) {
    const others = tools.filter((tool) => !unlisted.has(tool.name) && isListable(tool));
    // A cut result explains how to read the rest, so accept that call even if the tool is not listed.
    const canReadOn = !options.isSmall() && namedResults(messages).length > 0;
    const readers = canReadOn ? tools.filter(({ name }) => name === readResultName) : [];
    if (!offer || offer.finder === 'page') {
      const listed = offer ? specsOf(offer.listed, others) : others;
      const isCallable = ({ name }: ToolSpec) => unshown.has(name) || options.needed.includes(name);
      const called = tools.filter((tool) => !isListable(tool) && isCallable(tool));
      const more = [...called, ...readers];
      return { listed, callable: more.length > 0 ? [...listed, ...more] : listed };
    }
    const finders = tools.filter(({ name }) => name === findToolsName);
    const listed = [...finders, ...specsOf(offer.listed, others)];
    const silent = tools.filter(({ name }) => unshown.has(name));
    return { listed, callable: [...others, ...silent, ...finders, ...readers] };
  }

  return {
    name: 'tool-list',
    async *wrapStream(request, signal, model) {
      asked = request.messages;
      // Measuring may load the model for minutes, so Stop must end the wait.
      const updated = await untilAborted(update(request, model), signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      if (!updated) {
        yield stopped();
        return;
      }
      const { offer } = updated;
      const isNews = told ? told.offer !== offer : (offer ?? options.before) !== undefined;
      told = { offer };
      if (isNews) yield { type: 'tool-offer', offer };
      const { listed, callable } = share(offer, request.tools, request.messages);
      const names = listed.map(({ name }) => name);
      yield* model.respond(
        { ...request, tools: callable, ...(callable !== listed && { listed: names }) },
        signal,
      );
    },
    async measure(model, messages, tools, summary) {
      // Before the first request of a turn, assume that the list stays the same.
      const { before } = options;
      const known = current ?? (before?.modelId === options.spec().id ? { offer: before } : undefined);
      const { offer } = known ?? (await update({ messages, tools, summary }, model));
      return model.measure(messages, share(offer, tools).listed, summary);
    },
    asked: () => asked,
    described(messages) {
      const { listed = [], droppedMessages = 0 } = current?.offer ?? {};
      const kept = messages.filter(({ role }) => role !== 'system').slice(droppedMessages);
      return new Set([...listed.map(({ name }) => name), ...foundToolsIn(kept)]);
    },
  };
}

/** Tools that the choice ignores: `find_tools` is listed when useful, and cut results mention `read_result`. */
const unlisted: ReadonlySet<string> = new Set([findToolsName, readResultName]);

const none: ReadonlySet<string> = new Set();
