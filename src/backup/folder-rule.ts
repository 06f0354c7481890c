/** PURE: how backups in a folder are called, and which of them are kept. */

/** Those that are kept whenever they were made. Of those before them, the last of each month. */
export const keptNewest = 10;

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

/** Names of ours, the newest first. */
export function newestFirst(names: readonly string[]): string[] {
  const ours = names.filter((name) => timeOf(name) !== undefined);
  return ours.sort((one, other) => (timeOf(other) ?? 0) - (timeOf(one) ?? 0));
}

/** Names of those that are not kept. What is not ours is never among them. */
export function surplusOf(names: readonly string[]): string[] {
  const months = new Set<string>();
  return newestFirst(names)
    .slice(keptNewest)
    .filter((name) => {
      const month = name.slice(0, 'hearth-auto-2026-11'.length);
      const isLast = !months.has(month);
      months.add(month);
      return !isLast;
    });
}
