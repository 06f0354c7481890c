/** The window in which a user logs in to an MCP server. `public/oauth.html` sends the result to all tabs. */

export type LoginWindow = NonNullable<ReturnType<typeof openLoginWindow>>;

/** Call it in a click handler, otherwise browsers block the window. Undefined if it is blocked. */
export function openLoginWindow() {
  const opened = window.open('', '', 'popup,width=520,height=720');
  if (!opened) return undefined;
  return {
    go: (url: string) => opened.location.replace(url),
    close: () => opened.close(),
    /** Whether the user closed it. A page that cuts itself off from its opener also looks closed. */
    get isClosed() {
      return opened.closed;
    },
  };
}

/** Resolves to the result of the login with this `state`. Rejects with the signal's reason. */
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
