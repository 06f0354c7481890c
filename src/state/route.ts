/** Where the person is, as it stands after `#`: no host needs rewrite rules for it. */

export type Route =
  | { screen: 'chat'; chatId?: string }
  | { screen: 'tools'; toolId?: string }
  | { screen: 'servers'; serverId?: string }
  | { screen: 'personas'; personaId?: string }
  | { screen: 'notes' }
  | { screen: 'models'; modelId?: string }
  | { screen: 'settings' };

/** One line a screen, by what follows `#/`: what stands behind its name, if anything, is handed in. */
const readers: {
  [Screen in Route['screen']]: (id: string | undefined) => Extract<Route, { screen: Screen }>;
} = {
  chat: (chatId) => ({ screen: 'chat', ...(chatId && { chatId }) }),
  tools: (toolId) => ({ screen: 'tools', ...(toolId && { toolId }) }),
  servers: (serverId) => ({ screen: 'servers', ...(serverId && { serverId }) }),
  personas: (personaId) => ({ screen: 'personas', ...(personaId && { personaId }) }),
  notes: () => ({ screen: 'notes' }),
  models: (modelId) => ({ screen: 'models', ...(modelId && { modelId }) }),
  settings: () => ({ screen: 'settings' }),
};

export function routeOf(hash: string): Route {
  const [, screen = '', id] = hash.split('/');
  return isScreen(screen) ? readers[screen](decode(id)) : { screen: 'chat' };
}

function isScreen(name: string): name is Route['screen'] {
  return Object.hasOwn(readers, name);
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
  const { screen, ...place } = route;
  // What stands behind the name of a screen is always one id.
  const [id]: (string | undefined)[] = Object.values(place);
  if (id !== undefined) return `#/${screen}/${encodeURIComponent(id)}`;
  return screen === 'chat' ? '#/' : `#/${screen}`;
}
