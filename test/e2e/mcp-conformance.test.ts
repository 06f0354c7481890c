/** The official conformance suite for MCP clients against the built app: the part of it that is quick. `npm run conformance:mcp` runs all. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConformance } from '../../scripts/conformance/run.js';
import { scenarios } from '../../scripts/conformance/scenarios.js';

let conformance: Awaited<ReturnType<typeof openConformance>>;
beforeAll(async () => void (conformance = await openConformance('dist-e2e')));
afterAll(() => conformance.close());

test.for(scenarios.filter(({ isQuick }) => isQuick || process.env['HEARTH_TESTS'] === 'all'))(
  '$name',
  { timeout: 120_000 },
  async ({ name }) => {
    const { problems, checks } = await conformance.run(name);
    expect(problems).toEqual([]);
    expect(checks.length).toBeGreaterThan(0);
  },
);
