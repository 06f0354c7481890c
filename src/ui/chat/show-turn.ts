/** Brings a turn of a chat before the eye, and marks it for a moment. */

/** Frames in which what comes into view finds its height: the turn is brought back to its place in each. */
const settlingFrames = 12;
const markedMs = 2400;

/** `part`: which of the turn is looked at. Resolves when it stays where it is; does nothing where the turn is not drawn. */
export async function showTurn(list: HTMLElement, turnId: string, part: 'question' | 'reply'): Promise<void> {
  const turn = list.querySelector(`[data-turn="${CSS.escape(turnId)}"]`);
  const articles = turn?.querySelectorAll(':scope > article');
  const shown = (part === 'question' ? articles?.[0] : articles?.[articles.length - 1]) ?? turn;
  if (!shown) return;
  // A chat that has just been opened goes to its end first.
  await frame();
  await frame();
  mark(shown);
  await keepInView(shown);
}

function mark(shown: Element): void {
  const glow = {
    boxShadow: '0 0 0 0.5rem var(--warn-soft)',
    background: 'var(--warn-soft)',
    borderRadius: '0.25rem',
  };
  shown.animate([glow, { ...glow, offset: 0.6 }, { borderRadius: '0.25rem' }], markedMs);
}

async function keepInView(shown: Element): Promise<void> {
  for (let count = 0; count < settlingFrames; count++) {
    shown.scrollIntoView({ block: 'start', behavior: 'instant' });
    await frame();
  }
}

function frame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
    // A hidden page draws no frames.
    setTimeout(resolve, 100);
  });
}
