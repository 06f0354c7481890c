/** Encrypts a whole file with a passphrase, in the age format (https://age-encryption.org/v1). */
import { AppError } from '../contracts/app-error';
import { loadCode } from '../platform/load-code';
import {
  readBeginning,
  createDamagedBackupError,
  readPieces,
  createRefusedBackupError,
  toStream,
  toReadingError,
} from './streams';

const ageFileSignature = 'age-encryption.org/v1\n';
const maxHeaderBytes = 400;

/** `workFactor`: base-2 logarithm of scrypt's cost. By default, each attempt takes about a second and 256 MB. */
export async function encrypt(
  plain: ReadableStream<Uint8Array>,
  passphrase: string,
  workFactor?: number,
): Promise<ReadableStream<Uint8Array>> {
  const { Encrypter } = await loadCode(import('age-encryption'));
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  if (workFactor !== undefined) encrypter.setScryptWorkFactor(workFactor);
  return encrypter.encrypt(plain);
}

export async function isEncrypted(file: Blob): Promise<boolean> {
  return (await readBeginning(file, maxHeaderBytes)).startsWith(ageFileSignature);
}

/** Rejects with `backup-passphrase` if the passphrase is wrong. If the file is damaged further on, reading the stream rejects. */
export async function decrypt(file: Blob, passphrase: string): Promise<ReadableStream<Uint8Array>> {
  if (!(await readBeginning(file, maxHeaderBytes)).includes('\n-> scrypt '))
    throw new AppError('backup-unknown', 'It is encrypted, but not with a passphrase.');
  const { Decrypter } = await loadCode(import('age-encryption'));
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return toStream(convertErrors(await decrypter.decrypt(file.stream())));
  } catch (error) {
    throw toHeaderError(error);
  }
}

function toHeaderError(error: unknown): Error {
  const text = error instanceof Error ? error.message : '';
  if (text.includes('no identity matched')) return new AppError('backup-passphrase', text);
  // The library refuses a very high work factor, which would hang the device.
  if (text.includes('work factor')) return createRefusedBackupError(text);
  return toReadingError(error);
}

async function* convertErrors(bytes: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* readPieces(bytes);
  } catch (error) {
    // If a chunk cannot be decrypted, the file was changed or truncated.
    throw error instanceof AppError ? error : createDamagedBackupError(String(error));
  }
}
