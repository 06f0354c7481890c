/** The lock file holds the packages of every system, not only those of the machine that wrote it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

interface LockedPackage {
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/** Yields the folders in which Node looks for a package required from `folder`, nearest first. */
function* foldersAbove(folder: string): Generator<string> {
  for (let at = folder; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/'))))
    yield `${at}/`;
  yield '';
}

const wanted = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
  Object.keys(optionalDependencies).map((name) => ({ folder, name })),
);

describe('the file package-lock.json', () => {
  test('it has optional dependencies', () => {
    expect(wanted.length).toBeGreaterThan(50);
  });

  // npm silently omits packages that the registry lacks, and `npm ci` then refuses the whole file.
  test('it has an entry for every optional dependency', () => {
    const missing = wanted.filter(
      ({ folder, name }) =>
        ![...foldersAbove(folder)].some((above) => `${above}node_modules/${name}` in packages),
    );
    expect(missing).toEqual([]);
  });
});
