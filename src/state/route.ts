/** Reads and writes routes in the URL's hash, for which the web server needs no configuration. */

export type Route =
  | { screen: 'chat'; chatId?: string; messageId?: string | undefined }
  | { screen: 'tools'; toolId?: string }
  | { screen: 'servers'; serverId?: string }
  | { screen: 'personas'; personaId?: string }
  | { screen: 'notes' }
  | { screen: 'prompts'; promptId?: string }
  | { screen: 'ask' }
  | { screen: 'archive' }
  | { screen: 'bin' }
  | { screen: 'models'; modelId?: string }
  | { screen: 'settings'; section?: string };

const routeReaders: {
  [Screen in Route['screen']]: (
    id: string | undefined,
    inner: string | undefined,
  ) => Extract<Route, { screen: Screen }>;
} = {
  chat: (chatId, messageId) => ({
    screen: 'chat',
    ...(chatId && { chatId, ...(messageId && { messageId }) }),
  }),
  tools: (toolId) => ({ screen: 'tools', ...(toolId && { toolId }) }),
  servers: (serverId) => ({ screen: 'servers', ...(serverId && { serverId }) }),
  personas: (personaId) => ({ screen: 'personas', ...(personaId && { personaId }) }),
  notes: () => ({ screen: 'notes' }),
  prompts: (promptId) => ({ screen: 'prompts', ...(promptId && { promptId }) }),
  ask: () => ({ screen: 'ask' }),
  archive: () => ({ screen: 'archive' }),
  bin: () => ({ screen: 'bin' }),
  models: (modelId) => ({ screen: 'models', ...(modelId && { modelId }) }),
  settings: (section) => ({ screen: 'settings', ...(section && { section }) }),
};

export function routeOf(hash: string): Route {
  const [, screen = '', id, inner] = hash.split('/');
  return isScreen(screen) ? routeReaders[screen](decode(id), decode(inner)) : { screen: 'chat' };
}

function isScreen(name: string): name is Route['screen'] {
  return Object.hasOwn(routeReaders, name);
}

function decode(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

export function hashOf(route: Route): string {
  const { screen, ...place } = route;
  // The values of `place` are ids, in the order of the URL.
  const ids: (string | undefined)[] = Object.values(place);
  const path = ids.flatMap((id) => (id === undefined ? [] : encodeURIComponent(id))).join('/');
  if (path !== '') return `#/${screen}/${path}`;
  return screen === 'chat' ? '#/' : `#/${screen}`;
}
