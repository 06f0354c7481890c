/** Every tool of the gallery: one line each. They are tools like a person's own, in the same sandbox. */
import type { CustomToolContent } from '../../../contracts/custom-tool';
import { businessDays } from './business-days';
import { color } from './color';
import { convertUnits } from './convert-units';
import { currency } from './currency';
import { encodeText } from './encode-text';
import { jsonQuery } from './json-query';
import { queryTable } from './query-table';
import { randomPick } from './random-pick';
import { regexTest } from './regex-test';
import { textStatistics } from './text-statistics';

export const gallery: readonly CustomToolContent[] = [
  convertUnits,
  currency,
  jsonQuery,
  textStatistics,
  regexTest,
  color,
  randomPick,
  encodeText,
  businessDays,
  queryTable,
];
