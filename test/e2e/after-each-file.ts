/** Runs after every end-to-end file: all files share a worker, and with it the browser. */
import { afterAll } from 'vitest';
import { closeOwnBrowsers } from './site';

afterAll(closeOwnBrowsers);
