import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { generateOpenApi } from '../openapi/generate.ts';
import { buildOperations } from '../operations/index.ts';
import { docsPage } from './docs-page.ts';
import { firstPage } from './first-page.ts';
import { htmlReply } from './layout.ts';
import { typeText } from './type-text.ts';
import { samplePipeline } from '../sample-layer.fixture.ts';

const EVIL = '<script>alert("1")</script>';
const part = { state: 'failing', detail: EVIL } as const;
const health = {
  status: 'failing',
  version: EVIL,
  parts: { database: part, worker: part, pixels: part, scenes: part, disk: part, files: part },
} as const;

test('text from elsewhere is escaped on the first page', async () => {
  const page = String(
    await firstPage({
      baseUrl: 'http://localhost:8000/geo',
      title: EVIL,
      version: EVIL,
      credits: [EVIL],
      health,
      layers: [{ title: EVIL, href: 'http://localhost:8000/geo/x', thumbnail: 'http://localhost:8000/geo/a.png' }],
      computation: { path: '/api/v1/sample/', body: { state: EVIL } },
    }),
  );
  expect(page).not.toContain('<script');
  expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
  expect(page).toContain('href="/geo/docs/"');
  expect(page).toContain('src="/geo/a.png"');
});

test('pages allow no script and exactly their own style', async () => {
  const reply = await htmlReply(
    firstPage({
      baseUrl: 'http://localhost',
      title: 'Headwater',
      version: '1',
      health,
      layers: [],
      credits: [],
      computation: undefined,
    }),
  );
  const policy = String(reply.headers?.['content-security-policy']);
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='/);
  expect(policy).not.toContain('unsafe');
  const page = 'body' in reply && typeof reply.body === 'string' ? reply.body : '';
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
  expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
});

test('the reference shows every operation of the document, and every schema link leads somewhere', async () => {
  const document = generateOpenApi(buildOperations([samplePipeline]), '1');
  const page = String(await docsPage(document, { baseUrl: 'http://localhost' }));
  for (const row of buildOperations([samplePipeline])) expect(page).toContain(`id="${row.id}"`);
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  for (const id of links) expect(page).toContain(`id="${id}"`);
});

test('a schema in words', () => {
  expect(typeText({ type: 'object', properties: { a: { type: 'integer', minimum: 1 } }, required: ['a'] })).toBe(
    '{ a: integer 1.. }',
  );
  expect(typeText({ anyOf: [{ $ref: '#/components/schemas/Run' }, { type: 'null' }] })).toBe('Run | null');
  expect(typeText({ type: 'array', items: { enum: ['x', 1] } })).toBe('("x" | 1)[]');
});
