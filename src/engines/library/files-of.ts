/** The files of a model, and the addresses that we download them from. */
import type { DownloadFile } from '../../contracts/egress';
import type { ModelSpec } from '../../contracts/model';
import { engineOf } from '../registry';

export interface DownloadPlan {
  files: readonly DownloadFile[];
  /** False while only the first files are known. */
  isWhole: boolean;
}

/** `mirrors`: by host, the address to use instead of `https://host`. Rejects with an `AppError` (`model-damaged`). */
export async function filesOf(
  spec: ModelSpec,
  mirrors: Readonly<Record<string, string>>,
): Promise<DownloadPlan> {
  const plan = await engineOf(spec)?.files?.plan(spec);
  if (!plan) return { files: [], isWhole: true };
  return {
    files: plan.files.map((file) => ({ ...file, from: mirrored(file.url, mirrors) })),
    isWhole: plan.isWhole,
  };
}

/** The files that are known before any list is read. If a list cannot be read, these can still be deleted. */
export function firstFiles(spec: ModelSpec): DownloadFile[] {
  const first = engineOf(spec)?.files?.first(spec) ?? [];
  return first.map((file) => ({ ...file, from: file.url }));
}

function mirrored(url: string, mirrors: Readonly<Record<string, string>>): string {
  const { host, pathname, search } = new URL(url);
  const mirror = mirrors[host];
  return mirror === undefined || mirror === '' ? url : mirror.replace(/\/+$/, '') + pathname + search;
}
