/** The first Ember: its tools are in its weights, and it never saw a system text. */
import type { ToolCallFormat } from '../format';
import { emberCalls } from './ember';

export const emberPilot: ToolCallFormat = { id: 'ember-pilot', dialect: emberCalls };
