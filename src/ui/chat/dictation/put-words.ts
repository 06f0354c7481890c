/** Puts what was said into a text, where the caret stands. */

/** Written without spaces between words, or punctuation that none follows. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}、-〟！-｠]/u;

/** PURE: with the spaces that are needed between it and what stands there. */
export function fitWords(before: string, said: string, after: string): string {
  const words = said.trim();
  if (words === '') return '';
  const left = [...before].at(-1);
  const [first = '', last = ''] = [[...words][0], [...words].at(-1)];
  const right = [...after][0];
  const isOpen =
    left === undefined || /[\s([{“‘«/]/u.test(left) || unspaced.test(left) || unspaced.test(first);
  const isClosed = right === undefined || /[\s)\]},.;:!?”’»]/u.test(right);
  const isJoined = isClosed || unspaced.test(last) || unspaced.test(right);
  return `${isOpen || /^[,.;:!?]/u.test(words) ? '' : ' '}${words}${isJoined ? '' : ' '}`;
}

/** Nothing that was typed goes, not even what is selected. */
export function putWords(box: HTMLTextAreaElement, said: string): void {
  const { value, selectionEnd: at } = box;
  const words = fitWords(value.slice(0, at), said, value.slice(at));
  if (words === '') return;
  box.setRangeText(words, at, at, 'end');
  box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: words }));
}
