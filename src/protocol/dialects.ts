/**
 * The formats that have a dialect, by which models are prompted. Separate from the registry, because the reader reads every format without the
 * dialect of the small model.
 */
import type { Dialect, ToolCallFormat } from './format';
import { formats, hermesDialect } from './formats';

/** The format of the small model that ships with the app. Empty in a build without `src/ember`. */
const smallModelFormats = Object.values(
  import.meta.glob<ToolCallFormat>('../ember/dialect.ts', { eager: true, import: 'ember' }),
);

export const formatsWithDialect: readonly (ToolCallFormat & { dialect: Dialect })[] = [
  ...formats,
  ...smallModelFormats,
].flatMap((format) => (format.dialect ? { ...format, dialect: format.dialect } : []));

/** The dialect of a format. Falls back to Hermes, which most models were trained on. */
export function dialectOf(id: string): Dialect {
  return formatsWithDialect.find((format) => format.id === id)?.dialect ?? hermesDialect;
}
