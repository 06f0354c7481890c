/** Takes a long JSON text apart while it comes: a list of objects, one object, or objects one after another, as lines are. */
import { damaged, tooLarge, unknown } from '../failures';

/** Characters in one object: a chat with all its messages. */
const mostCharacters = 64_000_000;

const [quote, backslash] = ['"', '\\'].map((mark) => mark.charCodeAt(0));
const opening = new Set(['{', '['].map((mark) => mark.charCodeAt(0)));
const closing = new Set(['}', ']'].map((mark) => mark.charCodeAt(0)));

const noChats = 'It is no list of chats.';

/** What may come between two objects, and where one stands there. */
class Between {
  #isList = false;
  #place: 'start' | 'first' | 'behind' | 'comma' | 'end' = 'start';

  /** Takes one mark. True where it opens an object. */
  take(mark: string): boolean {
    const isOpening = mark === '{';
    if (/[\s\ufeff]/.test(mark)) return false;
    if (this.#place === 'start' && !isOpening && mark !== '[') throw unknown(noChats);
    if (this.#place === 'start' && mark === '[') {
      this.#isList = true;
      this.#place = 'first';
    } else if (isOpening && this.#mayOpen()) this.#place = 'behind';
    else if (this.#isList && mark === ',' && this.#place === 'behind') this.#place = 'comma';
    else if (this.#isList && mark === ']' && (this.#place === 'behind' || this.#place === 'first'))
      this.#place = 'end';
    else if (this.#place === 'first') throw unknown(noChats);
    else throw damaged(`It is no JSON: ${JSON.stringify(mark)} stands between two chats.`);
    return isOpening;
  }

  end(): void {
    if (this.#isList && this.#place !== 'end') throw damaged('It breaks off.');
  }

  #mayOpen(): boolean {
    return this.#isList ? this.#place === 'first' || this.#place === 'comma' : this.#place !== 'end';
  }
}

/** Each object as text, to be read as JSON: only where it ends was looked for. Rejects with an `AppError` where they do not stand as they must. */
export async function* objectsIn(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const between = new Between();
  let held: string[] = [];
  let length = 0;
  let [depth, isText, isEscaped] = [0, false, false];
  for await (const text of texts) {
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (depth === 0) {
        if (!between.take(text.charAt(at))) continue;
        from = at;
        depth = 1;
      } else if (isText) {
        if (isEscaped) isEscaped = false;
        else if (code === backslash) isEscaped = true;
        else if (code === quote) isText = false;
      } else if (code === quote) isText = true;
      // Most marks are none of these.
      else if (code > 90 && opening.has(code)) depth++;
      else if (code > 90 && closing.has(code) && --depth === 0) {
        yield held.join('') + text.slice(from, at + 1);
        held = [];
        length = 0;
      }
    }
    if (depth === 0) continue;
    held.push(text.slice(from));
    length += text.length - from;
    if (length > mostCharacters) throw tooLarge('A chat in it is too long.');
  }
  if (depth > 0) throw damaged('It breaks off.');
  between.end();
}
