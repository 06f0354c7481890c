/** Five tabs that share one model, and helpers to send it requests. */
import type { ModelEvent, ReplyRequest } from '../../src/contracts/model';
import { createModelSharing } from '../../src/engines/host/tabs/share-models';
import { ember } from '../../src/ember/spec';
import { countingModel, type CountingOptions, createBrowser } from './tabs';

/** The model that all tabs use. */
export const tabSpec = ember;
export const tabRequest: ReplyRequest = { messages: [], tools: [], toolChoice: 'auto' };
const neverAborts = new AbortController().signal;

/** Loads wait for `whole`, replies that only read ahead for `hasRead`, and other replies of the first tab for `goOn`. */
export function stageTabs({
  words = 30,
  whole = Promise.resolve(),
  goOn = Promise.resolve(),
  hasRead = Promise.resolve(),
}: Partial<CountingOptions> = {}) {
  const browser = createBrowser();
  const log: string[] = [];
  const openIn = (tab: string) =>
    createModelSharing({
      links: browser.linksOf(tab),
      openHere: countingModel(log, tab, {
        words,
        whole,
        hasRead,
        goOn: tab === 'a' ? goOn : Promise.resolve(),
      }),
      keyOf: ({ id }) => id,
    });
  const tabs = ['a', 'b', 'c', 'd', 'e'].map((name) => {
    const open = openIn(name);
    const lost: string[] = [];
    const progress: number[] = [];
    let model = open(tabSpec);
    return {
      name,
      lost,
      progress,
      open,
      get model() {
        return model;
      },
      load: () =>
        model.load(
          tabSpec,
          (step) => progress.push(step.loadedBytes),
          (fault) => lost.push(fault.code),
        ),
      again: () => (model = open(tabSpec)),
    };
  });
  return { browser, log, tabs };
}

/** Returns a promise and the function that resolves it. */
export function createGate() {
  let end = (): void => undefined;
  const promise = new Promise<void>((resolve) => (end = resolve));
  return { promise, end };
}

/** Returns the text of the reply and its last event. */
export async function askTab(
  model: { respond: (request: ReplyRequest, signal: AbortSignal) => AsyncIterable<ModelEvent> },
  signal = neverAborts,
  asked = tabRequest,
) {
  let said = '';
  let end: ModelEvent | undefined;
  for await (const event of model.respond(asked, signal)) {
    if (event.type === 'text-delta') said += event.text;
    end = event;
  }
  return { said, end };
}
