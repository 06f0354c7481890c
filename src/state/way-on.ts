/** PURE: what could do what the built-in model cannot, on this device. */
import type { DownloadState, ModelCard, ShelfView } from '../contracts/model-library';

export type WayOn =
  /** Nothing has to be fetched: it can answer at once. */
  | { type: 'use'; card: ModelCard }
  | { type: 'get'; card: ModelCard }
  /** Its download is under way. */
  | { type: 'coming'; card: ModelCard }
  /** None suits this device. */
  | { type: 'none' };

/** Undefined where the model that was chosen is one, and cannot answer now: another part of the screen says why. */
export function wayOnFrom(
  { cards }: ShelfView,
  downloads: Readonly<Record<string, DownloadState>>,
  chosenId: string,
): WayOn | undefined {
  const best = cards.find(({ isRecommended }) => isRecommended);
  const isHere = ({ id, origin, isSmall, kept }: ModelCard) =>
    kept.isWhole && origin !== 'built-in' && !isSmall && id !== chosenId;
  const here = best && isHere(best) ? best : cards.find(isHere);
  if (here) return { type: 'use', card: here };
  if (!best) return { type: 'none' };
  if (best.kept.isWhole) return undefined;
  return { type: downloads[best.id] ? 'coming' : 'get', card: best };
}
