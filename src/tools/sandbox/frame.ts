/** A hidden frame of an opaque origin, in which only the relay runs, and the port to it. */
import { trustSandboxDocument } from '../../platform/trusted-types';
import html from './relay.js?sandbox-document';

export interface Frame {
  port: MessagePort;
  /** Aborts when the frame is gone: closed, crashed, or shows another document. */
  gone: AbortSignal;
  /** Takes everything in it along. */
  close(): void;
}

/** Milliseconds. Slow devices, many tabs: its document is 4 kB and on the device. */
const startMs = 10_000;

/** Rejects when the frame does not start. */
export function openFrame(): Promise<Frame> {
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
  // Where the browser tells (Chromium), a crash of the frame's process shows here; elsewhere a timer finds out.
  port.addEventListener('close', close);

  return new Promise((resolve, reject) => {
    const timer = setTimeout(close, startMs);
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
        // Its origin is opaque, so no name but * reaches it; it takes one message, from its parent.
        element.contentWindow?.postMessage('', '*', [theirs]);
        // Nothing in it leads anywhere: a second document is not ours.
        element.addEventListener('load', close);
      },
      { once: true },
    );
    document.body.append(element);
  });
}
