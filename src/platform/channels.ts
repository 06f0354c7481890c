/** Sends messages between all tabs of the app. Each named channel keeps its messages in order. */

export interface Channel<Message = unknown> {
  post: (message: Message) => void;
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

export function canUseChannels(): boolean {
  return 'BroadcastChannel' in globalThis;
}

/** Connects two ends within one tab; `open` returns the far end. Does not clone or check messages. */
export function openChannelPair<ToNear, ToFar>(
  onMessage: (message: ToNear) => void,
): { near: Channel<ToFar>; open: (onMessage: (message: ToFar) => void) => Channel<ToNear> } {
  let isOpen = true;
  let toFar: (message: ToFar) => void = () => undefined;
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
