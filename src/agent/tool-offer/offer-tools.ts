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
  /** What answers at this moment: another may take its place within a turn. */
  spec: () => Pick<ModelSpec, 'id' | 'contextTokens'>;
  /** Whether that is a small model, which is shown few tools. */
  isSmall: () => boolean;
  /** What the chat was offered before. */
  before: ToolOffer | undefined;
  /** Names of tools that no list shows, though a call of them is understood. */
  unlisted?: ReadonlySet<string> | undefined;
}

export interface ToolListStage extends ModelStage {
  /** Names of tools that stand in its list, or that a result in its context describes. */
  described: (messages: readonly Message[]) => ReadonlySet<string>;
  /** The conversation as it was last asked with; undefined before. */
  asked: () => readonly Message[] | undefined;
}

/** For one turn. */
export function toolListStage(options: OfferOptions): ToolListStage {
  let asked: readonly Message[] | undefined;
  let current: { offer: ToolOffer | undefined; modelId: string } | undefined;
  /** What the turn was told of last. */
  let told: { offer: ToolOffer | undefined } | undefined;

  const { unlisted: unshown = none } = options;
  /** A very small model is shown none that the page calls in its place. */
  const isListable = ({ name, isCalledByPage }: ToolSpec) =>
    !unshown.has(name) && !(isCalledByPage && options.isSmall());

  async function update(
    { messages, tools, summary }: Pick<ReplyRequest, 'messages' | 'tools' | 'summary'>,
    model: ChatModel,
  ) {
    const spec = options.spec();
    // A list of all tools, and one that the page made for this request, stay for the turn.
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

  /** What the prompt lists, and what can be called. */
  function share(
    offer: ToolOffer | undefined,
    tools: readonly ToolSpec[],
    messages: readonly Message[] = [],
  ) {
    const others = tools.filter((tool) => !unlisted.has(tool.name) && isListable(tool));
    // A result that was cut says by which call the rest is read: from there on that call is understood, listed or not.
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
      // To measure a list the model must be loaded, which may take minutes: Stop is heard meanwhile.
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
      // Before the first request of a turn: most likely the list stays.
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

/** They are no part of what is chosen from: the first is listed where it is of use, the other is told of by the results that it reads. */
const unlisted: ReadonlySet<string> = new Set([findToolsName, readResultName]);

const none: ReadonlySet<string> = new Set();
