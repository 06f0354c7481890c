import type { ServerView } from '../../contracts/mcp-server';

/** PURE: finds enabled tools whose server does not respond. */
export function findUnavailableTools(list: readonly ServerView[]) {
  return list
    .filter(({ state }) => state.type !== 'ready')
    .flatMap((view) =>
      view.server.tools
        .filter(({ isOn }) => isOn)
        .map(({ alias, name, definition }) => ({ alias, title: definition.title || name, view })),
    );
}
