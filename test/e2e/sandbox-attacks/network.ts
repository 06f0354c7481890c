/** Attacks on the network: every interface that sends a request, in a worker and in a window. */
import type { Attack } from './attack';

/** A module that an import would run, which contacts the server too. */
const imported = 'fetch(' + '${JSON.stringify(args.url)}' + ')';

const inWorker: Record<string, string> = {
  fetch: 'await fetch(args.url)',
  'fetch without CORS': 'await fetch(args.url, { mode: "no-cors", keepalive: true })',
  'fetch by another name': 'const { fetch: f } = globalThis; await f(args.url)',
  'fetch of a request':
    'await fetch(new Request(args.url, { method: "POST", body: JSON.stringify(args), mode: "no-cors" }))',
  'fetch as a getter of a prototype':
    'for (let p = globalThis; p; p = Object.getPrototypeOf(p)) { const f = Object.getOwnPropertyDescriptor(p, "fetch"); if (f) await f.value.call(globalThis, args.url); }',
  'a request in the background':
    'const x = new XMLHttpRequest(); x.open("GET", args.url); x.send(); await new Promise((r) => setTimeout(r, 300))',
  'a request that blocks': 'const x = new XMLHttpRequest(); x.open("GET", args.url, false); x.send()',
  'a socket': 'new WebSocket(args.socket); await new Promise((r) => setTimeout(r, 300))',
  'a stream socket': 'await new WebSocketStream(args.socket).opened',
  'an event source': 'new EventSource(args.url); await new Promise((r) => setTimeout(r, 300))',
  'scripts of a server': 'importScripts(args.module)',
  'scripts by another name': 'globalThis["import" + "Scripts"](args.module)',
  'a module': 'await import(args.module)',
  'a module whose address is computed': 'await import([...args.module].join(""))',
  'a module as data': `await import("data:text/javascript," + encodeURIComponent(\`${imported}\`)); await new Promise((r) => setTimeout(r, 300))`,
  'a module as a blob': `await import(URL.createObjectURL(new Blob([\`${imported}\`], { type: "text/javascript" }))); await new Promise((r) => setTimeout(r, 300))`,
  'JSON as a module': 'await import(args.url, { with: { type: "json" } })',
  'a worker in the worker':
    'new Worker(URL.createObjectURL(new Blob([`fetch(${JSON.stringify(args.url)})`]))); await new Promise((r) => setTimeout(r, 500))',
  'a worker of data':
    'new Worker("data:text/javascript," + encodeURIComponent(`fetch(${JSON.stringify(args.url)})`)); await new Promise((r) => setTimeout(r, 500))',
  'a font': 'await new FontFace("x", `url(${args.url})`).load()',
  'a cache': 'await (await caches.open("x")).add(args.url)',
  eval: 'await eval("fetch(args.url)")',
  'eval of the realm': 'globalThis.args = args; await (0, eval)("fetch(args.url)")',
  'a function of text': 'await new Function("u", "return fetch(u)")(args.url)',
  'a function of text by its kind': 'await (async () => {}).constructor("u", "return fetch(u)")(args.url)',
  'a generator of text':
    'await Object.getPrototypeOf(function* () {}).constructor("u", "yield fetch(u)")(args.url).next().value',
  'text for a timer':
    'globalThis.u = args.url; setTimeout("fetch(u)", 0); await new Promise((r) => setTimeout(r, 300))',
  'a sync handler': 'await globalThis.constructor.constructor("u", "return fetch(u)")(args.url)',
  WebTransport: 'await new WebTransport(`https://127.0.0.1:${args.udp}/`).ready',
  'a later request': 'setTimeout(() => fetch(args.url), 200); return 1',
  'a request each time': 'setInterval(() => fetch(args.url), 50); return 1',
  'a request after the end': 'Promise.resolve().then(() => setTimeout(() => fetch(args.url), 100)); return 1',
  'a request when it is thrown away':
    'new FinalizationRegistry(() => fetch(args.url)).register({}, 0); fetch(args.url); return 1',
};

const inPage: Record<string, string> = {
  'a beacon': 'navigator.sendBeacon(args.url, "x")',
  'a picture': 'new Image().src = args.url',
  'a style sheet':
    'const l = document.createElement("link"); l.rel = "stylesheet"; l.href = args.url; document.head.append(l)',
  'a background': 'document.body.style.background = `url(${args.url})`',
  'an import of a style sheet':
    'const s = document.createElement("style"); s.textContent = `@import url(${args.url})`; document.head.append(s)',
  'a prefetch':
    'const l = document.createElement("link"); l.rel = "prefetch"; l.href = args.url; document.head.append(l)',
  'a preload':
    'const l = document.createElement("link"); l.rel = "preload"; l.as = "image"; l.href = args.url; document.head.append(l)',
  'a script': 'const s = document.createElement("script"); s.src = args.module; document.head.append(s)',
  'a frame': 'const f = document.createElement("iframe"); f.src = args.url; document.body.append(f)',
  'an object': 'const o = document.createElement("object"); o.data = args.url; document.body.append(o)',
  'an embedded file': 'const o = document.createElement("embed"); o.src = args.url; document.body.append(o)',
  'a sound': 'const a = new Audio(args.url); a.load()',
  'a film': 'const v = document.createElement("video"); v.src = args.url; document.body.append(v); v.load()',
  'a form':
    'const f = document.createElement("form"); f.action = args.url; document.body.append(f); f.submit()',
  'a drawing': 'document.body.insertAdjacentHTML("beforeend", `<svg><image href="${args.url}"/></svg>`)',
  'a handler in markup':
    'document.body.insertAdjacentHTML("beforeend", `<img src="data:x" onerror="fetch(${JSON.stringify(args.url).replaceAll(\'"\', "&quot;")})">`)',
  'a navigation': 'location.href = args.url',
  'a navigation of the parent': 'parent.location = args.url',
  'a navigation of the top': 'top.location.replace(args.url)',
  'a refresh':
    'const m = document.createElement("meta"); m.httpEquiv = "refresh"; m.content = `0;url=${args.url}`; document.head.append(m)',
  'a click on a link':
    'const a = document.createElement("a"); a.href = args.url; document.body.append(a); a.click()',
  'a ping of a link':
    'const a = document.createElement("a"); a.href = "#"; a.ping = args.url; document.body.append(a); a.click()',
  'a download':
    'const a = document.createElement("a"); a.href = args.url; a.download = "x"; document.body.append(a); a.click()',
  'a service worker': 'await navigator.serviceWorker.register(args.module)',
  'a shared worker':
    'new SharedWorker(URL.createObjectURL(new Blob([`fetch(${JSON.stringify(args.url)})`]))); await new Promise((r) => setTimeout(r, 500))',
  WebRTC:
    'const c = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${args.udp}` }] }); c.createDataChannel("x"); await c.setLocalDescription(await c.createOffer()); await new Promise((r) => setTimeout(r, 800))',
};

/** Some browsers lack these, or do not offer them to a page like the twin. */
const notLive = new Set(['a stream socket', 'WebTransport', 'JSON as a module', 'a service worker']);

const row =
  (twin: 'worker' | 'page') =>
  ([name, code]: [string, string]): Attack => ({
    name,
    code,
    timeMs: 2000,
    ...(!notLive.has(name) && { twin }),
  });

export const networkAttacks: readonly Attack[] = [
  ...Object.entries(inWorker).map(row('worker')),
  ...Object.entries(inPage).map(row('page')),
];
