/**
 * `npm run conformance:mcp [scenario …]`: runs the official conformance suite for clients of the Model Context Protocol against the built app in
 * Chromium. Without a scenario, it runs all that belong to a dated version of the protocol.
 */
import process from 'node:process';
import { openConformance } from './conformance/run.js';
import { scenarios } from './conformance/scenarios.js';
import { installChromium, installPackages, run } from './set-up.js';

installPackages();
installChromium();
run('npx', 'vite', 'build', '--mode', 'e2e');

const wanted = process.argv.slice(2);
const unknown = wanted.filter((one) => !scenarios.some(({ name }) => name === one));
if (unknown.length > 0) {
  console.error(
    `There is no scenario ${unknown.join(', ')}. Known: ${scenarios.map(({ name }) => name).join(', ')}`,
  );
  process.exit(1);
}

const conformance = await openConformance('dist-e2e');
let passed = 0;
const chosen = scenarios.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
for (const { name } of chosen) {
  const { isPassed, checks, problems } = await conformance.run(name);
  if (isPassed) passed += 1;
  console.log(
    `${isPassed ? 'passed' : 'FAILED'}  ${name.padEnd(44)}${String(checks.length).padStart(3)} checks`,
  );
  for (const problem of problems) console.log(`          ${problem}`);
}
await conformance.close();
console.log(`\n${passed} of ${chosen.length} scenarios passed.`);
process.exitCode = passed === chosen.length ? 0 : 1;
