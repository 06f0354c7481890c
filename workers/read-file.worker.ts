/** Worker entry: reads a person's files and asks their tables behind Comlink. No top-level await: early messages would be lost. */
import { expose } from 'comlink';
import { serveFiles } from '../src/tools/attachments/serve-files';

expose(serveFiles());
