/** PURE: what a run of digits says, and the words and signs behind it that make it larger. */
import { matchAt } from './narrow';

/** One way to read the digits. */
export interface Reading {
  value: number;
  /** What its last written digit is worth: of `1.25`, 0.01. */
  step: number;
}

/** All that a run of digits with separators may mean. Empty where it is no one number. */
export function readDigits(written: string): Reading[] {
  const bare = written.replace(/(?<=\d)['_](?=\d{3}(?!\d))/g, '');
  if (/['_]/.test(bare)) return [];
  const read = (whole: string, fraction = ''): Reading => ({
    value: Number(fraction === '' ? whole : `${whole}.${fraction}`),
    step: 10 ** -fraction.length,
  });
  if (/^\d+$/.test(bare)) return [read(bare)];
  const [, whole = '', fraction] = /^(\d+)[.,](\d+)$/.exec(bare) ?? [];
  if (fraction !== undefined) {
    const decimal = read(whole, fraction);
    if (!/^[1-9]\d{0,2}[.,]\d{3}$/.test(bare)) return [decimal];
    return bare.includes(',') ? [read(whole + fraction), decimal] : [decimal, read(whole + fraction)];
  }
  const grouped =
    /^(\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/.exec(bare) ??
    /^(\d{1,3}(?:\.\d{3})+)(?:,(\d+))?$/.exec(bare) ??
    /^(\d{1,2}(?:,\d{2})+,\d{3})(?:\.(\d+))?$/.exec(bare);
  return grouped ? [read((grouped[1] ?? '').replace(/[.,]/g, ''), grouped[2])] : [];
}

const exponent =
  /[eE]([+-]?\d{1,2})(?![\w.])|\s?[×x*·]\s?10(?:\^|\*\*)\(?([+-]?\d{1,2})\)?|\s?[×x]\s?10([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})/y;
const magnitude =
  /[ -]?(thousand|million|billion|trillion|mio\.?|mrd\.?|bn|mn)\b|([kKM])(?![\p{Script=Latin}\p{N}])|([百千万亿]{1,2})(?![米克瓦卡])/iuy;
const magnitudes: Readonly<Record<string, number>> = {
  thousand: 1e3,
  k: 1e3,
  million: 1e6,
  mio: 1e6,
  mn: 1e6,
  m: 1e6,
  billion: 1e9,
  bn: 1e9,
  mrd: 1e9,
  trillion: 1e12,
  百: 100,
  千: 1e3,
  万: 1e4,
  百万: 1e6,
  千万: 1e7,
  亿: 1e8,
  十亿: 1e9,
  百亿: 1e10,
  千亿: 1e11,
  万亿: 1e12,
};

/** `million`, `k`, `万`, `e9`, `× 10^12` at a place. */
export function scaleAt(text: string, at: number): { factor: number; length: number } | undefined {
  const power = matchAt(exponent, text, at);
  if (power) {
    const written =
      power[1] ??
      power[2] ??
      Array.from(power[3] ?? '')
        .map((sign) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign))
        .join('');
    return { factor: 10 ** Number(written), length: power[0].length };
  }
  const named = matchAt(magnitude, text, at);
  if (!named) return undefined;
  const [all, name, letter, chinese] = named;
  if (letter === 'm') return undefined;
  const factor = magnitudes[(name ?? letter ?? chinese ?? '').toLowerCase().replace('.', '')];
  return factor === undefined ? undefined : { factor, length: all.length };
}
