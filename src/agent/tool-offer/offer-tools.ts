/**
 * Shows a model, in each turn, those of the tools that can be called which it has use and room for. The loop knows nothing of it: it
 * hands over all tools, `find_tools` among them, and runs what is called.
 *
 * The list stands in the beginning of the prompt, so it is made once for a chat and kept: what the model finds later enters through
 * the result of its search. It is made anew only where that beginning changes anyway: for another model, after old messages were
 * dropped or summed up, or when the person switches tools.
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
  /** Whether that is a small model, which sees few tools. */
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
  /** The page calls some tools in a small model's place, so that model does not see them. */
  const isListable = ({ name, isCalledByPage }: ToolSpec) =>
    !unshown.has(name) && !(isCalledByPage && options.isSmall());

  async function update(
    { messages, tools, summary }: Pick<ReplyRequest, 'messages' | 'tools' | 'summary'>,
    model: ChatModel,
  ) {
    const spec = options.spec();
    // A list of all tools, and one made for this request, stay for the turn.
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
    // A cut result tells how to read the rest, so that call is accepted, listed or not.
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
      // Before the first request of a turn, the list will most likely stay.
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

/** Never chosen from: `find_tools` is listed when useful, and cut results mention `read_result`. */
const unlisted: ReadonlySet<string> = new Set([findToolsName, readResultName]);

const none: ReadonlySet<string> = new Set();
