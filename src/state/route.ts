/** Converts between a screen and the hash of the page's URL. We use the hash because any web server then serves all screens. */

/** `ids` names the parts of the URL after the screen's name. The navigation shows the screens that have an `icon`, in this order. */
export const screens = {
  chat: { ids: ['chatId', 'messageId'] },
  tools: { ids: ['toolId'], icon: 'tools' },
  servers: { ids: ['serverId'] },
  personas: { ids: ['personaId'], icon: 'persona' },
  notes: { ids: [], icon: 'note' },
  prompts: { ids: ['promptId'] },
  ask: { ids: [] },
  archive: { ids: [] },
  bin: { ids: [] },
  models: { ids: ['modelId'], icon: 'model' },
  settings: { ids: ['section'], icon: 'settings' },
} as const;

export type ScreenName = keyof typeof screens;

type LinkedScreen = {
  [Name in ScreenName]: (typeof screens)[Name] extends { icon: string } ? Name : never;
}[ScreenName];

export const linkedScreens = (Object.keys(screens) as ScreenName[]).filter(
  (name): name is LinkedScreen => 'icon' in screens[name],
);

type RouteOf<Name extends ScreenName> = { screen: Name } & {
  [Id in (typeof screens)[Name]['ids'][number]]?: string | undefined;
};

export type Route = { [Name in ScreenName]: RouteOf<Name> }[ScreenName];

export function routeOf(hash: string): Route {
  const [, name = '', ...parts] = hash.split('/');
  if (!isScreen(name)) return { screen: 'chat' };
  const places: Record<string, string> = {};
  for (const [at, id] of screens[name].ids.entries()) {
    const value = decodeHashPart(parts[at]);
    if (!value) break;
    places[id] = value;
  }
  return { screen: name, ...places };
}

function isScreen(name: string): name is ScreenName {
  return Object.hasOwn(screens, name);
}

function decodeHashPart(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

export function hashOf(route: Route): string {
  const places: Partial<Record<string, string>> = route;
  const ids = screens[route.screen].ids.flatMap((id) => encodeURIComponent(places[id] ?? '') || []);
  if (ids.length === 0 && route.screen === 'chat') return '#/';
  return `#/${[route.screen, ...ids].join('/')}`;
}
