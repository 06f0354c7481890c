import { describe, expect, test } from 'vitest';
import { findDates } from '../../../../src/state/claims/dates-in';

const names = [
  ['january', 'jan', 'januar', 'janvier', 'enero'],
  ['february', 'feb', 'februar', 'février', 'febrero'],
  ['march', 'mar', 'märz', 'mars', 'marzo'],
  ['april', 'apr', 'avril', 'abril'],
  ['may', 'mai', 'mayo'],
  ['june', 'jun', 'juni', 'juin', 'junio'],
  ['july', 'jul', 'juli', 'juillet', 'julio'],
  ['august', 'aug', 'août', 'agosto'],
  ['september', 'sept', 'sep', 'septembre', 'septiembre'],
  ['october', 'oct', 'oktober', 'okt', 'octobre', 'octubre'],
  ['november', 'nov', 'novembre', 'noviembre'],
  ['december', 'dec', 'dezember', 'dez', 'décembre', 'diciembre'],
];

describe('month names in dates', () => {
  test.each(names.map((some, index) => ({ some, month: index + 1 })))(
    'they are recognised in four languages: month $month',
    ({ some, month }) => {
      for (const name of [...some, ...some.map((one) => one.toUpperCase())]) {
        expect(findDates(`3 ${name} 2026`)[0]?.readings, name).toEqual([{ year: 2026, month, day: 3 }]);
      }
    },
  );
});
