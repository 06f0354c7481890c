/** Puts what was said into a text, where the caret stands. */

/** Written without spaces between words, or punctuation that none follows. */
const unspaced = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}、-〟！-｠]';

/** PURE: with the spaces that are needed between it and what stands there. */
export function fitWords(before: string, said: string, after: string): string {
  const words = said.trim();
  if (words === '') return '';
  const isOpen =
    /(?:^|[\s([{“‘«/])$/u.test(before) ||
    new RegExp(`${unspaced}$`, 'u').test(before) ||
    new RegExp(`^(?:${unspaced}|[,.;:!?])`, 'u').test(words);
  const isClosed = /^(?:$|[\s)\]},.;:!?”’»])/u.test(after);
  const isJoined =
    isClosed || new RegExp(`${unspaced}$`, 'u').test(words) || new RegExp(`^${unspaced}`, 'u').test(after);
  return `${isOpen ? '' : ' '}${words}${isJoined ? '' : ' '}`;
}

/** Nothing that was typed goes, not even what is selected. */
export function putWords(box: HTMLTextAreaElement, said: string): void {
  const { value, selectionEnd: at } = box;
  const words = fitWords(value.slice(0, at), said, value.slice(at));
  if (words === '') return;
  box.setRangeText(words, at, at, 'end');
  box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: words }));
}
