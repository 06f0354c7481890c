import { expose } from 'comlink';
import { serveFiles } from '../src/tools/attachments/serve-files';

expose(serveFiles());
