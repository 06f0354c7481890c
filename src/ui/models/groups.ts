import type { ModelCard } from '../../contracts/model-library';

/** The groups of models, in the order of the page. */
export type Group = 'best' | 'here' | 'server' | 'others' | 'large' | 'tight' | 'unfit';

/** Returns a function that assigns a card to a group. A card keeps its first group, so it does not move when the user presses "Download". */
export function createGrouping(): (card: ModelCard, isDownloading: boolean) => Group {
  const groups = new Map<string, Group>();
  return (card, isDownloading) => {
    const group = groups.get(card.id) ?? groupOf(card, isDownloading);
    groups.set(card.id, group);
    return group;
  };
}

function groupOf(
  { isRecommended, origin, kept, verdict, isLarge, endpoint, brought }: ModelCard,
  isDownloading: boolean,
): Group {
  if (endpoint) return 'server';
  if (isRecommended) return 'best';
  if (brought) return brought === 'here' || isDownloading ? 'here' : 'others';
  // A partly downloaded model also uses storage and can be deleted.
  if (origin !== 'catalog' || kept.bytes > 0 || isDownloading) return 'here';
  if (verdict === 'impossible') return 'unfit';
  if (verdict === 'unlikely') return 'tight';
  return isLarge && verdict === 'good' ? 'large' : 'others';
}
