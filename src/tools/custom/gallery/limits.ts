/** What every tool of the gallery may use, and that none but one needs a network. */
export const plain = {
  class: 'pure' as const,
  hosts: [],
  secrets: [],
  limits: { timeMs: 5_000, outputCharacters: 20_000, hostCalls: 0 },
};
