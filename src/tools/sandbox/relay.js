/** The only script of the sandbox frame: starts, limits and terminates a worker for each run. The user's code never runs here. */
'use strict';

/**
 * Runs in the worker before the user's code: removes every global that is not part of the language and keeps the only
 * message channel. It is sent as text, so it cannot refer to anything outside.
 *
 * Messages are a letter and a text: `s` started, `l` log line, `h` host call, `d` hash request, `r` result as JSON,
 * `b` result is not JSON, `e` exception, `z` result too long, `f` too many lines or calls.
 */
function run(scope, argsText, limits, code) {
  const { parse, stringify } = JSON;
  // Bind `post` now: the user's code could replace Function.prototype.call and intercept later calls.
  const post = scope.postMessage.bind(scope);
  const waiting = new Map();
  let room = limits.logs + limits.hostCalls + limits.digests + 5;
  let lines = 0;
  let calls = 0;
  let asked = 0;

  /** Limits size and number of messages, even if the user's code replaces built-ins. */
  const send = (letter, text) => {
    const message = letter + text;
    if (room-- > 0) post(message.length > limits.messageCharacters ? 'z' : message);
  };

  scope.addEventListener('message', ({ data }) => {
    const { id, isOk, value } = parse(data);
    const [resolve, reject] = waiting.get(id);
    waiting.delete(id);
    if (!isOk) return reject(new Error(value));
    if (value && typeof value.text === 'string') value.json = () => parse(value.text);
    resolve(value);
  });

  // Without this, the browser writes each rejection to the console on the frame's thread.
  scope.addEventListener('unhandledrejection', (event) => event.preventDefault());

  const kept = new Set(
    (
      'globalThis isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent ' +
      'encodeURI encodeURIComponent escape unescape Object Boolean Symbol Number BigInt Math Date String ' +
      'RegExp Array Map Set WeakMap WeakSet WeakRef FinalizationRegistry ArrayBuffer DataView Int8Array Uint8Array ' +
      'Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array Float16Array ' +
      'Float32Array Float64Array JSON Promise Proxy Reflect Iterator Intl Temporal Error AggregateError EvalError ' +
      'RangeError ReferenceError SyntaxError TypeError URIError SuppressedError DisposableStack ' +
      'AsyncDisposableStack URL URLSearchParams TextEncoder TextDecoder atob btoa structuredClone queueMicrotask ' +
      'clearTimeout clearInterval crypto'
    ).split(' '),
  );
  const timers = { setTimeout: scope.setTimeout, setInterval: scope.setInterval };
  for (let holder = scope; holder !== Object.prototype; holder = Object.getPrototypeOf(holder)) {
    for (const key of Reflect.ownKeys(holder)) {
      if (kept.has(key) || Reflect.deleteProperty(holder, key)) continue;
      Reflect.defineProperty(holder, key, { value: undefined });
    }
  }
  delete URL.createObjectURL;
  delete URL.revokeObjectURL;
  // The CSP blocks eval but reports each attempt to the frame's thread. Remove the function constructors to prevent a flood of reports.
  for (const make of [function () {}, function* () {}, async () => {}, async function* () {}]) {
    delete Object.getPrototypeOf(make).constructor;
  }
  for (const name of Object.keys(timers)) {
    const start = timers[name];
    scope[name] = (task, ...rest) => {
      if (typeof task !== 'function') throw new TypeError(`${name} takes a function`);
      return start(task, ...rest);
    };
  }

  const write = (value) => {
    try {
      if (typeof value === 'string') return value;
      return value instanceof Error ? String(value) : (stringify(value) ?? String(value));
    } catch {
      return 'a value that cannot be written';
    }
  };
  const log = (...values) => {
    lines++;
    // Drop lines over the limit. Ten times the limit ends the run.
    if (lines === limits.logs * 10) send('f', '');
    else if (lines <= limits.logs) send('l', values.map(write).join(' ').slice(0, limits.lineCharacters));
  };
  const ask = (letter, id, text) =>
    new Promise((resolve, reject) => {
      waiting.set(id, [resolve, reject]);
      send(letter, text);
    });
  const host = Object.freeze({
    log,
    fetch: async (url, options) => {
      const id = ++asked;
      const text = stringify({ id, url: String(url), options });
      if (text.length > limits.callCharacters) throw new Error('The request is too long; send less');
      return ++calls > limits.hostCalls ? send('f', '') : ask('h', id, text);
    },
  });
  // A worker of an opaque origin has no crypto.subtle, so the frame computes hashes. We send each byte as one character.
  const digest = async (algorithm, data) => {
    const bytes = new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength);
    if (bytes.length > limits.outputCharacters) throw new Error('Too much to hash at once');
    let letters = '';
    for (const byte of bytes) letters += String.fromCharCode(byte);
    const id = ++asked;
    const hash = await ask('d', id, `${id} ${algorithm.name ?? algorithm} ${letters}`);
    return Uint8Array.from(hash, (letter) => letter.charCodeAt(0)).buffer;
  };
  if (!crypto.subtle) Object.defineProperty(crypto, 'subtle', { value: Object.freeze({ digest }) });
  scope.console = Object.freeze({ log, info: log, debug: log, warn: log, error: log });

  const describe = (error) => {
    let stack = '';
    try {
      stack = String(error.stack).slice(0, 4000);
    } catch {
      // The thrown value has no stack, or its getter throws.
    }
    return stringify({ message: write(error).slice(0, 2000), stack });
  };

  send('s', '');
  if (limits.isCheck) return send('r', 'null');
  (async () => {
    let result;
    try {
      result = await code(parse(argsText), host);
    } catch (error) {
      return send('e', describe(error));
    }
    let text;
    try {
      text = result === undefined ? 'null' : stringify(result);
    } catch (error) {
      return send('b', write(error).slice(0, 2000));
    }
    if (text === undefined) send('b', `a ${typeof result}`);
    else if (text.length > limits.outputCharacters) send('z', text.length);
    else send('r', text);
  })();
}

const policy = self.trustedTypes?.createPolicy('sandbox', { createScriptURL: (url) => url });

/** Handles one request at a time over `port`. Replies as above, or with `t` (timeout), `x` (syntax error), `p` (protocol error). */
function serve(port) {
  let worker;

  function start({ code, args, limits }) {
    let isRunning = false;
    let isOver = false;
    const counts = { l: 0, h: 0, d: 0 };
    const most = { l: limits.logs, h: limits.hostCalls, d: limits.digests };

    // Put an unguessable label around the user's code. If the code closes a bracket that it did not open, our `break` is outside its label.
    // The whole script then fails to parse before any of it runs.
    const label = `l${crypto.getRandomValues(new Uint32Array(4)).join('')}`;
    const begin = `"use strict";(${run})(this,${JSON.stringify(args)},${JSON.stringify(limits)},async function(args,host){"use strict";${label}:{\n`;
    const url = URL.createObjectURL(new Blob([begin, code, `\nbreak ${label}}})`]));
    const own = (worker = new Worker(policy ? policy.createScriptURL(url) : url));

    const end = (letter, text) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      own.terminate();
      URL.revokeObjectURL(url);
      port.postMessage(letter + text);
    };
    const timer = setTimeout(end, limits.timeMs, 't', '');

    const digest = async (text) => {
      const [id, algorithm] = text.split(' ', 2);
      const bytes = Uint8Array.from(text.slice(id.length + algorithm.length + 2), (one) => one.charCodeAt(0));
      let reply;
      try {
        const hash = new Uint8Array(await crypto.subtle.digest(algorithm, bytes));
        reply = { isOk: true, value: String.fromCharCode(...hash) };
      } catch (error) {
        reply = { isOk: false, value: `No hash: ${error.message}` };
      }
      own.postMessage(JSON.stringify({ id: Number(id), ...reply }));
    };

    own.onmessage = ({ data }) => {
      if (isOver) return;
      if (typeof data !== 'string') return end('p', '');
      if (data.length > limits.messageCharacters) return end('z', '');
      const letter = data[0];
      if (letter === 's') isRunning = true;
      else if (++counts[letter] > most[letter]) end('f', '');
      // Cut the line again: the user's code may have replaced `slice` in the worker.
      else if (letter === 'l') port.postMessage(data.slice(0, limits.lineCharacters + 1));
      else if (letter === 'h') port.postMessage(data);
      else if (letter === 'd') void digest(data.slice(1));
      else if ('rbezf'.includes(letter)) end(letter, data.slice(1));
      else end('p', '');
    };
    own.onmessageerror = () => end('p', '');
    own.onerror = (event) => {
      event.preventDefault();
      const message = String(event.message).replaceAll(label, '#end').slice(0, 2000);
      end(isRunning ? 'e' : 'x', JSON.stringify({ message, line: event.lineno }));
    };
  }

  port.onmessage = ({ data }) => {
    if (data[0] === 'h') worker?.postMessage(data.slice(1));
    else start(JSON.parse(data));
  };
}

addEventListener('message', function greet(event) {
  if (event.source !== parent || event.ports.length !== 1) return;
  removeEventListener('message', greet);
  serve(event.ports[0]);
  event.ports[0].postMessage('ready');
});
