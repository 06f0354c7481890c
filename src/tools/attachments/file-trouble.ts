/**
 * Why a file could not be read. `office`: a spreadsheet or slides. `old-office`: a format from before 2007.
 * `archive`: an archive of other files. `pixels`: an image with too many pixels. `scanned`: a PDF without text.
 * `bomb`: it unpacks to too much data. `slow`: timeout. `missing`: the reader's code could not be loaded.
 */
export type FileTroubleCode =
  | 'archive'
  | 'bomb'
  | 'damaged'
  | 'empty'
  | 'encrypted'
  | 'missing'
  | 'office'
  | 'old-office'
  | 'pixels'
  | 'scanned'
  | 'slow'
  | 'unknown';

export class FileTrouble extends Error {
  readonly code: FileTroubleCode;

  constructor(code: FileTroubleCode) {
    super(`This file could not be read: ${code}.`);
    this.code = code;
  }
}
