/**
 * `npm run conformance:llama`: tests models on a server against llama.cpp with Ember's own weights. npm installs llama.cpp into a separate folder,
 * because as a dev dependency it would put 700 MB of GPU programs on every machine and require a newer Node than we do.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { installChromium, installPackages, run } from './set-up.js';

const version = '3.21.1';
/** The builds of llama.cpp that run on a CPU. macOS on ARM has no build without Metal. */
const programs = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'mac-x64',
  'darwin-arm64': 'mac-arm64-metal',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

const program = programs[`${process.platform}-${process.arch}`];
if (!program) {
  console.error(`node-llama-cpp has no program for ${process.platform} on ${process.arch}.`);
  process.exit(1);
}

installPackages();
installChromium();
const folder = join(tmpdir(), `hearth-node-llama-cpp-${version}`);
if (!existsSync(join(folder, 'node_modules', '@node-llama-cpp', program))) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const wanted = [`node-llama-cpp@${version}`, `@node-llama-cpp/${program}@${version}`];
  // `--ignore-scripts`, because without a prebuilt program the package's install script would compile one from source.
  const how = ['--prefix', folder, '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  run('npm', 'install', ...how, ...wanted);
}
run('npx', 'vite', 'build', '--mode', 'e2e');
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'llama'], {
  stdio: 'inherit',
  env: { ...process.env, HEARTH_LLAMA: folder },
});
process.exitCode = status ?? 1;
