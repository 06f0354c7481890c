/** Runs WebLLM's own pipeline in Node on a fake GPU. Its cache is real, but the text is scripted and its times mean nothing. */
import { dialectOf } from '../../src/protocol/dialects';
import { loadOnFakeGpu } from '../../test/support/load-web-llm';
import { makeTokenizer } from '../../test/support/make-tokenizer';
import { measure, scenarios, type Measured } from './turn';

export const names = scenarios.map(({ name }) => name);

export function measureWebLlm(scenario: number): Promise<Measured> {
  const call = dialectOf('hermes').writeCall({ name: 'writer', arguments: { request: 'Spring.' } });
  const load = () =>
    loadOnFakeGpu(
      Array.from({ length: 8 }, () => call),
      {},
      makeTokenizer(1024),
    );
  return measure(load, scenarios[scenario]?.between ?? []);
}
