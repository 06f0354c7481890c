/**
 * Models that fail to start: each fault ends in a defined state, a message with a next step, and a usable chat. The GPU is a fake, because no test
 * machine has one.
 */
import { afterEach, describe } from 'vitest';
import { begin, type Case, endsWell, large, small, twin } from './fault-steps';
import { thorough } from '../support/matrix';
import type { Site } from './site';

const folder = process.env['HEARTH_E2E'] ?? 'dist-e2e';

let site: Site | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const garbage = '!'.repeat(64);

describe('faults while a model loads', () => {
  const cases: Case[] = [
    {
      name: 'without enough memory, the same model loads with less context',
      kept: [large],
      script: { [large]: [{ fitsTokens: 5000 }] },
      said: [
        'Qwen 3 4B ran out of memory. It was started again with less room: it reads 4,096 tokens at once now.',
      ],
      answer: `${large} answers.`,
      line: /^Qwen 3 4B · on this GPU · /,
      notice: /it reads 4,096 tokens at once now\.[\s\S]*Try Qwen 3 4B again/,
    },
    {
      name: 'without enough memory for any context, the smaller downloaded model loads',
      kept: [large, small],
      script: { [large]: [{ fitsTokens: 10 }] },
      said: ['Qwen 2.5 0.5B, a smaller model on this device, answers instead.'],
      answer: `${small} answers.`,
      line: /^Qwen 2\.5 0\.5B · in place of Qwen 3 4B · /,
      notice: /smaller model on this device/,
    },
    {
      name: 'after garbage output, the downloaded variant with 32-bit numbers loads',
      kept: [large, twin],
      script: { [large]: [{ test: garbage }] },
      said: ['Qwen 3 4B wrote something that is not text. Its variant with 32-bit numbers answers instead.'],
      answer: `${twin} answers.`,
      line: /^Qwen 3 4B · on this GPU · /,
      notice: /Its variant with 32-bit numbers answers instead/,
    },
    {
      name: 'after garbage output without a downloaded variant, the variant is named and the built-in model answers',
      kept: [large],
      script: { [large]: [{ test: garbage }] },
      said: [
        `Qwen 3 4B wrote something that is not text. Ember, the built-in model, answers instead. Its variant ${twin} may run here: it can be downloaded on the Models page.`,
      ],
      answer: '391',
      line: /^Ember · in place of Qwen 3 4B · on this CPU · /,
      notice: new RegExp(`Its variant ${twin} may run here`),
    },
    {
      name: 'after garbage output from both variants, the smaller model loads',
      kept: [large, twin, small],
      script: { [large]: [{ test: garbage }], [twin]: [{ test: '\uFFFD'.repeat(30) }] },
      said: [
        'Its variant with 32-bit numbers answers instead.',
        'Qwen 2.5 0.5B, a smaller model on this device, answers instead.',
      ],
      answer: `${small} answers.`,
      line: /^Qwen 2\.5 0\.5B · in place of Qwen 3 4B · /,
      notice: /wrote something that is not text/,
    },
    {
      name: 'on a GPU without 16-bit numbers, the variant without them loads',
      kept: [large, twin],
      script: { [large]: [{ load: 'no-f16' }] },
      said: ['Qwen 3 4B does not fit this graphics chip. Its variant with 32-bit numbers answers instead.'],
      answer: `${twin} answers.`,
      line: /^Qwen 3 4B · on this GPU · /,
      notice: /does not fit this graphics chip/,
    },
    {
      name: 'without a GPU, no other GPU model is tried',
      kept: [large, twin, small],
      script: { [large]: [{ load: 'no-gpu' }] },
      said: ['Qwen 3 4B found no graphics chip. Ember, the built-in model, answers instead.'],
      answer: '391',
      line: /^Ember · in place of Qwen 3 4B · on this CPU · /,
      notice: /found no graphics chip/,
    },
    {
      name: 'a load that hangs times out, and is not tried again',
      kept: [large],
      script: { [large]: [{ load: 'silence' }] },
      said: ['Qwen 3 4B stopped responding. Ember, the built-in model, answers instead.'],
      answer: '391',
      line: /^Ember · in place of Qwen 3 4B · on this CPU · /,
      notice: /stopped responding/,
    },
    {
      name: 'if everything fails, the built-in model answers on the processor',
      kept: [large, twin, small],
      script: { [large]: [{ load: 'lost' }], [small]: [{ test: garbage }] },
      said: [
        'Qwen 3 4B ran out of memory. It was started again with less room',
        'Qwen 3 4B ran out of memory. Qwen 2.5 0.5B, a smaller model on this device, answers instead.',
        'Qwen 2.5 0.5B wrote something that is not text. Ember, the built-in model, answers instead.',
      ],
      answer: '391',
      line: /^Ember · in place of Qwen 3 4B · on this CPU · /,
      notice: /Qwen 2\.5 0\.5B wrote something that is not text/,
    },
  ];
  thorough.for(cases)('$name', async (one) => {
    site = await begin(folder, one.kept, one.script);
    await endsWell(site, one);
  });
});
