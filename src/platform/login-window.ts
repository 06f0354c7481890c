/** The window for the login to an MCP server. `public/oauth.html` sends the result to all tabs. */

export type LoginWindow = NonNullable<ReturnType<typeof openLoginWindow>>;

/** Call this in a click handler, or browsers block the window. Returns undefined if they do. */
export function openLoginWindow() {
  const opened = window.open('', '', 'popup,width=520,height=720');
  if (!opened) return undefined;
  // The login page could otherwise send this tab to another address.
  opened.opener = null;
  return {
    go: (url: string) => opened.location.replace(url),
    close: () => opened.close(),
    /** Also true if the login page has cut itself off from its opener. */
    get isClosed() {
      return opened.closed;
    },
  };
}

/** Resolves to the parameters that the login with this OAuth `state` returns. Rejects with the signal's reason. */
export function whenLoginReturns(state: string, signal: AbortSignal): Promise<URLSearchParams> {
  return new Promise((resolve, reject) => {
    const channel = new BroadcastChannel('hearth-login');
    signal.addEventListener('abort', () => {
      channel.close();
      reject(signal.reason as Error);
    });
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'string') return;
      const result = new URLSearchParams(data);
      if (result.get('state') !== state) return;
      channel.close();
      resolve(result);
    };
  });
}
