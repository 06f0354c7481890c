import { expose } from 'comlink';
import { z } from '../src/contracts/schema';
import { readHtml } from '../src/tools/builtin/fetch-page/read-html';
import type { ReadPageWorkerApi } from '../src/tools/builtin/fetch-page';

const PageInput = z.object({ html: z.string(), url: z.url() });

expose({
  read(html, url) {
    const page = PageInput.parse({ html, url });
    return readHtml(page.html, page.url);
  },
} satisfies ReadPageWorkerApi);
