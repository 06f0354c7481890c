/** Installs what a fresh machine lacks. Uses only Node, because it runs before anything is installed. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { findChromium, hasHeadlessShell } from './find-chromium.js';

const start = (command, args) => spawnSync(command, args, { stdio: 'inherit' });

/** Runs a command to its end. If it fails, exits the process with its status. */
export function run(command, ...args) {
  const { status, error } = start(command, args);
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs commands in parallel, one per CPU, and prints the output of each when it ends. Exits the process if one fails. */
export async function runTogether(...commands) {
  const waiting = commands.values();
  const takeTurns = async () => {
    for (const command of waiting) {
      const status = await runQuietly(command);
      if (status !== 0) process.exit(status);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, takeTurns));
}

function runQuietly([command, ...args]) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const written = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => written.push(bytes));
    child.on('error', reject);
    child.on('close', (status) => {
      process.stdout.write(Buffer.concat(written));
      resolve(status ?? 1);
    });
  });
}

/** Installs the packages if they are missing or older than the lock file. */
export function installPackages() {
  const installed = 'node_modules/.package-lock.json';
  const isFresh =
    existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs;
  if (!isFresh) run('npm', 'ci', '--no-audit', '--no-fund');
}

/** Installs Debian's Chromium and its headless shell if this machine lacks them and can install them. */
export function installChromium() {
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (isDebianRoot && !(findChromium() && hasHeadlessShell())) {
    // If either command fails, the message below says what to do.
    start('apt-get', ['update', '-qq']);
    start('apt-get', ['install', '-y', '-qq', 'chromium']);
    // A separate package since Debian 12. Without it, the tests take half as long again.
    start('apt-get', ['install', '-y', '-qq', 'chromium-headless-shell']);
  }
  if (findChromium()) return;
  console.error('The tests need Chromium: install it, or set CHROMIUM_PATH to its path.');
  process.exit(1);
}
