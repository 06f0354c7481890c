/** Newer interfaces of browsers, older names, and detours. */
import type { Attack } from './attack';

const inWorker: Record<string, string> = {
  'storage in a bucket': 'await navigator.storageBuckets.open("x"); return "LEAKED"',
  'files in the old way': 'return "LEAKED" + webkitRequestFileSystemSync(0, 1).name',
  'the devices on its wires':
    'return "LEAKED" + [...await navigator.usb.getDevices(), ...await navigator.serial.getPorts()].length',
  'what the device is called':
    'return "LEAKED" + JSON.stringify(await navigator.userAgentData.getHighEntropyValues(["model", "platformVersion"]))',
  'how fast its connection is': 'return "LEAKED" + navigator.connection.rtt',
  'what it may show': 'return "LEAKED" + Notification.permission',
  'which films it can read':
    'return "LEAKED" + (await VideoDecoder.isConfigSupported({ codec: "vp8" })).supported',
  'a file read while all waits': 'return new FileReaderSync().readAsText(new Blob(["LEAKED"]))',
  'a picture made of bytes': 'return "LEAKED" + (await createImageBitmap(new ImageData(1, 1))).width',
  'a stream unpacked':
    'return "LEAKED" + (await new Response(new Blob(["x"]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer()).byteLength',
  'memory of WebAssembly': 'return "LEAKED" + new WebAssembly.Memory({ initial: 1 }).grow(100)',
  'a wait on shared memory':
    'return "LEAKED" + Atomics.wait(new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer), 0, 0, 50)',
  'who holds which lock': 'return "LEAKED" + JSON.stringify(await navigator.locks.query())',
  'reports of the browser': 'new ReportingObserver(() => 0).observe(); return "LEAKED"',
  'tasks of its own rank': 'return await scheduler.postTask(() => "LEAKED")',
  'a clock by the signal that stops':
    'AbortSignal.timeout(20).onabort = () => fetch(args.url); await new Promise((r) => setTimeout(r, 300))',
  'its own script, as a module':
    'Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName()); const [own] = new Error().stack; await import(own); return "LEAKED"',
  'a frame drawn': 'return await new Promise((r) => requestAnimationFrame(() => r("LEAKED")))',
  'the key of a media file': 'return "LEAKED" + typeof navigator.mediaCapabilities.decodingInfo',
  'text as a module': 'await import(args.url, { with: { type: "text" } })',
};

const inPage: Record<string, string> = {
  'how much memory is used': 'return "LEAKED" + performance.memory.usedJSHeapSize',
  'a blob address by the old name': 'return "LEAKED" + webkitURL.createObjectURL(new Blob(["x"]))',
  'a request for later': 'fetchLater(args.url, { activateAfter: 0 })',
  'a guess where one goes next':
    'const s = document.createElement("script"); s.type = "speculationrules"; s.textContent = JSON.stringify({ prefetch: [{ source: "list", urls: [args.url], eagerness: "immediate" }] }); document.head.append(s); await new Promise((r) => setTimeout(r, 500))',
  'a module fetched ahead':
    'const l = document.createElement("link"); l.rel = "modulepreload"; l.href = args.module; document.head.append(l)',
  'a map of modules':
    'const s = document.createElement("script"); s.type = "importmap"; s.textContent = JSON.stringify({ imports: { x: args.module } }); document.head.append(s); await import("x")',
  'a frame of its own text':
    'const f = document.createElement("iframe"); f.srcdoc = `<img src="${args.url}">`; document.body.append(f); await new Promise((r) => setTimeout(r, 300))',
  'a picture by its width': 'const i = new Image(); i.srcset = `${args.url} 1x`; document.body.append(i)',
  'a cursor, a list and a mask':
    'document.body.style.cssText = `cursor: url(${args.url}), auto; list-style-image: url(${args.url}); mask-image: url(${args.url})`',
  'a poster of a film':
    'const v = document.createElement("video"); v.poster = args.url; document.body.append(v)',
  'a worklet of sound': 'await new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule(args.module)',
  'a worklet of paint': 'await CSS.paintWorklet.addModule(args.module)',
  'the newer navigation': 'navigation.navigate(args.url); await new Promise((r) => setTimeout(r, 300))',
  'a form in another window':
    'const f = document.createElement("form"); f.action = args.url; f.target = "_blank"; document.body.append(f); f.submit()',
  'cookies in the new way': 'return JSON.stringify(await cookieStore.getAll())',
  'a name that outlives the page': 'window.name = "LEAKED"; return window.name',
  'a sign-in of the browser': 'return "LEAKED" + typeof navigator.credentials.get',
  'the sheet for sharing': 'return "LEAKED" + typeof navigator.locks.request + typeof window.print',
  'a screen that stays awake': 'return "LEAKED" + typeof navigator.wakeLock.request',
  'the keys as they are laid out': 'return "LEAKED" + typeof navigator.keyboard.getLayoutMap',
  'what is watched of its size':
    'new PerformanceObserver(() => 0).observe({ type: "longtask" }); return "LEAKED"',
};

/** A blob without a type is not a module, even for the twin. */
const notLive = new Set(['its own script, as a module']);

const row =
  (twin: 'worker' | 'page') =>
  ([name, code]: [string, string]): Attack => ({
    name,
    code,
    timeMs: 2000,
    ...(!notLive.has(name) && { twin }),
  });

export const interfaceAttacks: readonly Attack[] = [
  ...Object.entries(inWorker).map(row('worker')),
  ...Object.entries(inPage).map(row('page')),
];
