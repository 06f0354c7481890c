/**
 * Why a file could not be read. `office`: a spreadsheet or slides; `old-office`: of the time before 2007; `archive`: other files packed
 * into one; `pixels`: a picture of more of them than is unpacked; `encrypted`: it asks for a password; `scanned`: a PDF of pictures alone; `bomb`: it unpacks to more than anyone reads;
 * `slow`: it took too long, and was given up; `missing`: the code that reads such files was not reachable.
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
