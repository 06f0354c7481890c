import { expose } from 'comlink';
import { readFreeBytes } from '../src/platform/free-bytes';
import { waitForLock } from '../src/platform/waiting-locks';
import { serveBackup } from '../src/backup/serve-backup';

/** In milliseconds. Reading a small backup takes less time. */
const lockPatience = 5000;

expose(serveBackup({ freeBytes: readFreeBytes, lock: (name) => waitForLock(name, lockPatience) }));
