/** Worker entry. No top-level await, because early messages would be lost. */
import { expose } from 'comlink';
import { freeBytes } from '../src/platform/free-bytes';
import { serveBackup } from '../src/backup/serve-backup';

expose(serveBackup({ freeBytes }));
