/**
 * The app's only way to the network. Loaded from its own file, so that the page's content security policy does not apply to it
 * (docs/decisions/2026-11-21-one-door-out.md). Without top-level await, because messages that arrive during it would be lost.
 */
import { expose } from 'comlink';
import { serveEgress } from '../src/egress/serve-egress';

expose(serveEgress());
