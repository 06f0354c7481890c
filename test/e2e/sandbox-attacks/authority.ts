/** Attacks on the page's data, on others in the browser, and on later runs. */
import type { Attack } from './attack';

const inWorker: Record<string, string> = {
  'reads the database':
    'const db = await new Promise((r, e) => { const o = indexedDB.open("hearth"); o.onsuccess = () => r(o.result); o.onerror = e; }); return await new Promise((r) => { db.transaction("chats").objectStore("chats").get("secret").onsuccess = (e) => r(e.target.result); })',
  'deletes the database':
    'return await new Promise((r, e) => { const o = indexedDB.deleteDatabase("hearth"); o.onsuccess = () => r("LEAKED"); o.onerror = e; })',
  'lists the databases': 'return "LEAKED" + JSON.stringify(await indexedDB.databases())',
  'reads the caches':
    'const c = await caches.open("hearth"); return await (await c.match((await c.keys())[0])).text()',
  'empties the caches': 'for (const k of await caches.keys()) await caches.delete(k); return "LEAKED"',
  'writes private files':
    'const d = await navigator.storage.getDirectory(); await d.getFileHandle("x", { create: true }); return "LEAKED"',
  'asks for quota': 'return "LEAKED" + JSON.stringify(await navigator.storage.estimate())',
  'steals a lock': 'return await navigator.locks.request("x", { steal: true }, () => "LEAKED")',
  'speaks to the tabs':
    'new BroadcastChannel("hearth").postMessage("LEAKED"); await new Promise((r) => setTimeout(r, 100)); return "LEAKED"',
  'listens to the tabs': 'new BroadcastChannel("hearth").onmessage = () => 0; return "LEAKED"',
  'fetches from its own host':
    'return "LEAKED" + (await (await fetch(new URL("/", location.origin === "null" ? "x" : location.origin))).text()).slice(0, 9)',
  'reads the address of the page': 'return location.origin === "null" ? 0 : "LEAKED" + location.href',
  'names the device': 'return "LEAKED" + navigator.userAgent + navigator.hardwareConcurrency',
  'asks for permissions':
    'return "LEAKED" + (await navigator.permissions.query({ name: "geolocation" })).state',
  'asks for a graphics card':
    'if (navigator.gpu === undefined && typeof OffscreenCanvas === "undefined") throw 0; return "LEAKED"',
  draws: 'return "LEAKED" + new OffscreenCanvas(1, 1).getContext("2d").measureText("x").width',
  'compiles WebAssembly':
    'await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])); return "LEAKED"',
  'shares memory':
    'return new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer && "LEAKED"',
  'keeps time by shared memory':
    'const b = typeof SharedArrayBuffer === "undefined" ? new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer : new SharedArrayBuffer(8); return "LEAKED" + Atomics.load(new Int32Array(b), 0)',
  'opens a channel': 'return "LEAKED" + typeof new MessageChannel().port1.postMessage',
  'makes a blob address': 'return "LEAKED" + URL.createObjectURL(new Blob(["x"]))',
  'catches the messages of others': 'addEventListener("message", () => 0); return "LEAKED"',
  'hears what is sent to it':
    'return typeof EventTarget === "undefined" ? 0 : (EventTarget.prototype.addEventListener.call(globalThis, "message", () => 0), "LEAKED")',
  'ends itself': 'close(); return "LEAKED"',
  'reports an error of its own': 'reportError(new Error("LEAKED")); return "LEAKED"',
  'measures the page': 'return "LEAKED" + performance.timeOrigin',
  'makes trusted types': 'return trustedTypes.createPolicy("x", { createScriptURL: (u) => u }) && "LEAKED"',
  'makes the policy of the sandbox':
    'return trustedTypes.createPolicy("sandbox", { createScriptURL: (u) => u }) && "LEAKED"',
};

const inPage: Record<string, string> = {
  'reads what is kept for the page': 'return localStorage.getItem("secret")',
  'writes what is kept for the page': 'localStorage.setItem("evil", "x"); return "LEAKED"',
  'reads what is kept for the tab': 'return sessionStorage.getItem("secret")',
  'reads a cookie': 'return document.cookie',
  'writes a cookie': 'document.cookie = "evil=1"; return document.cookie.includes("evil") ? "LEAKED" : 0',
  'reads the document': 'return "LEAKED" + document.body.textContent',
  'reads the parent': 'return "LEAKED" + parent.document.body.textContent',
  'changes the document': 'document.getElementById("mark").textContent = "changed"; return "LEAKED"',
  'changes the parent': 'parent.document.getElementById("mark").textContent = "changed"; return "LEAKED"',
  'speaks to the parent': 'parent.postMessage("LEAKED", "*"); return "LEAKED"',
  'speaks to the top': 'top.postMessage("LEAKED", "*"); return "LEAKED"',
  'looks for frames beside it': 'return "LEAKED" + top.frames.length',
  'looks for who opened it': 'return "LEAKED" + String(window.opener)',
  'asks the person': 'window.confirm; return "LEAKED"',
  'opens a window': 'return "LEAKED" + typeof window.open',
  'reads the history': 'return "LEAKED" + history.length',
  'changes the address': 'location.hash = "evil"; return "LEAKED"',
  'reads what was copied': 'return "LEAKED" + typeof navigator.clipboard.readText',
  'takes the whole screen': 'return "LEAKED" + typeof document.documentElement.requestFullscreen',
  'asks where the device is': 'return "LEAKED" + typeof navigator.geolocation.getCurrentPosition',
  'asks for the camera': 'return "LEAKED" + typeof navigator.mediaDevices.getUserMedia',
  'makes a file of the person known': 'return "LEAKED" + showOpenFilePicker.length',
};

/** They attack the page's own things, or need what a worker of another realm lacks, so their twin has nothing to lose. */
const notLive = new Set(['makes the policy of the sandbox', 'shares memory']);

const row =
  (twin: 'worker' | 'page') =>
  ([name, code]: [string, string]): Attack => ({
    name,
    code,
    ...(!notLive.has(name) && { twin }),
  });

export const authorityAttacks: readonly Attack[] = [
  ...Object.entries(inWorker).map(row('worker')),
  ...Object.entries(inPage).map(row('page')),
];

/** Two runs each: what the first leaves behind, and how the second finds it. */
export const stateAttacks: readonly { name: string; first: string; second: string }[] = [
  { name: 'a global', first: 'globalThis.left = "LEAKED"', second: 'return globalThis.left' },
  { name: 'a prototype', first: 'Array.prototype.left = "LEAKED"', second: 'return [].left' },
  {
    name: 'a changed function',
    first: 'JSON.stringify = () => \'"LEAKED"\'; Math.max = () => "LEAKED"',
    second: 'return Math.max(1, 2)',
  },
  {
    name: 'a setter for all',
    first: 'Object.defineProperty(Object.prototype, "left", { get: () => "LEAKED" })',
    second: 'return ({}).left',
  },
  {
    name: 'a promise of its own',
    first: 'Promise.prototype.then = function () { return "LEAKED" }',
    second: 'return await new Promise((r) => setTimeout(r, 1, 1)).then((x) => x)',
  },
  {
    name: "an error's stack",
    first: 'Error.prepareStackTrace = () => "LEAKED"',
    second: 'return new Error("x").stack.includes("LEAKED") ? "LEAKED" : 0',
  },
  {
    name: 'a symbol for all',
    first: 'Symbol.for("left"); globalThis[Symbol.for("left")] = "LEAKED"',
    second: 'return globalThis[Symbol.for("left")]',
  },
  { name: "a pattern's last match", first: '/(LEAKED)/.exec("LEAKED")', second: 'return RegExp.$1' },
  {
    name: 'a changed argument',
    first: 'args.left = "LEAKED"; Object.freeze = (x) => x',
    second: 'return args.left',
  },
  {
    name: 'a timer',
    first: 'setInterval(() => { globalThis.left = "LEAKED" }, 1)',
    second: 'await new Promise((r) => setTimeout(r, 50)); return globalThis.left',
  },
];
