/** Attacks on what runs and transports the code: forged messages, results with traps, floods and bombs. */
import type { Attack } from './attack';

const forgeries: Attack[] = [
  { name: 'posts a result of its own', twin: 'worker', code: 'postMessage(\'"LEAKED"\'); return 1' },
  { name: 'posts as the relay expects it', twin: 'worker', code: 'postMessage(\'r"LEAKED"\'); return 1' },
  {
    name: 'posts by the prototype',
    twin: 'worker',
    code: 'const own = Object.getOwnPropertyDescriptor(globalThis, "postMessage") ?? Object.getOwnPropertyDescriptor(DedicatedWorkerGlobalScope.prototype, "postMessage"); own.value.call(globalThis, \'"LEAKED"\'); return 1',
  },
  {
    name: 'posts what is no text',
    twin: 'worker',
    code: 'postMessage({ evil: ["LEAKED", new ArrayBuffer(8)] }); postMessage("LEAKED"); return 1',
  },
  {
    name: 'posts a port',
    code: 'const { port1, port2 } = new MessageChannel(); postMessage("LEAKED", [port2]); port1.postMessage("LEAKED"); return 1',
    twin: 'worker',
  },
  {
    name: 'changes how results are written',
    twin: 'worker',
    code: 'JSON.stringify = () => \'"LEAKED"\'; return 1',
  },
  {
    name: 'catches the way out as it is called',
    code: 'const found = []; for (const name of ["call", "apply", "bind"]) Function.prototype[name] = function (...x) { found.push(this.name, x); return Reflect.apply(this, x[0], x.slice(1)); }; host.log("x"); await host.fetch("https://a.example"); return found.some((x) => x === "postMessage") ? "LEAKED" : 1',
  },
  {
    name: 'catches the way out as it is awaited',
    code: 'let n = 0; const then = Promise.prototype.then; Promise.prototype.then = function (a, b) { n++; a?.("LEAKED"); return Reflect.apply(then, this, [a, b]); }; await host.fetch("https://a.example"); return 1',
  },
  {
    name: 'catches the way out in a stack',
    code: 'Error.prepareStackTrace = (e, sites) => sites; const sites = new Error().stack; return sites.some((s) => s.getThis?.() !== undefined || (s.getFunction?.() ?? undefined) !== undefined) ? "LEAKED" : 1',
  },
  {
    name: 'asks who called',
    code: 'try { return arguments.callee.caller ? "LEAKED" : 1 } catch { return (function f() { try { return f.caller ? "LEAKED" : 1 } catch { return 1 } })() }',
  },
  {
    name: 'changes the host',
    code: '"use strict"; try { host.fetch = () => 0 } catch { return Object.isFrozen(host) ? 1 : "LEAKED" } return "LEAKED"',
  },
  {
    name: 'finds what was taken away',
    code: 'const left = []; for (let p = globalThis; p && p !== Object.prototype; p = Object.getPrototypeOf(p)) for (const k of Reflect.ownKeys(p)) { const d = Object.getOwnPropertyDescriptor(p, k); if (d.get || d.value !== undefined) left.push(String(k)); } const bad = left.filter((k) => /fetch|XMLHttp|Socket|Event|Worker|import|post|message|navigator|location|caches|indexed|Broadcast|Channel|Blob|File|Response|Request|Stream|WebAssembly|Shared|Atomics|Canvas|Font|trusted|performance|close|constructor|self$|open|scheduler/i.test(k)); return bad.length ? "LEAKED " + bad : 1',
  },
  {
    name: 'answers its own host call',
    code: 'dispatchEvent(new MessageEvent("message", { data: \'{"id":1,"isOk":true,"value":"LEAKED"}\' })); return await host.fetch("https://a.example") === "LEAKED" ? "LEAKED" : 1',
  },
];

const results: Attack[] = [
  {
    name: 'a result of 64 MB',
    twin: 'worker',
    ends: 'TOO_LARGE',
    code: 'return "x".repeat(64e6)',
    timeMs: 30_000,
  },
  {
    name: 'a list of three million',
    twin: 'worker',
    ends: 'TOO_LARGE',
    code: 'return new Array(3e6).fill(1)',
    timeMs: 30_000,
  },
  { name: 'a result just too long', ends: 'TOO_LARGE', code: 'return "x".repeat(65535)' },
  { name: 'a result that escapes to more', ends: 'TOO_LARGE', code: 'return "\\u0000".repeat(20000)' },
  { name: 'a text longer than texts can be', ends: 'THROWN', code: 'return "x".repeat(2 ** 30)' },
  { name: 'a result that is a circle', ends: 'BAD_JSON', code: 'const o = {}; o.o = o; return o' },
  { name: 'a result that is a number too big', ends: 'BAD_JSON', code: 'return 10n ** 30n' },
  { name: 'a result that is a function', ends: 'BAD_JSON', code: 'return () => 1' },
  { name: 'a result that is a symbol', ends: 'BAD_JSON', code: 'return Symbol("x")' },
  {
    name: 'a result that throws when written',
    ends: 'BAD_JSON',
    code: 'return { toJSON() { throw new Error("no") } }',
  },
  { name: 'a result whose reading throws', ends: 'BAD_JSON', code: 'return { get a() { throw 1 } }' },
  {
    name: 'a result that is a trap',
    ends: 'THROWN',
    code: 'return new Proxy({}, { get() { throw 1 }, ownKeys() { throw 1 } })',
  },
  {
    name: 'a result nested without end',
    ends: 'BAD_JSON',
    code: 'let a = []; for (let i = 0; i < 5000; i++) a = [a]; return a',
  },
  {
    name: 'a result that writes brackets itself',
    ends: 'BAD_JSON',
    code: 'return JSON.rawJSON ? JSON.parse("[".repeat(5000) + "]".repeat(5000)) : (() => 1)',
  },
  {
    name: 'a result that writes itself without end',
    ends: 'TIMEOUT',
    twin: 'worker',
    code: 'return { toJSON() { for (;;); } }',
    timeMs: 800,
  },
  {
    name: 'a result for the prototype of all',
    code: 'return JSON.parse(\'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}\')',
  },
  {
    name: 'a promise that never keeps',
    ends: 'TIMEOUT',
    twin: 'worker',
    code: 'await new Promise(() => 0)',
    timeMs: 500,
  },
  {
    name: 'promises all the way down',
    ends: 'TIMEOUT',
    twin: 'worker',
    code: 'const t = { then(r) { r(t) } }; return t',
    timeMs: 800,
  },
  { name: 'an error of 3 MB', ends: 'THROWN', twin: 'worker', code: 'throw new Error("LEAKED".repeat(5e5))' },
  {
    name: 'an error whose stack never ends',
    ends: 'TIMEOUT',
    code: 'const e = new Error("x"); Object.defineProperty(e, "stack", { get() { for (;;); } }); throw e',
    timeMs: 800,
  },
  {
    name: 'an error that throws when read',
    ends: 'THROWN',
    code: 'throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 1 } })',
  },
  { name: 'an error that is nothing', ends: 'THROWN', code: 'throw null' },
  {
    name: 'an error that writes its own line',
    ends: 'THROWN',
    code: 'const e = new Error("x"); e.stack = "at blob:x:99999999:1 ".repeat(1e5); throw e',
  },
  {
    name: 'an error thrown in a trap of the language',
    ends: 'TOO_LARGE',
    code: 'String.prototype.slice = () => "y".repeat(1e7); throw new Error("x")',
  },
];

const floods: Attack[] = [
  {
    name: '200,000 messages',
    twin: 'worker',
    code: 'for (let i = 0; i < 2e5; i++) postMessage("LEAKED"); return 1',
  },
  {
    name: '200,000 log lines',
    ends: 'FLOOD',
    code: 'for (let i = 0; i < 2e5; i++) host.log("x".repeat(100)); return 1',
  },
  {
    name: '200,000 lines of the console',
    ends: 'FLOOD',
    code: 'for (let i = 0; i < 2e5; i++) console.error("x"); return 1',
  },
  {
    name: '100,000 host calls',
    ends: 'FLOOD',
    code: 'await Promise.all(Array.from({ length: 1e5 }, () => host.fetch("https://a.example"))); return 1',
  },
  {
    name: 'host calls one after another',
    ends: 'FLOOD',
    code: 'for (;;) await host.fetch("https://a.example")',
  },
  {
    name: 'log lines that were made long',
    code: 'String.prototype.slice = () => "LEAKED".repeat(1e7); host.log("x"); return 1',
  },
  { name: 'a log line of 64 MB', code: 'host.log("x".repeat(64e6)); return 1', timeMs: 30_000 },
  {
    name: 'a host call of 64 MB',
    code: 'await host.fetch("x".repeat(64e6)).catch(() => 0); return 1',
    timeMs: 30_000,
  },
  { name: 'log lines after the end', code: 'setInterval(() => host.log("LEAKED later"), 1); return 1' },
  {
    name: 'host calls after the end',
    code: 'setTimeout(() => host.fetch("https://later.example"), 20); return 1',
  },
  { name: '100,000 timers', code: 'for (let i = 0; i < 1e5; i++) setInterval(() => 0, 1); return 1' },
  {
    name: '10,000 refused modules',
    timeMs: 30_000,
    code: 'for (let i = 0; i < 1e4; i++) import(`x:${i}`).catch(() => 0); return 1',
  },
  {
    name: '10,000 tries to run text',
    code: 'for (let i = 0; i < 1e4; i++) try { (() => 0).constructor("1")() } catch {} return 1',
  },
  {
    name: 'errors in 10,000 timers',
    ends: 'THROWN',
    code: 'for (let i = 0; i < 1e4; i++) setTimeout(() => { throw new Error("x") }); await new Promise(() => 0)',
  },
  {
    name: 'rejections nobody hears',
    code: 'for (let i = 0; i < 1e4; i++) Promise.reject(new Error("LEAKED")); return 1',
  },
  {
    name: '200 workers that spin',
    code: 'for (let i = 0; i < 200; i++) new Worker(URL.createObjectURL(new Blob(["for(;;);"]))); return "LEAKED"',
    ends: 'THROWN',
  },
];

const bombs: Attack[] = [
  { name: 'a loop', code: 'for (;;);' },
  { name: 'a loop that tries', code: 'for (;;) try { for (;;) null.x } catch {}' },
  { name: 'a loop of promises', code: 'for (;;) await null' },
  {
    name: 'a loop of promises beside it',
    code: '(async () => { for (;;) await null })(); await new Promise((r) => setTimeout(r, 1e6))',
  },
  {
    name: 'a loop of tasks',
    code: 'const f = () => { queueMicrotask(f) }; f(); await new Promise((r) => setTimeout(r, 1e6))',
  },
  { name: 'a pattern that goes back', code: '/^(a+)+$/.test("a".repeat(40) + "b")' },
  {
    name: 'a sort that never ends',
    code: 'new Array(1e6).fill(0).map((_, i) => i).sort(() => { for (;;); })',
  },
  { name: 'a number without end', code: 'let n = 3n; for (;;) n = n * n + 1n' },
  { name: 'a generator without end', code: '[...(function* () { for (;;) yield 0 })()]' },
  {
    name: 'depth without end, again and again',
    code: 'for (;;) { const f = () => f() + 1; try { f() } catch {} }',
  },
  {
    name: 'a trap in every property',
    code: 'const p = new Proxy({}, { ownKeys() { for (;;); } }); Object.keys(p)',
  },
  { name: 'a finally that goes on', code: 'for (;;) { try { continue } finally { continue } }' },
  { name: 'a date formatted for ever', code: 'for (;;) new Intl.DateTimeFormat("en").format(0)' },
].map((attack) => ({ ...attack, ends: 'TIMEOUT', timeMs: 700, twin: 'worker' as const }));

const memory: Attack[] = [
  {
    name: 'memory in buffers',
    code: 'const a = []; for (;;) { const b = new Uint8Array(5e7); b.fill(1); a.push(b); }',
  },
  {
    name: 'memory in texts',
    code: 'const a = []; let s = "xy"; for (;;) { s = s.length > 1e8 ? "xy" : s + s; a.push(s.split("").length > 1e6 ? s : s) }',
  },
  { name: 'memory in objects', code: 'const a = []; for (;;) a.push({ a: [a.length] })' },
  { name: 'memory in a map', code: 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })' },
].map((attack) => ({ ...attack, timeMs: 700 }));

export const engineAttacks: readonly Attack[] = [...forgeries, ...results, ...floods, ...bombs, ...memory];
