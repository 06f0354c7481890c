/** Worker entry. No top-level await, because early messages would be lost. */
import { expose } from 'comlink';
import { serveFiles } from '../src/tools/attachments/serve-files';

expose(serveFiles());
