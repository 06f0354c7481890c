/**
 * Worker entry: the only way to the network, started from its file to escape the page's policy
 * (docs/decisions/2026-11-21-one-door-out.md). No top-level await, because early messages would be lost.
 */
import { expose } from 'comlink';
import { serveEgress } from '../src/egress/serve-egress';

expose(serveEgress());
