/** The client scenarios of the conformance suite that belong to a dated version of the protocol, and the user's actions in each. */

/**
 * @typedef {object} Scenario
 * @property {string} name the suite's name for it
 * @property {string} [tool] the tool to call. If missing, the scenario ends when the server answers.
 * @property {object} [input] the tool's arguments
 * @property {boolean} [isForm] whether the tool asks the user, who sends the form unchanged
 * @property {'once' | 'again' | 'refused'} [login] `again`: the tool needs more rights than were granted; `refused`: no login is sufficient
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

/** The one warning of the suite that depends on how busy the machine is. The suite calls it "acceptable". */
export const clockWarning = 'client-sse-retry-timing';
