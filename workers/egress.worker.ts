/**
 * The app's only way to the network. A separate file, so the page's content security policy does not apply
 * (docs/decisions/2026-11-21-one-door-out.md). Contains no top-level await, which would lose early messages.
 */
import { expose } from 'comlink';
import { serveEgress } from '../src/egress/serve-egress';

expose(serveEgress());
