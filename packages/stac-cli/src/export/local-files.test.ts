import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../cli.fixture.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'headwater-local-'));
  await mkdir(join(dir, 'tree/a b'), { recursive: true });
  await writeFile(join(dir, 'tree/catalog.json'), JSON.stringify(CATALOG));
  await writeFile(join(dir, 'tree/a b/a.json'), JSON.stringify(ITEM));
  await writeFile(join(dir, 'tree/a b/a.tif'), 'pixels');
});
afterEach(async () => rm(dir, { recursive: true, force: true }));

const CATALOG = {
  type: 'Catalog',
  stac_version: '1.1.0',
  id: 'r',
  title: 'R',
  description: 'R',
  links: [
    { rel: 'root', href: './catalog.json' },
    { rel: 'item', href: './a%20b/a.json' },
    { rel: 'license', href: 'https://example.org/licence' },
  ],
};
const ITEM = {
  type: 'Feature',
  stac_version: '1.1.0',
  id: 'a',
  geometry: { type: 'Point', coordinates: [10, 20] },
  bbox: [10, 20, 10, 20],
  properties: { datetime: '2024-01-01T00:00:00Z' },
  links: [
    { rel: 'root', href: '../catalog.json' },
    { rel: 'parent', href: '../catalog.json' },
    { rel: 'about', href: './about.txt' },
  ],
  assets: { data: { href: './a.tif', alternate: { s3: { href: 's3://bucket/a.tif' }, copy: { href: 'a.tif' } } } },
};

describe('an export of a tree of files', () => {
  it('links by relative paths to the files that the documents refer to, and reports that these files are not included', async () => {
    const { code, out } = await call(['export', join(dir, 'tree'), '--out', join(dir, 'deep/out'), '--quiet']);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('not included: 2 files that the documents refer to; the export has relative'),
    ]);
    await rename(dir, `${dir}-moved`);
    dir = `${dir}-moved`;
    const text = await readFile(join(dir, 'deep/out/a/a.json'), 'utf8');
    const { assets, links } = JSON.parse(text) as typeof ITEM;
    const source = '../../../tree/a%20b/';
    expect(links).toContainEqual({ rel: 'about', href: `${source}about.txt` });
    expect(assets.data.alternate).toEqual({ s3: { href: 's3://bucket/a.tif' }, copy: { href: `${source}a.tif` } });
    expect(await readFile(join(dir, 'deep/out/a', decodeURIComponent(assets.data.href)), 'utf8')).toBe('pixels');
    expect(await call(['lint', join(dir, 'deep/out'), '--check-assets', '--any-file', '--quiet'])).toMatchObject({
      code: 0,
    });
  });

  it.each(['ndjson', 'geoparquet'])(
    'to one file (%s) reports that its addresses are valid on this machine only',
    async (format) => {
      const out = join(dir, 'items');
      const exported = await call(['export', join(dir, 'tree'), '--format', format, '--out', out, '--quiet']);
      expect(exported.out).toContain(
        'not included: 3 files that the documents refer to; the export has file:/// addresses',
      );
    },
  );
});
