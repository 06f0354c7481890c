/** Runs beside every end-to-end file: they share a worker, and with it the browser. */
import { afterAll } from 'vitest';
import { closeOwnBrowsers } from './site';

afterAll(closeOwnBrowsers);
