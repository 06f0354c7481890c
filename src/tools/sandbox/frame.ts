/** A hidden frame of an opaque origin, in which only the relay runs, and the port to it. */
import html from './relay.js?sandbox-document';

export interface Frame {
  port: MessagePort;
  /** Aborts when the frame is gone: closed, crashed, or shows another document. */
  gone: AbortSignal;
  /** Takes everything in it along. */
  close(): void;
}

// Not by its name alone: the build would write all of it out wherever it is named.
const page = { html };
/** Milliseconds. Slow devices, many tabs: its document is 4 kB and on the device. */
const startMs = 10_000;

// The name that the page's policy allows for this, here and in the frame, which the policy binds too.
const policy = window.trustedTypes?.createPolicy('sandbox', {
  createHTML(text) {
    if (text === page.html) return text;
    throw new TypeError('Not the document of the sandbox');
  },
});

/** Rejects when the frame does not start. */
export function openFrame(): Promise<Frame> {
  const element = document.createElement('iframe');
  element.sandbox.add('allow-scripts');
  element.allow = '';
  element.referrerPolicy = 'no-referrer';
  element.hidden = true;
  element.title = 'Sandbox';
  // As a string for the compiler: the types of the DOM do not know trusted ones.
  element.srcdoc = (policy?.createHTML(page.html) ?? page.html) as string;

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
