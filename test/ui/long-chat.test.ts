import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { show } from './show';
import { text, Told } from './told';
import { slow } from '../support/matrix';

const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, at) => `Paragraph ${at}.`).join('\n\n');
const scroller = () => document.querySelector<HTMLElement>('main .scroll')!;
const fromEnd = () => scroller().scrollHeight - scroller().scrollTop - scroller().clientHeight;

function manyTurns(count: number) {
  const told = new Told();
  for (let at = 0; at < count; at++)
    told.you(`Question ${at}`).hearth([text(paragraphs(1 + (at % 7)))], 'answered');
  return told.chat;
}

describe('a chat that grows', () => {
  async function showGrowing() {
    const shown = await show(new Told().you('Tell me').hearth([text(paragraphs(60))], 'answered').chat);
    await expect.element(shown.screen.getByText('Paragraph 59.')).toBeVisible();
    await shown.message.fill('More');
    await userEvent.keyboard('{Enter}');
    await expect.element(shown.screen.getByText('Ember is reading')).toBeVisible();
    return shown;
  }

  test('stays scrolled to its end while the reader is there', async () => {
    const { screen, script } = await showGrowing();
    for (let at = 0; at < 40; at++) {
      script.text(`More ${at}.\n\n`);
      if (at % 10 === 0) await expect.element(screen.getByText(`More ${at}.`)).toBeInTheDocument();
    }
    await expect.element(screen.getByText('More 39.')).toBeVisible();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    await expect.element(screen.getByRole('button', { name: 'Jump to the latest' })).not.toBeInTheDocument();
  });

  slow('stays where the reader scrolled to, and offers a button back to the end', async () => {
    const { screen, script } = await showGrowing();
    scroller().scrollTop -= 300;
    const jump = screen.getByRole('button', { name: 'Jump to the latest' });
    await expect.element(jump).toBeVisible();
    // New content in view takes a few frames to reach its height.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    const { left, top, width, height } = scroller().getBoundingClientRect();
    const read = document.elementFromPoint(left + width / 2, top + height / 2)!;
    const place = read.getBoundingClientRect().top;
    script.text(paragraphs(40));
    await expect.poll(fromEnd).toBeGreaterThan(600);
    expect(Math.abs(read.getBoundingClientRect().top - place)).toBeLessThan(2);
    await jump.click();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    await expect.element(jump).not.toBeInTheDocument();
  });

  slow('scrolls to a new question wherever the reader was', async () => {
    const { screen, message, script } = await showGrowing();
    script.end('answered', [text('Done.')]);
    await expect.element(screen.getByText('Done.')).toBeVisible();
    scroller().scrollTop = 0;
    await expect.element(screen.getByRole('button', { name: 'Jump to the latest' })).toBeVisible();
    await message.fill('Next');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByText('Next')).toBeInViewport();
  });
});

describe('a chat of hundreds of messages', () => {
  slow('opens at its end and shows earlier messages on request', async () => {
    const { screen } = await show(manyTurns(150));
    await expect.element(screen.getByText('Question 149')).toBeInViewport();
    expect(screen.getByRole('article', { name: 'You' }).elements().length).toBeLessThan(100);
    await expect.element(screen.getByText('Question 0', { exact: true })).not.toBeInTheDocument();
    const goUp = () => {
      scroller().scrollTop = 0;
      return screen.getByText('Question 0', { exact: true }).elements().length;
    };
    await expect.poll(goUp, { timeout: 10_000 }).toBe(1);
    expect(screen.getByRole('article', { name: 'You' }).elements()).toHaveLength(150);
    await expect
      .element(screen.getByRole('button', { name: 'Show earlier messages' }))
      .not.toBeInTheDocument();
  });

  test('visible messages stay in place when earlier ones are added', async () => {
    const { screen } = await show(manyTurns(100));
    await expect.element(screen.getByText('Question 99')).toBeInViewport();
    const asked = () => screen.getByRole('article', { name: 'You' }).elements();
    const [first] = asked();
    scroller().scrollTop = 0;
    const before = first!.getBoundingClientRect().top;
    await expect.poll(() => asked()[0] !== first).toBe(true);
    await expect.poll(() => Math.abs(first!.getBoundingClientRect().top - before)).toBeLessThan(2);
  });

  slow(
    'nothing jumps while the reader scrolls up through messages that have not been drawn yet',
    async () => {
      const told = new Told();
      const sentence = 'It goes on and on, a little more each time. ';
      for (let at = 0; at < 12; at++)
        told.you(`Question ${at}`).hearth([text(sentence.repeat(5 + ((at * 7) % 30)))], 'answered');
      const { screen } = await show(told.chat);
      await expect.element(screen.getByText('Question 11')).toBeInViewport();
      await expect.poll(() => screen.getByRole('article', { name: 'You' }).elements().length).toBe(12);
      const frames = async (count: number) => {
        for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame);
      };
      let moved = 0;
      while (scroller().scrollTop > 0) {
        scroller().scrollTop -= 400;
        const articles = [...scroller().querySelectorAll('article')];
        const seen = articles.find((one) => one.getBoundingClientRect().bottom > 100)!;
        const before = seen.getBoundingClientRect().bottom;
        await frames(4);
        moved += Math.abs(seen.getBoundingClientRect().bottom - before);
      }
      expect(moved).toBeLessThan(20);
    },
  );

  slow('keeps older messages on the screen while new messages arrive', async () => {
    const { screen, message, script } = await show(manyTurns(20));
    const asked = () => screen.getByRole('article', { name: 'You' }).elements();
    await expect.poll(() => asked().length).toBe(12);
    const [first] = asked();
    await message.fill('More');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => asked().length).toBe(13);
    expect(asked()[0]).toBe(first);
    script.end('answered', [text('Done.')]);
    await expect.element(screen.getByText('Done.')).toBeVisible();
  });

  slow('a reader who scrolls during a jump to a message is not moved back', async () => {
    const { screen, app } = await show(manyTurns(60));
    await expect.element(screen.getByText('Question 59')).toBeInViewport();
    const frames = async (count: number) => {
      for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame);
    };
    const shown = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => {
      if (shown.mock.calls.length === 2) scroller().dispatchEvent(new WheelEvent('wheel', { bubbles: true }));
    });
    onTestFinished(() => shown.mockRestore());
    location.hash = `#/chat/${app.session!.id}/n40`;
    await expect.poll(() => shown.mock.calls.length).toBe(2);
    await frames(20);
    expect(shown).toHaveBeenCalledTimes(2);
  });

  slow('a jump to an early message first shows only the messages around it', async () => {
    const { screen, app, message } = await show(manyTurns(260));
    await expect.element(screen.getByText('Question 259')).toBeInViewport();
    const asked = () => screen.getByRole('article', { name: 'You' }).elements().length;
    location.hash = `#/chat/${app.session!.id}/n40`;
    await expect.element(screen.getByText('Question 20', { exact: true })).toBeInViewport();
    expect(asked()).toBeLessThan(100);
    await expect.element(screen.getByText('Question 259')).not.toBeInTheDocument();
    const goDown = () => {
      scroller().scrollTop = scroller().scrollHeight;
      return screen.getByText('Question 70', { exact: true }).elements().length;
    };
    await expect.poll(goDown).toBe(1);
    await expect.element(screen.getByText('Question 259')).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Jump to the latest' }).click();
    await expect.element(screen.getByText('Question 259')).toBeInTheDocument();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    expect(asked()).toBeLessThan(100);
    // The new question is added at the end, and the chat scrolls to it.
    location.hash = `#/chat/${app.session!.id}/n0`;
    await expect.element(screen.getByText('Question 0', { exact: true })).toBeInViewport();
    await message.fill('More of it');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByText('More of it')).toBeInViewport();
    await expect.element(screen.getByText('Question 259')).toBeInTheDocument();
  });
});
