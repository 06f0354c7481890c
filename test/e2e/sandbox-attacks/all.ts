/** Every attack, grouped into files by its target. */
import type { Attack } from './attack';
import { authorityAttacks } from './authority';
import { codeAttacks } from './code';
import { engineAttacks } from './engine';
import { interfaceAttacks } from './interfaces';
import { languageAttacks } from './language';
import { networkAttacks } from './network';

export const attacks: readonly Attack[] = [
  ...networkAttacks,
  ...authorityAttacks,
  ...interfaceAttacks,
  ...engineAttacks,
  ...languageAttacks,
  ...codeAttacks,
];
