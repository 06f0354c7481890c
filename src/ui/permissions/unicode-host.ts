/** A host name in punycode as its letters (RFC 3492): browsers write the one and have no function for the other. */

/** The same name with its letters, or nothing where it is ASCII or cannot be read. */
export function unicodeHost(host: string): string | undefined {
  const labels = host.split('.').map((label) => (label.startsWith('xn--') ? decode(label.slice(4)) : label));
  if (labels.includes(undefined)) return undefined;
  const written = labels.join('.');
  return written === host ? undefined : written;
}

const [base, tMin, tMax, skew, damp] = [36, 1, 26, 38, 700];

function decode(text: string): string | undefined {
  const delimiter = text.lastIndexOf('-');
  // What is ASCII in it stands first, as it is.
  const output = Array.from(text.slice(0, Math.max(delimiter, 0)), (letter) => letter.charCodeAt(0));
  let point = 128;
  let bias = 72;
  let index = 0;
  for (let at = delimiter > 0 ? delimiter + 1 : 0; at < text.length;) {
    const before = index;
    for (let weight = 1, step = base; ; step += base) {
      const digit = digitOf(text[at++]);
      if (digit === undefined) return undefined;
      index += digit * weight;
      const threshold = Math.min(Math.max(step - bias, tMin), tMax);
      if (digit < threshold) break;
      weight *= base - threshold;
      if (weight > 0x7fffffff) return undefined;
    }
    const length = output.length + 1;
    bias = adapt(index - before, length, before === 0);
    point += Math.floor(index / length);
    if (point > 0x10ffff) return undefined;
    index %= length;
    output.splice(index++, 0, point);
  }
  return String.fromCodePoint(...output);
}

function digitOf(letter: string | undefined): number | undefined {
  if (letter === undefined || !/[a-z0-9]/i.test(letter)) return undefined;
  const value = parseInt(letter, 36);
  // Letters come first here: a is 0, and the digit 0 is 26.
  return value >= 10 ? value - 10 : value + 26;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let left = isFirst ? Math.floor(delta / damp) : delta >> 1;
  left += Math.floor(left / length);
  let steps = 0;
  for (; left > ((base - tMin) * tMax) >> 1; steps += base) left = Math.floor(left / (base - tMin));
  return steps + Math.floor(((base - tMin + 1) * left) / (left + skew));
}
