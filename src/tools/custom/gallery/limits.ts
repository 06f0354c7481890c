/** Permissions and limits of the gallery tools, all but one of which need no network. */
export const plainTool = {
  class: 'pure' as const,
  hosts: [],
  secrets: [],
  limits: { timeMs: 5_000, outputCharacters: 20_000, hostCalls: 0 },
};
