import { expect, onTestFinished, test } from 'vitest';
import { handOnFocus } from '../../src/ui/parts/hand-on-focus';

/** A screen with its heading and two buttons, the first of which has the focus. */
function begin() {
  const main = document.createElement('main');
  main.innerHTML = '<h1>A screen</h1><button>Pressed</button><button>Another</button>';
  document.body.append(main);
  onTestFinished(() => main.remove());
  const [pressed, another] = main.querySelectorAll('button');
  pressed!.focus();
  return { main, heading: main.querySelector('h1')!, pressed: pressed!, another: another! };
}

/** Something else on the page changes, and whoever watches has seen it. */
async function change(main: HTMLElement): Promise<void> {
  main.append(document.createElement('p'));
  await new Promise((resolve) => setTimeout(resolve));
}

test('when a focused element disappears, the heading gets the focus', async () => {
  const { main, heading, pressed } = begin();
  handOnFocus();
  await change(main);
  expect(document.activeElement).toBe(pressed);
  pressed.remove();
  await change(main);
  expect(document.activeElement).toBe(heading);
});

test('a user who moved the focus themselves is not moved back', async () => {
  const { main, pressed, another } = begin();
  handOnFocus();
  another.focus();
  // As past the last control of the page.
  another.blur();
  await change(main);
  expect(document.activeElement).toBe(document.body);
  pressed.remove();
  await change(main);
  expect(document.activeElement).toBe(document.body);
});
