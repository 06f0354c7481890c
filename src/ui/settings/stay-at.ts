/** What a person does: from then on it is theirs what stands where. */
const moves = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Brings a part of the screen to the top, and keeps it there while what stands above it comes or grows, until the
 * person scrolls or presses anything. `reach` gives it the focus, and says whether it could.
 */
export function stayAt(part: HTMLElement, reach: () => boolean): () => void {
  let isReached = false;
  function stay() {
    isReached ||= reach();
    part.scrollIntoView({ block: 'start' });
  }
  const sizes = new ResizeObserver(stay);
  const end = new AbortController();
  const options = { capture: true, passive: true, signal: end.signal };
  function leave() {
    end.abort();
    sizes.disconnect();
  }
  for (const move of moves) addEventListener(move, leave, options);
  // A screen reader that goes on presses nothing.
  addEventListener(
    'focusin',
    ({ target }) => isReached && !part.contains(target as Node) && leave(),
    options,
  );
  stay();
  sizes.observe(part.closest('.column') ?? part);
  return leave;
}
