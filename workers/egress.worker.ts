/**
 * Worker entry: the one door out, behind Comlink. Started from its file, so that the page's policy does not hold it
 * (docs/decisions/2026-11-21-one-door-out.md). No top-level await: early messages would be lost.
 */
import { expose } from 'comlink';
import { serveEgress } from '../src/egress/serve-egress';

expose(serveEgress());
