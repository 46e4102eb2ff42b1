import type { Guide } from '@headwater/http-service';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startSample } from './published.fixture.ts';

const START = 'document.title = "x"';
const PAGE = `<script src="/docs/guide/assets/app.1.js"></script><script id="dark">${START}</script><a href="/docs/guide/">Home</a>`;

/** A guide in memory. `changed` replaces the text of its first page. */
function site(): Guide & { readonly changed: (text: string) => void } {
  let version = 1;
  const files = new Map([
    ['index.html', PAGE],
    ['guides/embed.html', PAGE],
    ['assets/app.1.js', 'start("/docs/guide/");'],
    ['assets/chunks/theme.2.js', 'draw();'],
    ['secret.key', 'x'],
  ]);
  return {
    open: async (path) => {
      const text = files.get(path);
      return text === undefined
        ? undefined
        : { version: String(version), read: async () => new TextEncoder().encode(text) };
    },
    changed: (text) => {
      files.set('index.html', text);
      version += 1;
    },
  };
}

describe('the documentation', () => {
  it('is served with a content security policy that allows scripts of this origin and of the page, and no other host', async () => {
    const { send } = await startSample({ guide: site() });
    const page = await send('/docs/guide/');
    expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([
      200,
      'text/html; charset=utf-8',
      PAGE,
    ]);
    const hash = createHash('sha256').update(START).digest('base64');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
    expect(policy).toMatch(/^default-src 'none';.*connect-src 'self'.*frame-ancestors 'none'$/);
    expect(policy).not.toMatch(/https?:/);
    const script = await send('/docs/guide/assets/chunks/theme.2.js');
    expect([script.headers.get('content-type'), script.headers.get('cache-control'), await script.text()]).toEqual([
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
      'draw();',
    ]);
  });

  it('has ETags, and shows the new site after it was built again', async () => {
    const guide = site();
    const { send } = await startSample({ guide });
    const etag = (await send('/docs/guide/')).headers.get('etag') ?? '';
    const again = () => send('/docs/guide/', { headers: { 'if-none-match': etag } });
    expect((await again()).status).toBe(304);
    guide.changed('<p>new</p>');
    expect(await (await again()).text()).toBe('<p>new</p>');
  });

  it('has the prefix of the mount in its addresses', async () => {
    const { send } = await startSample({ guide: site(), baseUrl: 'http://headwater.example/geo' });
    const page = await (await send('/docs/guide/guides/embed.html')).text();
    expect(page).toContain('src="/geo/docs/guide/assets/app.1.js"');
    expect(page).toContain('href="/geo/docs/guide/"');
    expect(await (await send('/docs/guide/assets/app.1.js')).text()).toBe('start("/geo/docs/guide/");');
  });

  it.each(['secret.key', 'other.html', '..%2findex.html', 'guides/other.html', 'constructor'])(
    'returns 404 for an unknown path, and for a file of a type that is not served: %s',
    async (path) => {
      const { send } = await startSample({ guide: site() });
      const answer = await send(`/docs/guide/${path}`);
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('Not found: /docs/guide/')]);
    },
  );

  it.each(['', 'index.html', 'guides/embed.html', 'assets/chunks/theme.2.js'])(
    'returns 404 at "%s" with the command that builds the documentation, if it is not built',
    async (path) => {
      const absent: Guide = { open: async () => undefined };
      for (const options of [{}, { guide: absent }]) {
        const { send } = await startSample(options);
        const page = await send(`/docs/guide/${path}`, { headers: { accept: 'text/html' } });
        expect([page.status, page.headers.get('content-type')]).toEqual([404, expect.stringContaining('text/html')]);
        expect((await page.text()).replaceAll('&quot;', '"')).toContain('"npm run docs" builds it');
        const json = await send(`/docs/guide/${path}`);
        expect(await json.text()).toContain('npm run docs');
      }
    },
  );
});
