import { expose } from 'comlink';
import { readFreeBytes } from '../src/platform/free-bytes';
import { serveBackup } from '../src/backup/serve-backup';

expose(serveBackup({ freeBytes: readFreeBytes }));
