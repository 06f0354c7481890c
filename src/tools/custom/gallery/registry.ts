import type { CustomToolContent } from '../../../contracts/custom-tool';
import { businessDays, colorTool, convertUnits, convertCurrency, randomPick } from './number-tools';
import { encodeText, jsonQuery, queryTable, regexTest, textStatistics } from './text-tools';

export const gallery: readonly CustomToolContent[] = [
  convertUnits,
  convertCurrency,
  jsonQuery,
  textStatistics,
  regexTest,
  colorTool,
  randomPick,
  encodeText,
  businessDays,
  queryTable,
];
