/** Attacks by the language alone: what it exposes, what cannot be interrupted, and what it does with its input. */
import type { Attack } from './attack';

const reaching: Attack[] = [
  {
    name: 'text for a timer by the prototype',
    twin: 'worker',
    code: 'globalThis.u = args.url; for (let p = globalThis; p; p = Object.getPrototypeOf(p)) Object.getOwnPropertyDescriptor(p, "setTimeout")?.value?.call(globalThis, "fetch(u)", 0); await new Promise((r) => setTimeout(r, 300))',
  },
  {
    name: 'the realm by an error of the browser',
    twin: 'worker',
    code: 'try { structuredClone(() => 1) } catch (error) { return "LEAKED" + error.constructor.constructor("return typeof fetch")() }',
  },
  {
    name: 'the realm by a refused module',
    twin: 'worker',
    code: 'try { await import("x:") } catch (error) { return "LEAKED" + error.constructor.constructor("return typeof fetch")() }',
  },
  {
    name: 'the realm by what is iterated',
    twin: 'worker',
    code: 'return "LEAKED" + [].values().map((x) => x).constructor.constructor.constructor("return typeof fetch")()',
  },
  {
    name: 'the label by the source of the host',
    code: 'const text = [host.fetch, host.log, setTimeout, console.log].map((f) => Function.prototype.toString.call(f)).join(); return /\\bl\\d{20}/.test(text) || typeof run !== "undefined" ? "LEAKED" : 1',
  },
  {
    name: 'a host call with a number of its own',
    ends: 'THROWN',
    code: 'Object.prototype.toJSON = function () { return "url" in this ? { id: 99, url: "https://b.example", options: {} } : this }; await host.fetch("https://a.example")',
  },
  {
    name: 'answers caught as they are looked up',
    code: 'const held = []; for (const name of ["get", "set", "delete"]) { const own = Map.prototype[name]; Map.prototype[name] = function (...x) { held.push(this); return own.apply(this, x) } } await host.fetch("https://a.example").catch(() => 0); held.at(-1)?.clear(); return JSON.stringify(held).includes("LEAKED") ? "LEAKED" : 1',
  },
  {
    name: 'a text that is no text',
    code: 'String.prototype.slice = function () { return { toString: () => \'r"LEAKED"\' } }; host.log("x"); return 1',
  },
];

const results: Attack[] = [
  {
    name: 'numbers that grow when they are read',
    ends: 'TOO_LARGE',
    code: 'return Array.from({ length: 13000 }, () => JSON.rawJSON("1e20"))',
  },
  {
    name: 'a list that says it is endless',
    ends: 'BAD_JSON',
    code: 'const a = []; a.length = 2 ** 32 - 1; return a',
  },
  {
    name: 'a trap that says it is a list',
    ends: 'BAD_JSON',
    code: 'return new Proxy([], { get: (a, key) => (key === "length" ? 2 ** 53 - 1 : key === "toJSON" || key === "then" ? undefined : 1) })',
  },
  {
    name: 'a promise in every object',
    ends: 'TIMEOUT',
    twin: 'worker',
    timeMs: 700,
    code: 'Object.defineProperty(Object.prototype, "then", { get() { for (;;); } }); return {}',
  },
  {
    name: 'a finally that waits',
    ends: 'TIMEOUT',
    twin: 'worker',
    timeMs: 700,
    code: 'try { return 1 } finally { await new Promise(() => 0) }',
  },
  {
    name: 'a thing that is never put away',
    ends: 'TIMEOUT',
    twin: 'worker',
    timeMs: 700,
    code: 'await using thing = { async [Symbol.asyncDispose]() { for (;;); } }; return 1',
  },
  {
    name: 'an address that is never text',
    ends: 'TIMEOUT',
    timeMs: 700,
    code: 'await host.fetch({ [Symbol.toPrimitive]() { for (;;); } })',
  },
  {
    name: 'a chain of traps',
    ends: 'THROWN',
    code: 'let p = {}; for (let i = 0; i < 1e6; i++) p = new Proxy(p, {}); return p.x',
  },
  { name: 'a result hard to show', ends: 'ok', code: 'return "\\u202e".repeat(60000)' },
  { name: 'a letter with sixty thousand marks', ends: 'ok', code: 'return "a" + "\\u0301".repeat(60000)' },
  {
    name: 'an error of 256 MB in a timer',
    code: 'setTimeout(() => { throw new Error("x".repeat(2 ** 28)) }); await new Promise(() => 0)',
  },
  {
    name: 'an error with a stack of its own length',
    ends: 'THROWN',
    code: 'Error.stackTraceLimit = Infinity; const f = (n) => { if (n === 0) throw new Error("x"); f(n - 1) }; f(5000)',
  },
  {
    name: 'log lines as long as a message may be',
    ends: 'ok',
    code: 'String.prototype.slice = () => "L".repeat(130000); for (let i = 0; i < 50; i++) host.log("x"); return 1',
  },
];

const bombs: Attack[] = [
  {
    name: 'a stream that is waited for',
    code: 'for await (const x of (async function* () { for (;;) yield 1 })());',
  },
  { name: 'texts made plain', code: 'for (;;) "\\ufb03".repeat(2 ** 24).normalize("NFKD")' },
  { name: 'a sort of the machine', code: 'for (;;) new Float64Array(5e7).map((_, i) => -i).sort()' },
  {
    name: 'copies of copies',
    code: 'const a = Array.from({ length: 1e5 }, (_, i) => ({ i })); for (;;) structuredClone(a)',
  },
  {
    name: 'words cut from a long text',
    code: 'for (;;) [...new Intl.Segmenter("zh", { granularity: "word" }).segment("\u65f6\u95f4".repeat(1e6))].length',
  },
  { name: 'a number written out', code: 'for (;;) (7n ** 3000000n).toString()' },
  { name: 'letters drawn by lot', code: 'for (;;) crypto.getRandomValues(new Uint8Array(65536))' },
].map((attack) => ({ ...attack, ends: 'TIMEOUT', timeMs: 700, twin: 'worker' as const }));

const floods: Attack[] = [
  {
    name: '100,000 hashes',
    ends: 'FLOOD',
    code: 'await Promise.all(Array.from({ length: 1e5 }, () => crypto.subtle.digest("SHA-256", new Uint8Array(8)))); return 1',
  },
  {
    name: 'a hash of bytes that are not there',
    ends: 'THROWN',
    code: 'return await crypto.subtle.digest("SHA-256", { buffer: new ArrayBuffer(8), byteLength: 2 ** 40 })',
  },
  {
    name: 'a hash of 64 MB',
    ends: 'THROWN',
    code: 'return await crypto.subtle.digest("SHA-256", new Uint8Array(64e6))',
  },
  {
    name: 'a hash by the name of something else',
    ends: 'THROWN',
    code: 'return await crypto.subtle.digest("r1 \\"LEAKED\\" x", new Uint8Array(8))',
  },
  {
    name: 'refused modules without end',
    ends: 'TIMEOUT',
    timeMs: 1500,
    code: 'for (let i = 0; ; i++) { import(`x:${i}`).catch(() => 0); if (i % 50 === 0) await new Promise((r) => setTimeout(r)); }',
  },
  {
    name: 'refused modules with names of a megabyte',
    code: 'const x = "x".repeat(1e6); for (let i = 0; i < 100; i++) import(`https://a.example/${i}${x}`).catch(() => 0); return 1',
  },
  {
    name: 'ten thousand timers of text',
    ends: 'ok',
    code: 'let n = 0; for (let p = globalThis; p; p = Object.getPrototypeOf(p)) { const own = Object.getOwnPropertyDescriptor(p, "setTimeout")?.value; for (let i = 0; own && i < 1e4; i++) try { own.call(globalThis, "1") } catch { n++ } } return n',
  },
  {
    name: 'a terabyte kept free',
    code: 'const a = []; for (let i = 0; i < 100; i++) a.push(new ArrayBuffer(8, { maxByteLength: 2 ** 40 })); return a.length',
  },
  {
    name: 'a pattern too great to read',
    code: 'return new RegExp("(?:a{0,999}){0,999}".repeat(999)).test("a".repeat(999))',
    timeMs: 700,
  },
  { name: 'a bracket in a bracket in a bracket', code: `return ${'['.repeat(30_000)}${']'.repeat(30_000)}` },
  {
    name: 'arrows in the defaults of arrows',
    code: `return ${'(a = '.repeat(5_000)}1${') => 1'.repeat(5_000)}`,
    timeMs: 700,
  },
];

export const languageAttacks: readonly Attack[] = [...reaching, ...results, ...bombs, ...floods];
