import type { CustomToolContent } from '../../../contracts/custom-tool';
import { businessDays, colorTool, unitConverter, currencyConverter, randomPicker } from './number-tools';
import { textEncoder, jsonQuery, tableQuery, regexTester, textStatistics } from './text-tools';

export const galleryTools: readonly CustomToolContent[] = [
  unitConverter,
  currencyConverter,
  jsonQuery,
  textStatistics,
  regexTester,
  colorTool,
  randomPicker,
  textEncoder,
  businessDays,
  tableQuery,
];
