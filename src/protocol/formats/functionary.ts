/** functionary 3.2: `>>>f⏎{…}`. Python's prompt looks alike, so it must fit. */
import { namedValue } from '../codecs/named-value';
import type { ToolCallFormat } from '../format';

export const functionary: ToolCallFormat = {
  id: 'functionary',
  reading: { open: ['>>>'], close: [], bodies: [namedValue], at: 'line', isBare: true },
};
