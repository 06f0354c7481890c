/** Buffers the keys that the user types while the code of a text box loads. The message box would otherwise get the letters and send them on Enter. */
import { on } from 'svelte/events';

type TextBox = HTMLInputElement | HTMLTextAreaElement;

const maxRenderMs = 2000;

const openedByKeySelector = 'dialog[open] :is(input, textarea), [role="search"] input';

/**
 * Buffers letters and Enter until a text box that a shortcut opened takes the focus, then types them there. If no box appears, the letters go to
 * the focused text box and Enter is dropped. Escape discards the buffer. Returns a function that ends the buffering.
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
    if (!isTextBox(target) || !target.matches(openedByKeySelector)) return;
    stop();
    // Let the focus handlers of the box run first, because they may select its text.
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
