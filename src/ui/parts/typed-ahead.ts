/** Buffers what the user types while a text box loads. Otherwise, the message box would get and send it. */
import { on } from 'svelte/events';

type TextBox = HTMLInputElement | HTMLTextAreaElement;

const maxRenderMs = 2000;

const openedTextBoxSelector = 'dialog[open] :is(input, textarea), [role="search"] input';

/**
 * Types the buffered keys into the box that a shortcut opens. If none opens, types them into the focused box, but
 * without Enter. Escape discards the buffer. Returns a function that ends the buffering.
 */
export function bufferTyping(loading: Promise<unknown>): () => void {
  let text = '';
  let isEntered = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasEnded = false;
  const listening = [
    on(window, 'keydown', onKey, { capture: true }),
    on(window, 'pointerdown', end, { capture: true }),
    on(document, 'focusin', onFocus),
  ];
  loading.then(() => {
    if (!hasEnded) timer = setTimeout(end, maxRenderMs);
  }, end);
  return end;

  function stop() {
    hasEnded = true;
    clearTimeout(timer);
    for (const unlisten of listening) unlisten();
  }

  function end() {
    if (hasEnded) return;
    stop();
    if (isTextBox(document.activeElement)) typeInto(document.activeElement, text, false);
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
    if (!isTextBox(target) || !target.matches(openedTextBoxSelector)) return;
    stop();
    // The focus handlers of the box may select its text, so they must run first.
    queueMicrotask(() => typeInto(target, text, isEntered));
  }
}

function isTextBox(target: EventTarget | null): target is TextBox {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

function typeInto(box: TextBox, text: string, isEntered: boolean): void {
  if (text !== '') {
    box.setRangeText(text, box.selectionStart ?? 0, box.selectionEnd ?? 0, 'end');
    box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
  }
  if (!isEntered) return;
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
  // A synthetic key press does not submit the form.
  if (box.dispatchEvent(enter)) box.form?.requestSubmit();
}
