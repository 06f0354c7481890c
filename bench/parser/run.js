/**
 * Measures what parsing costs while a reply streams: CPU microseconds per token of four characters, beside `@ai-sdk-tool/parser`, and how the cost
 * grows with length (1 is linear). CPU time gives the same figures on busy machines.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hermesProtocol, qwen3CoderProtocol } from '@ai-sdk-tool/parser';
import { buildReader } from './build-reader.js';

const sizes = [2000, 8000, 32_000];
/** The number of tokens and the CPU seconds to read first, so that the measured code is compiled. */
const warmUp = { tokens: 1000, seconds: 0.3 };
/** CPU seconds. A slower reading is not repeated and gets no longer text, because a peer would take hours. */
const patience = 1;

const prose = 'The quick brown fox jumps over the lazy dog, and then it rests a while near the river bank. ';
const code = 'const total = items.reduce((a, b) => a + b.price * b.qty, 0); // sum\n';
const fill = (text, tokens) => text.repeat(Math.ceil((tokens * 4) / text.length)).slice(0, tokens * 4);
const texts = {
  prose: (tokens) => fill(prose, tokens),
  'prose full of brackets': (tokens) => fill('if a < b then c > d { x } [y] ', tokens),
  'lines that are nearly calls': (tokens) => fill('{"name": 1}\n[x]\nwrite_file is\n', tokens),
  'an argument in JSON': (tokens) =>
    `<tool_call>\n${JSON.stringify({ name: 'write_file', arguments: { path: 'a.js', content: fill(code, tokens) } })}\n</tool_call>`,
  'an argument in tags': (tokens) =>
    `<tool_call>\n<function=write_file>\n<parameter=path>\na.js\n</parameter>\n<parameter=content>\n${fill(code, tokens)}\n</parameter>\n</function>\n</tool_call>`,
  'a bare call in JSON': (tokens) =>
    JSON.stringify({ name: 'write_file', arguments: { path: 'a.js', content: fill(code, tokens) } }),
};

const schema = { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } };
const peerTools = [{ type: 'function', name: 'write_file', inputSchema: schema }];

/** A peer reads a stream of parts. The cost of moving the parts counts as its own. */
async function readWithPeer(protocol, chunks) {
  const parser = protocol.createStreamParser({ tools: peerTools });
  const writer = parser.writable.getWriter();
  const reader = parser.readable.getReader();
  const reading = (async () => {
    while (!(await reader.read()).done);
  })();
  for (const delta of chunks) await writer.write({ type: 'text-delta', id: '1', delta });
  await writer.close();
  await reading;
}

const folder = await mkdtemp(join(tmpdir(), 'parser-'));
const { stream } = await import(pathToFileURL(await buildReader(folder)).href);
const readers = {
  hearth: (chunks) => stream(chunks, [{ name: 'write_file', parameters: schema }]),
  'ai-sdk-tool, hermes': (chunks) => readWithPeer(hermesProtocol(), chunks),
  'ai-sdk-tool, qwen': (chunks) => readWithPeer(qwen3CoderProtocol(), chunks),
};

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

console.log(
  `${''.padEnd(50)}${sizes.map((tokens) => `${tokens} tokens`.padStart(14)).join('')}        growth`,
);
for (const [reader, read] of Object.entries(readers)) {
  for (const [name, write] of Object.entries(texts)) {
    for (let spent = 0; spent < warmUp.seconds;) spent += (await measure(read, write(warmUp.tokens))).seconds;
    const costs = [];
    for (const tokens of sizes) {
      const cost = await measure(read, write(tokens));
      costs.push({ tokens, ...cost });
      if (cost.seconds > patience) break;
    }
    const [first, last] = [costs[0], costs.at(-1)];
    const growth = Math.log(last.seconds / first.seconds) / Math.log(last.tokens / first.tokens);
    const cells = sizes.map((_, index) => costs[index] && `${costs[index].perToken.toFixed(2)} µs`);
    console.log(
      `${reader.padEnd(22)}${name.padEnd(28)}${cells.map((cell) => (cell ?? '–').padStart(14)).join('')}` +
        (costs.length > 1 ? growth.toFixed(2) : '–').padStart(14),
    );
  }
}
await rm(folder, { recursive: true });

/** Returns the fastest of three readings, or the first if it took too long. */
async function measure(read, text) {
  const chunks = text.match(/[\s\S]{1,4}/g);
  let best = Infinity;
  for (let run = 0; run < 3 && (run === 0 || best < patience); run++) {
    const start = cpuSeconds();
    await read(chunks);
    best = Math.min(best, cpuSeconds() - start);
  }
  return { seconds: best, perToken: (best * 1e6) / chunks.length };
}
