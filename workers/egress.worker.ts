/**
 * The app's only way to the network. A separate file, so the page's content security policy does not apply
 * (docs/decisions/2026-11-21-one-door-out.md). Contains no top-level await, because messages that arrive during one would be lost.
 */
import { expose } from 'comlink';
import { serveEgress } from '../src/egress/serve-egress';

expose(serveEgress());
