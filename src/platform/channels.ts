/** What all tabs of the page hear: messages by name, copied to every other end of that name, in their order. */

export interface Channel {
  /** Of what can be cloned. */
  post: (message: unknown) => void;
  close: () => void;
}

export type OnMessage = (message: unknown) => void;

export function openChannel(name: string, onMessage: OnMessage): Channel {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => onMessage(data);
  let isOpen = true;
  return {
    post(message) {
      if (isOpen) channel.postMessage(message);
    },
    close() {
      isOpen = false;
      channel.close();
    },
  };
}

export function hasChannels(): boolean {
  return 'BroadcastChannel' in globalThis;
}

/** The same within a tab: `open` gives the other end. */
export function openPair(onMessage: OnMessage): { near: Channel; open: (onMessage: OnMessage) => Channel } {
  let isOpen = true;
  let toFar: OnMessage = () => undefined;
  const close = () => void (isOpen = false);
  const send = (deliver: () => void) => {
    if (isOpen) queueMicrotask(deliver);
  };
  return {
    near: { post: (message) => send(() => toFar(message)), close },
    open(onFarMessage) {
      toFar = onFarMessage;
      return { post: (message) => send(() => onMessage(message)), close };
    },
  };
}
