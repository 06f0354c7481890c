/** Every persona of the gallery: one line each. */
import { assistant } from './assistant';
import { codeReviewer } from './code-reviewer';
import { companion } from './companion';
import type { GalleryEntry } from './entry';
import { summariser } from './summariser';
import { translator } from './translator';
import { tutor } from './tutor';
import { typedWriter } from './typed-writer';
import { writer } from './writer';

export const gallery: readonly GalleryEntry[] = [
  assistant,
  writer,
  translator,
  summariser,
  tutor,
  codeReviewer,
  companion,
  typedWriter,
];
