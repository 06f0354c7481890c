/** How far what is kept in this browser can be read and written. */
export type StorageCondition =
  | { type: 'opening' }
  | { type: 'ok' }
  /** Nothing can be kept beyond this visit. */
  | { type: 'memory' }
  /** The browser cannot open what is there. */
  | { type: 'unreadable' }
  /** Written by a newer Hearth: left untouched. */
  | { type: 'newer' }
  | { type: 'shortened'; expected: number; found: number }
  /** Another tab holds an older Hearth open. */
  | { type: 'blocked' }
  /** Nothing more can be written: a newer Hearth runs in another tab, another tab deleted everything, or the browser did. */
  | { type: 'closed'; reason: 'updated' | 'deleted' | 'lost' };
