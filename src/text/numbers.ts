/** Compares numbers as people write them: with digit separators, as a percentage, or rounded. */

export interface WrittenNumber {
  value: number;
  decimals: number;
  isPercent: boolean;
}

export function numbersIn(text: string): WrittenNumber[] {
  const plain = text.normalize('NFKC').replace(/(?<=\d)[,\u00a0\u202f ](?=\d{3}(?!\d))/g, '');
  return Array.from(plain.matchAll(/(\d+(?:\.(\d+))?)\s*(%?)/g), ([, digits, decimals = '', percent]) => ({
    value: Number(digits),
    decimals: decimals.length,
    isPercent: percent === '%',
  }));
}

/** True if `said` is `known`, perhaps rounded or written as a percentage. */
export function isSameNumber(said: WrittenNumber, known: WrittenNumber): boolean {
  const value = said.isPercent && !known.isPercent ? known.value * 100 : known.value;
  const isRounded = Math.abs(said.value - value) <= 0.5000001 * 10 ** -said.decimals;
  const isClose = Math.abs(said.value - value) <= 0.05 * value;
  return said.value === known.value || (isRounded && isClose);
}
