/** PURE: the tools that a person has on and that cannot be used, for their server does not answer. */
import type { ServerView } from '../../contracts/mcp-server';

export function awayTools(
  list: readonly ServerView[],
): readonly { alias: string; title: string; view: ServerView }[] {
  return list
    .filter(({ state }) => state.type !== 'ready')
    .flatMap((view) =>
      view.server.tools
        .filter(({ isOn }) => isOn)
        .map(({ alias, name, definition }) => ({ alias, title: definition.title || name, view })),
    );
}
