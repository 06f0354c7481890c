/** PURE: where a model stands on the Models page. */
import type { ModelCard } from '../../contracts/model-library';

/** In the order of the page. */
export type Group = 'best' | 'here' | 'server' | 'others' | 'large' | 'tight' | 'unfit';

/** Each stays where it was first seen: none goes from under the finger that presses "Download". */
export function createPlaces(): (card: ModelCard, isComing: boolean) => Group {
  const places = new Map<string, Group>();
  return (card, isComing) => {
    const place = places.get(card.id) ?? groupOf(card, isComing);
    places.set(card.id, place);
    return place;
  };
}

function groupOf(
  { isRecommended, origin, kept, verdict, isLarge, endpoint, brought }: ModelCard,
  isComing: boolean,
): Group {
  if (endpoint) return 'server';
  if (isRecommended) return 'best';
  if (brought) return brought === 'here' || isComing ? 'here' : 'others';
  // A part of one too: it takes room, and can be deleted.
  if (origin !== 'catalog' || kept.bytes > 0 || isComing) return 'here';
  if (verdict === 'impossible') return 'unfit';
  if (verdict === 'unlikely') return 'tight';
  return isLarge && verdict === 'good' ? 'large' : 'others';
}
