/** What the hosts of `example.com` respond: pages, and every way in which a server can fail or do harm. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Respond, sendJson, sendText } from './outside-answers';

const html = 'text/html; charset=utf-8';
const story = `<!doctype html><html lang="en"><head><title>The lighthouse of Ar</title></head><body>
<nav><a href="/">Home</a> <a href="/data.json">Data</a></nav>
<main><article><h1>The lighthouse of Ar</h1>
<p>The lighthouse of Ar was built in 1887 and is 42 metres high. Its keeper was Maren Holt, who lit it for the first
time on the ninth of May.</p>
<p>It was put out of use in 1964. Today it houses a small museum of tides, open from April to October.</p>
</article></main><footer>Footer</footer></body></html>`;

type Paths = Readonly<Record<string, Respond>>;

/** By path without its query. Any other path is a missing page. */
const byPath =
  (paths: Paths): Respond =>
  (request, response) => {
    const [path = ''] = request.path.split('?');
    const respond = paths[path];
    if (respond) respond(request, response);
    else sendText(response, html, '<title>Not found</title><p>There is no such page.</p>', 404);
  };

const page =
  (text: string, type = html): Respond =>
  (_request, response) =>
    sendText(response, type, text);

const redirect =
  (location: string): Respond =>
  (_request, response) =>
    response.writeHead(302, { location }).end();

/** Writes the piece repeatedly until nobody reads it. */
function drip(response: ServerResponse, piece: string | Buffer, everyMs: number): void {
  response.writeHead(200, { 'content-type': 'text/plain' });
  const write = () => void response.write(piece);
  write();
  const timer = setInterval(write, everyMs);
  response.on('close', () => clearInterval(timer));
}

function sayBusy(response: ServerResponse): void {
  response.writeHead(429, { 'content-type': 'text/plain', 'retry-after': '1' }).end('Slow down.');
}

/** `plain` is the address of the private server. */
export function createRoutes(plain: string): Map<string, Respond> {
  const counts = new Map<string, number>();
  const visits = (key: string) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };

  const hosts: Record<string, Respond> = {
    'pages.example.com': byPath({
      '/': page(`<title>Pages</title><p>Read <a href="/story">the story</a>.</p>`),
      '/story': page(story),
      '/data.json': (_request, response) => sendJson(response, { height: 42, keeper: 'Maren Holt' }),
      '/notes.txt': page('Low tide at six.', 'text/plain; charset=utf-8'),
      '/latin1': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end(
          Buffer.from(
            '<meta charset="iso-8859-1"><title>Caf\u00e9</title><p>d\u00e9j\u00e0 vu</p>',
            'latin1',
          ),
        );
      },
      '/long': page(`<title>Long</title><p>${'A sentence that says little. '.repeat(4000)}</p>`),
      '/huge': page('x'.repeat(3_000_000), 'text/plain'),
    }),
    'redirect.example.com': byPath({
      '/once': redirect('https://pages.example.com/story'),
      '/thrice': redirect('/twice'),
      '/twice': redirect('/once'),
      '/loop': redirect('/loop'),
      '/private': redirect('https://10.0.0.5/secret'),
      '/metadata': redirect('https://169.254.169.254/latest/meta-data/'),
      '/loopback': redirect(`${plain}/secret`),
      '/name': redirect('https://router.local/'),
      '/unencrypted': redirect('http://pages.example.com/story'),
    }),
    'slow.example.com': byPath({
      /** Never responds. */
      '/silent': () => undefined,
      /** Sends a beginning, and then nothing. */
      '/stalled': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        response.write('The beginning');
      },
      /** Sends a letter now and then, forever. */
      '/drip': (_request, response) => drip(response, '.', 200),
    }),
    'endless.example.com': (_request, response) => drip(response, Buffer.alloc(1_000_000, 'x'), 5),
    /** 64 MB of zeros, compressed to 64 kB. */
    'bomb.example.com': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(64_000_000)));
    },
    'types.example.com': byPath({
      '/image': page('GIF89a', 'image/gif'),
      '/pdf': page('%PDF-1.7', 'application/pdf'),
      '/none': (_request, response) => response.writeHead(200).end('What am I?'),
    }),
    'busy.example.com': byPath({
      /** Busy at first, and works on the next request. */
      '/once': (_request, response) => {
        if (visits('/once') > 1) sendText(response, html, story);
        else sayBusy(response);
      },
      '/always': (_request, response) => sayBusy(response),
      '/broken': (_request, response) => sendText(response, html, '<p>Internal error</p>', 500),
    }),
    // Targets of redirects that must not be followed. They would respond.
    '10.0.0.5': page('a private answer', 'text/plain'),
    '169.254.169.254': page('the keys of a cloud machine', 'text/plain'),
    'router.local': page('a private answer', 'text/plain'),
    'rebound.example.com': page('a private answer', 'text/plain'),
    /** Forbids other sites to read it. */
    'closed.example.com': (_request, response) => {
      response.removeHeader('access-control-allow-origin');
      sendText(response, html, story);
    },
    /** Closes the connection in the middle. */
    'broken.example.com': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' });
      response.write('x'.repeat(100), () => setTimeout(() => response.destroy(), 50));
    },
  };
  return new Map(Object.entries(hosts));
}
