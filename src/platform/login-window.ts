/** The window in which a person logs in to an MCP server, and its way back: `public/oauth.html`, which tells all tabs of this origin. */

export interface LoginWindow {
  /** `url` is that of the login, whole. */
  go: (url: string) => void;
  close: () => void;
  /** Whether the person has closed it. Some pages cut themselves off from who opened them, and look closed from then on. */
  readonly isClosed: boolean;
}

/** In the handler of a press: at any other time a browser opens none. Undefined where it keeps the window from opening. */
export function openLoginWindow(): LoginWindow | undefined {
  const opened = window.open('', '', 'popup,width=520,height=720');
  if (!opened) return undefined;
  return {
    go: (url) => opened.location.replace(url),
    close: () => opened.close(),
    get isClosed() {
      return opened.closed;
    },
  };
}

/** Resolves to what the login says, once it comes back with this `state`. Rejects with the signal's reason. */
export function whenLoginReturns(state: string, signal: AbortSignal): Promise<URLSearchParams> {
  return new Promise((resolve, reject) => {
    const channel = new BroadcastChannel('hearth-login');
    signal.addEventListener('abort', () => {
      channel.close();
      reject(signal.reason as Error);
    });
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'string') return;
      const said = new URLSearchParams(data);
      if (said.get('state') !== state) return;
      channel.close();
      resolve(said);
    };
  });
}
