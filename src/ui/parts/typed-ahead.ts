/** What is typed for a box whose code is still being fetched: without this it would go into the message box, and Enter would send it. */
import { on } from 'svelte/events';

type Box = HTMLInputElement | HTMLTextAreaElement;

/** Longer than it takes to draw what was fetched; by then it has its box, or was closed. */
const drawnWithinMs = 2000;

/** Boxes that can be opened by a key. */
const opened = 'dialog[open] :is(input, textarea), [role="search"] input';

/**
 * Keeps the letters, and Enter after them, until such a box has the focus, and puts them there. Where none comes they go to where they
 * were typed, and nothing is sent. Escape takes them away. What an input method composes is not held.
 * @returns What ends it.
 */
export function holdTyping(loading: Promise<unknown>): () => void {
  let text = '';
  let isEntered = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const listening = [
    on(window, 'keydown', onKey, { capture: true }),
    on(window, 'pointerdown', end, { capture: true }),
    on(document, 'focusin', onFocus),
  ];
  loading.then(() => {
    if (!isOver) timer = setTimeout(end, drawnWithinMs);
  }, end);
  return end;

  function stop() {
    isOver = true;
    clearTimeout(timer);
    for (const unlisten of listening) unlisten();
  }

  function end() {
    if (isOver) return;
    stop();
    if (isBox(document.activeElement)) put(document.activeElement, text, false);
  }

  function onKey(event: KeyboardEvent) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      stop();
      return;
    }
    if (event.key === 'Enter') isEntered = true;
    else if (event.key === 'Backspace') text = Array.from(text).slice(0, -1).join('');
    else if (Array.from(event.key).length === 1) text += event.key;
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onFocus({ target }: FocusEvent) {
    if (!isBox(target) || !target.matches(opened)) return;
    stop();
    // What selects its text, and what listens to it, does so first.
    queueMicrotask(() => put(target, text, isEntered));
  }
}

function isBox(target: EventTarget | null): target is Box {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

function put(box: Box, text: string, isEntered: boolean): void {
  if (text !== '') {
    box.setRangeText(text, box.selectionStart ?? 0, box.selectionEnd ?? 0, 'end');
    box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
  }
  if (!isEntered) return;
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
  // A made-up key sends no form.
  if (box.dispatchEvent(enter)) box.form?.requestSubmit();
}
