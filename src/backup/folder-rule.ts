/** PURE: how backups in a folder are called, and which of them are kept. */

/** Those that are kept whenever they were made. Of those before them, the last of each month. */
export const keptNewest = 10;

/** After so long nobody writes at it any more: not another device either, where the folder is one of several. */
const givenUpMs = 60 * 60 * 1000;

const pattern = /^hearth-auto-(\d{4})-(\d\d)-(\d\d)-(\d\d)(\d\d)(\d\d)\.zip(\.age)?$/;

/** `hearth-auto-2026-11-26-180512.zip`, in universal time: names are in the order of time, whichever clock made them. */
export function backupName(at: number, isEncrypted: boolean): string {
  const [, day = '', time = ''] = /^(.*)T(.*)\./.exec(new Date(at).toISOString()) ?? [];
  return `hearth-auto-${day}-${time.replaceAll(':', '')}.zip${isEncrypted ? '.age' : ''}`;
}

/** When it was made, in milliseconds since the epoch; undefined for what is no backup of ours. */
export function timeOf(name: string): number | undefined {
  const [, year, month, day, hour, minute, second] = pattern.exec(name) ?? [];
  if (year === undefined) return undefined;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? undefined : at;
}

interface Named {
  name: string;
  /** In bytes. */
  size: number;
}

/** A name that is not taken: the next second's where that one has its backup. */
export function freeName(files: readonly Named[], at: number, isEncrypted: boolean): string {
  const name = backupName(at, isEncrypted);
  return files.some((file) => file.name === name) ? freeName(files, at + 1000, isEncrypted) : name;
}

/**
 * Those of ours, the newest first. A browser fills a file only when all of it was written, so one that is empty was broken off, by the end
 * of the browser or of the machine: it is none.
 */
export function newestFirst(files: readonly Named[]): string[] {
  const ours = files.filter(({ name, size }) => timeOf(name) !== undefined && size > 0);
  return ours.map(({ name }) => name).sort((one, other) => (timeOf(other) ?? 0) - (timeOf(one) ?? 0));
}

/** Names of those that go: what was broken off, and what is older than those that are kept. What is not ours is never among them. */
export function surplusOf(files: readonly Named[], now: number): string[] {
  const months = new Set<string>();
  const older = newestFirst(files)
    .slice(keptNewest)
    .filter((name) => {
      const month = name.slice(0, 'hearth-auto-2026-11'.length);
      const isLast = !months.has(month);
      months.add(month);
      return !isLast;
    });
  const brokenOff = files.filter((file) => now - timeBrokenOff(file) > givenUpMs);
  return [...brokenOff.map(({ name }) => name), ...older];
}

/** Infinity for what was not. Chromium writes beside an empty file, under its name and `.crswap`, and puts that in its place at the end. */
function timeBrokenOff({ name, size }: Named): number {
  const swapOf = /^(.*)\.crswap$/.exec(name)?.[1];
  if (swapOf === undefined && size > 0) return Infinity;
  return timeOf(swapOf ?? name) ?? Infinity;
}
