/** Reads files. Without top-level await, because messages that arrive during it would be lost. */
import { expose } from 'comlink';
import { serveFiles } from '../src/tools/attachments/serve-files';

expose(serveFiles());
