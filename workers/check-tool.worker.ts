import { expose } from 'comlink';
import { checkerApi } from '../src/tools/custom/serve-checks';

expose(checkerApi);
