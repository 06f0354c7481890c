/** Runs llama.cpp itself for comparison, through the Python package xllamacpp, which pip installs into a separate folder. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const version = '2026.10.11549';

export function installNative() {
  const folder = join(tmpdir(), `hearth-xllamacpp-${version}`);
  if (!existsSync(join(folder, 'xllamacpp'))) {
    const install = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', folder];
    spawnSync('python3', [...install, `xllamacpp==${version}`], { stdio: 'inherit' });
  }
  return folder;
}

/** Returns what native.py prints. That file describes `action` and `way`. */
export function askNative(folder, action, file, prompts, { threads = 1, maxTokens, way = 'usual' }) {
  const script = fileURLToPath(new URL('native.py', import.meta.url));
  const { stdout, stderr, status } = spawnSync(
    'python3',
    [script, action, file, threads, maxTokens, way].map(String),
    {
      env: { ...process.env, PYTHONPATH: folder },
      input: JSON.stringify(prompts),
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  if (status !== 0) throw new Error(`native.py failed. ${stderr.slice(-1000)}`);
  return JSON.parse(stdout.trim().split('\n').at(-1));
}
