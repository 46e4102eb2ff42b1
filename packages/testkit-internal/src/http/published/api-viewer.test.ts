import { describe, expect, it } from 'vitest';
import { startSample } from './published.fixture.ts';

const text = (content: string) => async (): Promise<Uint8Array> => new TextEncoder().encode(content);

describe('the API reference', () => {
  it('with a viewer serves the files of the viewer, has its own content security policy, and links the plain page', async () => {
    const apiViewer = { script: text('draw();'), style: text('b {}') };
    const { send } = await startSample({ apiViewer, baseUrl: 'http://headwater.example/geo' });
    const page = await send('/docs/');
    const shown = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self';.*frame-ancestors 'none'/);
    expect(shown).toContain('data-document="/geo/api/v1/openapi.json" data-prefix="/geo/"');
    expect(shown).toContain('<noscript>');
    for (const path of ['/docs/files/viewer.js', '/docs/files/viewer.css', '/docs/plain/'])
      expect(shown).toContain(`"/geo${path}"`);
    const script = await send('/docs/files/viewer.js');
    expect([script.headers.get('content-type'), await script.text()]).toEqual([
      'text/javascript; charset=utf-8',
      'draw();',
    ]);
    expect(script.headers.get('x-content-type-options')).toBe('nosniff');
    const style = await send('/docs/files/viewer.css');
    expect([style.headers.get('content-type'), await style.text()]).toEqual(['text/css; charset=utf-8', 'b {}']);
    for (const name of ['viewer.html', 'constructor', '..%2fviewer.js'])
      expect((await send(`/docs/files/${name}`)).status).toBe(404);
    for (const path of ['/swagger/', '/redoc/']) {
      const answer = await send(path, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([301, '/geo/docs/']);
    }
  });

  it('with a viewer reads a file again if an earlier read has failed', async () => {
    let isMissing = true;
    const style = async (): Promise<Uint8Array> => {
      if (isMissing) throw new Error('ENOENT');
      return await text('b {}')();
    };
    const { send } = await startSample({ apiViewer: { script: text(''), style } });
    expect((await send('/docs/files/viewer.css')).status).toBe(500);
    isMissing = false;
    expect((await send('/docs/files/viewer.css')).status).toBe(200);
  });

  it('without a viewer is the plain page, and every link within this page has a target', async () => {
    const { send } = await startSample({});
    const plain = await (await send('/docs/plain/')).text();
    expect(await (await send('/docs/')).text()).toBe(plain);
    expect((await send('/docs/files/viewer.js')).status).toBe(404);
    const ids = new Set([...plain.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const inPage = [...plain.matchAll(/href="#([^"]*)"/g)].map(([, id]) => decodeURIComponent(id ?? ''));
    expect(inPage).toContain('tag-work-service');
    expect(inPage.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('has an address for everything to which a viewer makes a link: tags, operations, schemas and other documents', async () => {
    const { send, read } = await startSample({});
    const document = await read<Document>('/api/v1/openapi.json');
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    const tags = new Set(document.tags.map(({ name }) => name));
    expect(operations.filter((each) => each.tags.length !== 1 || !tags.has(each.tags[0] ?? ''))).toEqual([]);
    expect([...tags].filter((name) => !operations.some((each) => each.tags.includes(name)))).toEqual([]);
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const whole = JSON.stringify(document);
    for (const [, name = ''] of whole.matchAll(/"\$ref":"#\/components\/schemas\/([^"]*)"/g))
      expect([name, Object.hasOwn(document.components.schemas, name)]).toEqual([name, true]);
    expect(whole.match(/"\$ref":"(?!#\/components\/schemas\/)[^"]*"/)).toBeNull();
    // A viewer resolves relative links against its own address `/docs/`.
    const linked = [...whole.matchAll(/\]\(([^)\s]+)\)|"externalDocs":\{[^}]*"url":"([^"]+)"/g)].map(
      ([, a, b]) => a ?? b ?? '',
    );
    for (const link of linked)
      expect([link, (await send(new URL(link, 'http://headwater.example/docs/').pathname)).status]).toEqual([
        link,
        200,
      ]);
  });
});

interface Document {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string; readonly tags: readonly string[] }>>>
  >;
  readonly components: { readonly schemas: object };
}
