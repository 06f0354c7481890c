/** Runs untrusted code in a fresh worker inside an opaque-origin iframe. Reasons: docs/decisions/2026-11-21-sandbox.md. */
import {
  defaultSandboxLimits,
  DeniedError,
  maxSandboxLimits,
  type HostCall,
  type Sandbox,
  type SandboxLimits,
  type SandboxRefusal,
  type SandboxResult,
  type SandboxRun,
} from '../../contracts/sandbox';
import { isRecord, parseJson, writeJson } from '../../contracts/schema';
import { canReuseFrame, readRunEnd, refuse } from './read-end';
import { trustSandboxDocument } from '../../platform/trusted-types';
import html from './relay.js?sandbox-document';

const maxCodeCharacters = 100_000;
const maxHostCallCharacters = 70_000;
const maxAnswerCharacters = 4_000_000;
const maxLogLineCharacters = 2_000;
const maxDigestCalls = 1_000;
/** If the relay is still silent this many milliseconds after the time limit, we assume that it is stuck. */
const relayGraceMs = 1_000;
const maxConcurrentRuns = 4;
const maxIdleFrameMs = 60_000;

/** Creates no frame until the first run. */
export function createSandbox(): Sandbox {
  let idle: Frame | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = 0;
  const waiting = new Set<() => void>();

  const waitForSlot = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const go = () => {
        waiting.delete(go);
        signal.removeEventListener('abort', go);
        resolve();
      };
      waiting.add(go);
      signal.addEventListener('abort', go);
    });
  const wakeNext = () => {
    const [next] = waiting;
    next?.();
  };

  const takeFrame = async (): Promise<Frame> => {
    const frame = idle?.gone.aborted === false ? idle : undefined;
    idle = undefined;
    clearTimeout(timer);
    return frame ?? openFrame();
  };
  const giveBack = (frame: Frame) => {
    if (frame.gone.aborted) return;
    idle?.close();
    idle = frame;
    clearTimeout(timer);
    timer = setTimeout(() => frame.close(), maxIdleFrameMs);
  };

  async function runOnce(run: SandboxRun, isCheck: boolean, signal: AbortSignal): Promise<SandboxResult> {
    const logs: string[] = [];
    const end = (refusal: SandboxRefusal): SandboxResult => ({ ...refusal, logs, ms: 0 });

    const limits = clampLimits(run.limits);
    if (run.code.length > maxCodeCharacters)
      return end(refuse('SCRIPT', `The code is longer than ${maxCodeCharacters} characters`));
    const args = writeJson(run.args);
    if (args === undefined) return end(refuse('BAD_ARGS', 'The arguments are not JSON'));
    if (args.length > limits.argumentCharacters) {
      const most = `longer than ${limits.argumentCharacters} characters as JSON`;
      return end(refuse('BAD_ARGS', `The arguments are ${most}. Pass less`));
    }
    while (running >= maxConcurrentRuns && !signal.aborted) await waitForSlot(signal);
    if (signal.aborted) {
      // We were woken for a slot that we will not use, so wake the next waiter.
      wakeNext();
      return end(cancelledRefusal);
    }

    running++;
    try {
      const frame = await takeFrame();
      const startedAt = performance.now();
      const outcome = await runInFrame(frame, { ...run, logs, args, limits, isCheck }, signal);
      if (outcome.isClean) giveBack(frame);
      else frame.close();
      return { ...outcome.end, logs, ms: performance.now() - startedAt };
    } catch {
      return end(refuse('PROTOCOL', 'The sandbox did not start. Reload the page, and try again'));
    } finally {
      running--;
      wakeNext();
    }
  }

  return {
    run: (run, signal) => runOnce(run, false, signal),
    async check(code, signal) {
      const result = await runOnce({ code, args: null }, true, signal);
      return result.ok ? undefined : refuse(result.failure, result.message, result.line);
    },
  };
}

type PreparedRun = SandboxRun & { args: string; limits: SandboxLimits; logs: string[]; isCheck: boolean };
type RunOutcome = { end: ReturnType<typeof readRunEnd>; isClean: boolean };

function runInFrame(
  { port, gone }: Frame,
  { code, args, limits, logs, onLog, hostCall = refuseHostCall, isCheck }: PreparedRun,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const codeLines = code.split(/\r\n|[\n\r\u2028\u2029]/).length;
  const messageCharacters = limits.outputCharacters + maxHostCallCharacters;
  const over = new AbortController();
  const denied = new Set<string>();
  let calls = 0;

  const answer = async (text: string) => {
    const call = parseJson(text);
    if (!isRecord(call)) return;
    const { id, url, options } = call;
    if (typeof id !== 'number' || typeof url !== 'string') return;
    const reply = await hostCall({ url, options }, over.signal).then(
      (value) => ({ isOk: true, value }),
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        if (error instanceof DeniedError) denied.add(`Error: ${message}`);
        return { isOk: false, value: message };
      },
    );
    if (over.signal.aborted) return;
    const written = writeJson({ id, ...reply });
    const fits = written !== undefined && written.length <= maxAnswerCharacters;
    const refusal = { id, isOk: false, value: 'The answer is too long. Ask for less' };
    port.postMessage(`h${fits ? written : JSON.stringify(refusal)}`);
  };

  return new Promise<RunOutcome>((resolve) => {
    const finish = (letter: string, text = '') => {
      const end = readRunEnd(letter, text, limits, codeLines);
      const isDenied = !end.ok && end.failure === 'THROWN' && denied.has(end.message);
      resolve({ end: isDenied ? { ...end, failure: 'DENIED' } : end, isClean: canReuseFrame(letter) });
    };
    const timer = setTimeout(finish, limits.timeMs + relayGraceMs, 't');
    const once = { signal: over.signal };
    over.signal.addEventListener('abort', () => clearTimeout(timer));
    const cancel = () => resolve({ end: cancelledRefusal, isClean: false });
    signal.addEventListener('abort', cancel, once);
    if (signal.aborted) cancel();
    gone.addEventListener('abort', () => finish('p'), once);
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      const isReadable = typeof data === 'string' && data.length <= messageCharacters;
      const letter = isReadable ? data.slice(0, 1) : 'p';
      const text = isReadable ? data.slice(1) : '';
      if (letter === 'l' && logs.length < limits.logs) {
        const line = text.slice(0, maxLogLineCharacters);
        logs.push(line);
        onLog?.(line);
      } else if (letter === 'h' && calls < limits.hostCalls) {
        calls++;
        void answer(text);
      } else finish(letter === 'l' || letter === 'h' ? 'f' : letter, text);
    };
    const more = {
      callCharacters: maxHostCallCharacters,
      messageCharacters,
      lineCharacters: maxLogLineCharacters,
    };
    const all = { ...limits, ...more, digests: maxDigestCalls, isCheck };
    port.postMessage(JSON.stringify({ code, args, limits: all }));
  }).finally(() => {
    over.abort();
    port.onmessage = null;
  });
}

const cancelledRefusal = refuse('CANCELLED', 'It was stopped');

const refuseHostCall: HostCall = () =>
  Promise.reject(new DeniedError('This code has no network. Compute with what is in args'));

function clampLimits(wanted: Partial<SandboxLimits> = {}): SandboxLimits {
  const limits = { ...defaultSandboxLimits };
  for (const name of Object.keys(limits) as (keyof SandboxLimits)[]) {
    const value = wanted[name];
    if (value !== undefined && value >= 0) limits[name] = Math.min(Math.floor(value), maxSandboxLimits[name]);
  }
  return limits;
}

interface Frame {
  port: MessagePort;
  /** Aborts when the frame is closed, crashes or loads another document. */
  gone: AbortSignal;
  close(): void;
}

const frameStartTimeoutMs = 10_000;

function openFrame(): Promise<Frame> {
  const element = document.createElement('iframe');
  element.sandbox.add('allow-scripts');
  element.allow = '';
  element.referrerPolicy = 'no-referrer';
  element.hidden = true;
  element.title = 'Sandbox';
  element.srcdoc = trustSandboxDocument(html);

  const { port1: port, port2: theirs } = new MessageChannel();
  const over = new AbortController();
  const close = () => {
    over.abort();
    port.close();
    element.remove();
  };
  // Chromium closes the port when the frame's process crashes. In other browsers, the timeout detects a crash.
  port.addEventListener('close', close);

  return new Promise((resolve, reject) => {
    const timer = setTimeout(close, frameStartTimeoutMs);
    over.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new Error('The sandbox did not start'));
    });
    port.onmessage = () => {
      clearTimeout(timer);
      port.onmessage = null;
      resolve({ port, gone: over.signal, close });
    };
    element.addEventListener(
      'load',
      () => {
        // We can only address an opaque origin as '*'. The frame accepts one message, and only from its parent.
        element.contentWindow?.postMessage('', '*', [theirs]);
        // Our document never navigates, so a second load is a foreign document.
        element.addEventListener('load', close);
      },
      { once: true },
    );
    document.body.append(element);
  });
}
