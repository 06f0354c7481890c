import type { CustomToolContent } from '../../../contracts/custom-tool';
import { businessDays, color, convertUnits, currency, randomPick } from './number-tools';
import { encodeText, jsonQuery, queryTable, regexTest, textStatistics } from './text-tools';

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
