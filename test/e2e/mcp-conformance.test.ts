/** The official conformance suite for MCP clients against the built app, for `npm run conformance:mcp` and `npm run test:all`. */
import { afterAll, beforeAll, expect } from 'vitest';
import { openConformance } from '../../scripts/conformance/run.js';
import { scenarios } from '../../scripts/conformance/scenarios.js';
import { thorough } from '../support/matrix';

let conformance: Awaited<ReturnType<typeof openConformance>>;
beforeAll(async () => void (conformance = await openConformance('dist-e2e')));
afterAll(() => conformance.close());

thorough.for(scenarios)(
  'the client passes a scenario of the MCP conformance suite: $name',
  { timeout: 120_000 },
  async ({ name }) => {
    const { problems, checks } = await conformance.run(name);
    expect(problems).toEqual([]);
    expect(checks.length).toBeGreaterThan(0);
  },
);
