/** The client scenarios of the conformance suite that belong to a dated version of the protocol, and what a person does in each. */

/**
 * @typedef {object} Scenario
 * @property {string} name as the suite calls it
 * @property {string} [tool] that is called; without one the scenario ends when the server answers
 * @property {object} [input] of that tool
 * @property {boolean} [isForm] the tool asks the person, who sends the form as it stands
 * @property {'once' | 'again' | 'refused'} [login] `again`: the tool wants more rights than were given; `refused`: no login is ever enough
 */

/** @type {readonly Scenario[]} */
export const scenarios = [
  { name: 'initialize' },
  { name: 'tools_call', tool: 'add_numbers', input: { a: 5, b: 3 } },
  {
    name: 'elicitation-sep1034-client-defaults',
    tool: 'test_client_elicitation_defaults',
    isForm: true,
  },
  { name: 'sse-retry', tool: 'test_reconnection' },
  { name: 'auth/metadata-default', tool: 'test-tool', login: 'once' },
  { name: 'auth/metadata-var1', tool: 'test-tool', login: 'once' },
  { name: 'auth/metadata-var2', tool: 'test-tool', login: 'once' },
  { name: 'auth/metadata-var3', tool: 'test-tool', login: 'once' },
  { name: 'auth/basic-cimd', tool: 'test-tool', login: 'once' },
  { name: 'auth/scope-from-www-authenticate', tool: 'test-tool', login: 'once' },
  { name: 'auth/scope-from-scopes-supported', tool: 'test-tool', login: 'once' },
  { name: 'auth/scope-omitted-when-undefined', tool: 'test-tool', login: 'once' },
  { name: 'auth/scope-step-up', tool: 'test-tool', login: 'again' },
  { name: 'auth/scope-retry-limit', login: 'refused' },
  { name: 'auth/token-endpoint-auth-basic', tool: 'test-tool', login: 'once' },
  { name: 'auth/token-endpoint-auth-post', tool: 'test-tool', login: 'once' },
  { name: 'auth/token-endpoint-auth-none', tool: 'test-tool', login: 'once' },
  { name: 'auth/pre-registration', tool: 'test-tool', login: 'once' },
  { name: 'auth/2025-03-26-oauth-metadata-backcompat', tool: 'test-tool', login: 'once' },
  { name: 'auth/2025-03-26-oauth-endpoint-fallback', tool: 'test-tool', login: 'once' },
];

/** Of the suite's own warnings, the one that the clock of a busy machine decides: "acceptable", in its words. */
export const clockWarning = 'client-sse-retry-timing';
