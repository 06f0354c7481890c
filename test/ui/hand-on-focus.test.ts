import { expect, onTestFinished, test } from 'vitest';
import { focusAfterRemoval } from '../../src/ui/parts/hand-on-focus';

/** Shows a screen with a heading and two buttons, and focuses the first button. */
function begin() {
  const main = document.createElement('main');
  main.innerHTML = '<h1>A screen</h1><button>Pressed</button><button>Another</button>';
  document.body.append(main);
  onTestFinished(() => main.remove());
  const [pressed, another] = main.querySelectorAll('button');
  pressed!.focus();
  return { main, heading: main.querySelector('h1')!, pressed: pressed!, another: another! };
}

/** Changes the page and waits for the mutation observers. */
async function change(main: HTMLElement): Promise<void> {
  main.append(document.createElement('p'));
  await new Promise((resolve) => setTimeout(resolve));
}

test('the focus moves to the heading when the focused element is removed', async () => {
  const { main, heading, pressed } = begin();
  focusAfterRemoval();
  await change(main);
  expect(document.activeElement).toBe(pressed);
  pressed.remove();
  await change(main);
  expect(document.activeElement).toBe(heading);
});

test('removing an element does not move the focus if the user has already moved it', async () => {
  const { main, pressed, another } = begin();
  focusAfterRemoval();
  another.focus();
  // Tabbing past the last control does this.
  another.blur();
  await change(main);
  expect(document.activeElement).toBe(document.body);
  pressed.remove();
  await change(main);
  expect(document.activeElement).toBe(document.body);
});
