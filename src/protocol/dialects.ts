/** The formats that prompts can use. Separate from `formats.ts`, because the reader does not need the small model's dialect. */
import type { Dialect, ToolCallFormat } from './format';
import { toolCallFormats, hermesDialect } from './formats';

/** The shipped small model's format. Empty in a build without `src/ember`. */
const smallModelFormats = Object.values(
  import.meta.glob<ToolCallFormat>('../ember/dialect.ts', { eager: true, import: 'emberFormat' }),
);

export const formatsWithDialect: readonly (ToolCallFormat & { dialect: Dialect })[] = [
  ...toolCallFormats,
  ...smallModelFormats,
].flatMap((format) => (format.dialect ? { ...format, dialect: format.dialect } : []));

export function dialectOf(id: string): Dialect {
  return formatsWithDialect.find((format) => format.id === id)?.dialect ?? hermesDialect;
}
