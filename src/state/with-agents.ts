/** PURE: the sub-agents of a chat with more of them. Apart from what draws them, which is loaded later. */

/** A map that is replaced and never changed, so that a screen sees that it is another. */
export function withAgents<Agent>(
  agents: ReadonlyMap<string, Agent> | undefined,
  added: readonly (readonly [callId: string, agent: Agent])[],
): ReadonlyMap<string, Agent> {
  return new Map([...(agents ?? []), ...added]);
}
