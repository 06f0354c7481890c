/** Where the person is, as it stands after `#`: no host needs rewrite rules for it. */

export type Route =
  | { screen: 'chat'; chatId?: string }
  | { screen: 'tools'; toolId?: string }
  | { screen: 'models' }
  | { screen: 'settings' };

export function routeOf(hash: string): Route {
  const [, screen = '', id] = hash.split('/');
  if (screen === 'settings' || screen === 'models') return { screen };
  const decoded = decode(id);
  if (screen === 'tools') return { screen, ...(decoded && { toolId: decoded }) };
  if (screen === 'chat' && decoded) return { screen, chatId: decoded };
  return { screen: 'chat' };
}

/** Undefined for what no address of ours holds: somebody typed it. */
function decode(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

export function hashOf(route: Route): string {
  if (route.screen === 'tools' && route.toolId !== undefined) {
    return `#/tools/${encodeURIComponent(route.toolId)}`;
  }
  if (route.screen !== 'chat') return `#/${route.screen}`;
  return route.chatId === undefined ? '#/' : `#/chat/${encodeURIComponent(route.chatId)}`;
}
