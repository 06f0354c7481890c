/** Where the person is, as it stands after `#`: no host needs rewrite rules for it. */

export type Route =
  | { screen: 'chat'; chatId?: string }
  | { screen: 'tools'; toolId?: string }
  | { screen: 'models' }
  | { screen: 'settings' };

export function routeOf(hash: string): Route {
  const [, screen = '', id] = hash.split('/');
  if (screen === 'settings' || screen === 'models') return { screen };
  if (screen === 'tools') return { screen, ...(id && { toolId: decodeURIComponent(id) }) };
  if (screen === 'chat' && id) return { screen, chatId: decodeURIComponent(id) };
  return { screen: 'chat' };
}

export function hashOf(route: Route): string {
  if (route.screen === 'tools' && route.toolId !== undefined) {
    return `#/tools/${encodeURIComponent(route.toolId)}`;
  }
  if (route.screen !== 'chat') return `#/${route.screen}`;
  return route.chatId === undefined ? '#/' : `#/chat/${encodeURIComponent(route.chatId)}`;
}
