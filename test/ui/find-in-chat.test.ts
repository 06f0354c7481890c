import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { phone, show } from './show';
import { text, Told } from './told';
import { slow } from '../support/matrix';

const scroller = () => document.querySelector<HTMLElement>('main .scroll')!;
const current = () => [...(CSS.highlights.get('found-now') ?? [])][0] as Range | undefined;
const marked = () => [...(CSS.highlights.get('found') ?? [])].map(String);

/** Whether the current match is in view. */
function isInView(): boolean {
  const place = current()?.getBoundingClientRect();
  const frame = scroller().getBoundingClientRect();
  return place !== undefined && place.height > 0 && place.top >= frame.top && place.bottom <= frame.bottom;
}

async function showFound(chat: ReturnType<typeof long>, size?: typeof phone) {
  const shown = await show({ ...chat, ...(size && { size }) });
  await expect.element(shown.screen.getByRole('article').last()).toBeVisible();
  await userEvent.keyboard('{Control>}f{/Control}');
  const bar = shown.screen.getByRole('search', { name: 'Find in this chat' });
  const box = bar.getByRole('searchbox');
  await expect.element(box).toHaveFocus();
  return { ...shown, bar, box, status: bar.getByRole('status') };
}

function long() {
  const told = new Told();
  for (let at = 0; at < 70; at++) {
    told
      .you(`Question ${at}`)
      .hearth([text(`Answer ${at} with a **ze**bra.\n\n${'Words. '.repeat(60)}`)], 'answered');
  }
  return told.chat;
}

describe('searching in the open chat', () => {
  test('counts matches in the whole chat and cycles through them', async () => {
    const { box, bar, status } = await showFound(long());
    await box.fill('zebra');
    await expect.element(status).toHaveTextContent('of 70');
    await expect.poll(isInView).toBe(true);
    expect(String(current())).toBe('zebra');
    await bar.getByRole('button', { name: 'Next' }).click();
    await userEvent.keyboard('{Enter}');
    await box.fill('Answer 0 w');
    await expect.element(status).toHaveTextContent('1 of 1');
    await expect.poll(isInView).toBe(true);
    await box.fill('question 1');
    await expect.element(status).toHaveTextContent('1 of 11');
    await userEvent.keyboard('{Shift>}{Enter}{/Shift}');
    await expect.element(status).toHaveTextContent('11 of 11');
    await expect.poll(() => current()?.startContainer.textContent).toBe('Question 19');
    await expect.poll(isInView).toBe(true);
  });

  slow('ignores case, accents and Markdown syntax, and does not match across paragraphs', async () => {
    const told = new Told()
      .you('CAFÉ?')
      .hearth([text('A `café` and **ca**fe.\n\nca\n\nfe &amp; [caf](https://a.example)e')], 'answered');
    const { box, status } = await showFound(told.chat);
    await box.fill('cafe');
    await expect.element(status).toHaveTextContent('of 4');
    await expect.poll(() => marked().length).toBe(4);
    await box.fill('e & c');
    await expect.element(status).toHaveTextContent('1 of 1');
    await box.fill('giraffe');
    await expect.element(status).toHaveTextContent('Not in this chat');
    expect(marked()).toEqual([]);
  });

  slow('unfolds tool calls, thinking and long questions that contain a match', async () => {
    const told = new Told().you(`${'A line.\n'.repeat(40)}the zebra at the end`).hearth(
      [
        { type: 'reasoning', text: 'A giraffe, I think.' },
        { type: 'tool-call', id: 'c', name: 'calculator', arguments: { expression: 'okapi' } },
      ],
      'answered',
    );
    const { box, status, screen } = await showFound(told.chat);
    for (const word of ['zebra', 'giraffe', 'okapi']) {
      await box.fill(word);
      await expect.element(status).toHaveTextContent('1 of 1');
      await expect.poll(isInView).toBe(true);
      expect(String(current())).toBe(word);
    }
    await expect.element(screen.getByRole('figure', { name: 'Arguments' })).toBeVisible();
  });

  slow('Escape closes the search bar, removes the highlights and focuses the message box', async () => {
    const { box, bar, message } = await showFound(long());
    await box.fill('zebra');
    await expect.poll(() => marked().length).toBeGreaterThan(0);
    await userEvent.keyboard('{Escape}');
    await expect.element(bar).not.toBeInTheDocument();
    await expect.element(message).toHaveFocus();
    expect(marked()).toEqual([]);
    expect(current()).toBeUndefined();
  });

  slow("pressing the shortcut again opens the browser's own search instead", async () => {
    const { bar, box } = await showFound(long());
    let wasTaken: boolean | undefined;
    addEventListener('keydown', (event) => (wasTaken = event.defaultPrevented), { once: true });
    const key = { code: 'KeyF', key: 'f', ctrlKey: true, bubbles: true, cancelable: true };
    box.element().dispatchEvent(new KeyboardEvent('keydown', key));
    expect(wasTaken).toBe(false);
    await expect.element(bar).not.toBeInTheDocument();
  });

  slow('shows both the search bar and the match on a phone', async () => {
    const { bar, box } = await showFound(long(), phone);
    await box.fill('zebra');
    const { left, right } = bar.element().getBoundingClientRect();
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(390);
    await expect.poll(isInView).toBe(true);
  });

  slow('keeps counting matches while the chat grows', async () => {
    const told = new Told().you('A zebra?').hearth([text('One zebra.')], 'answered');
    const { box, status, script, message } = await showFound(told.chat);
    await box.fill('zebra');
    await expect.element(status).toHaveTextContent('of 2');
    await message.fill('Another zebra?');
    await userEvent.keyboard('{Enter}');
    script.end('answered', [text('Yes, a zebra.')]);
    await expect.element(status).toHaveTextContent('of 4');
  });
});
