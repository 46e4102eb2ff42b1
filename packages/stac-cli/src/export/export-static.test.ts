import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lintTree, validate } from '@headwater/stac';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BASE, documents, treeOf } from '../catalogue.fixture.ts';
import type { DocumentTree } from '../tree/walk.ts';
import { exportStatic } from './export-static.ts';

let dir: string;
beforeEach(async () => (dir = await mkdtemp(join(tmpdir(), 'headwater-export-'))));
afterEach(async () => rm(dir, { recursive: true, force: true }));

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((each) => each.isFile());
  return files
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    )
    .sort();
}

const readJson = async (path: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;

function folderTree(folder: string): DocumentTree {
  return { root: pathToFileURL(join(folder, 'catalog.json')).href, read: (href) => readJson(new URL(href).pathname) };
}

describe('a static export', () => {
  it('has the specified layout of folders and files', async () => {
    expect(await exportStatic(treeOf(documents()), join(dir, 'out'))).toEqual({ documents: 14 });
    const [cachar, dhubri] = ['tehsil_wise/assam/cachar', 'tehsil_wise/assam/dhubri'];
    const item = (folder: string, id: string): string => `${folder}/${id}/${id}.json`;
    expect(await filesIn(join(dir, 'out'))).toEqual(
      [
        'catalog.json',
        'tehsil_wise/catalog.json',
        'tehsil_wise/assam/collection.json',
        `${cachar}/collection.json`,
        `${cachar}/cachar/collection.json`,
        item(`${cachar}/cachar`, 'assam_cachar_cachar_slope_raster'),
        item(`${cachar}/cachar`, 'assam_cachar_cachar_mws_vector'),
        `${cachar}/lakhipur/collection.json`,
        item(`${cachar}/lakhipur`, 'assam_cachar_lakhipur_slope_raster'),
        item(`${cachar}/lakhipur`, 'assam_cachar_lakhipur_mws_vector'),
        `${dhubri}/collection.json`,
        `${dhubri}/bilasipara/collection.json`,
        item(`${dhubri}/bilasipara`, 'assam_dhubri_bilasipara_slope_raster'),
        item(`${dhubri}/bilasipara`, 'assam_dhubri_bilasipara_mws_vector'),
      ].sort(),
    );
  });

  it('is a valid tree of valid documents, of which only the links differ from the source', async () => {
    const source = documents();
    await exportStatic(treeOf(source), join(dir, 'out'));
    const tree = folderTree(join(dir, 'out'));
    const files = await filesIn(join(dir, 'out'));
    const hrefs = files.map((file) => pathToFileURL(join(dir, 'out', file)).href);
    expect(await lintTree({ ...tree, documents: hrefs })).toEqual([]);
    for (const file of files) {
      const document = await readJson(join(dir, 'out', file));
      expect([
        file,
        validate(document, { profile: 'headwater' }).filter(({ severity }) => severity === 'error'),
      ]).toEqual([file, []]);
    }
    const id = 'assam_cachar_lakhipur_mws_vector';
    const { links: _, ...item } = await readJson(join(dir, 'out/tehsil_wise/assam/cachar/lakhipur', id, `${id}.json`));
    const { links: __, ...before } = source.get(`${BASE}assam/cachar/lakhipur/items/${id}/`) ?? {};
    expect(item).toEqual(before);
  });

  it('has relative links within the tree, and absolute links to targets outside of the tree', async () => {
    await exportStatic(treeOf(documents()), join(dir, 'out'));
    const id = 'assam_dhubri_bilasipara_mws_vector';
    const folder = join(dir, 'out/tehsil_wise/assam/dhubri/bilasipara');
    const linksOf = async (path: string): Promise<unknown> => {
      const { links } = (await readJson(path)) as { links: { rel: string; href: string; type: string }[] };
      return links.map(({ rel, href, type }) => `${rel} ${href} ${type}`);
    };
    expect(await linksOf(join(folder, id, `${id}.json`))).toEqual([
      'root ../../../../../catalog.json application/json',
      'collection ../collection.json application/json',
      'parent ../collection.json application/json',
      `canonical ${BASE}assam/dhubri/bilasipara/items/${id}/ application/geo+json`,
      'derived_from https://example.org/eo/scene-1.json application/geo+json',
    ]);
    expect(await linksOf(join(folder, 'collection.json'))).toEqual([
      'root ../../../../catalog.json application/json',
      'parent ../collection.json application/json',
      'item ./assam_dhubri_bilasipara_slope_raster/assam_dhubri_bilasipara_slope_raster.json application/geo+json',
      `item ./${id}/${id}.json application/geo+json`,
      `canonical ${BASE}assam/dhubri/bilasipara/ application/json`,
    ]);
    expect(await linksOf(join(dir, 'out/tehsil_wise/catalog.json'))).toEqual([
      'root ../catalog.json application/json',
      'parent ../catalog.json application/json',
      'child ./assam/collection.json application/json',
    ]);
  });

  it('links Items of a Catalog to the Collection above this Catalog; Items that are not below a Collection keep their link', async () => {
    const link = (rel: string, href: string) => ({ rel, href: BASE + href });
    const [time, node] = ['2024-01-01T00:00:00Z', { stac_version: '1.1.0', title: 'A', description: 'A' }];
    const item = { type: 'Feature', stac_version: '1.1.0', geometry: null, properties: { datetime: time }, assets: {} };
    const extent = { spatial: { bbox: [[0, 0, 1, 1]] }, temporal: { interval: [[time, null]] } };
    const source = new Map<string, unknown>([
      [BASE, { ...node, type: 'Catalog', id: 'r', links: [link('child', 'c'), link('item', 'alone')] }],
      [`${BASE}c`, { ...node, type: 'Collection', id: 'c', license: 'other', extent, links: [link('child', 'y')] }],
      [`${BASE}y`, { ...node, type: 'Catalog', id: 'y', links: [link('item', 'a'), link('item', 'b')] }],
      [`${BASE}a`, { ...item, id: 'a', collection: 'c', links: [link('collection', 'c')] }],
      [`${BASE}b`, { ...item, id: 'b', links: [] }],
      [`${BASE}alone`, { ...item, id: 'alone', collection: 'other', links: [link('collection', 'other')] }],
    ]);
    await exportStatic(treeOf(source), join(dir, 'out'), { level: false });
    const written = async (path: string) => {
      const document = await readJson(join(dir, 'out', path));
      expect(validate(document).filter(({ severity }) => severity === 'error')).toEqual([]);
      const { collection, links } = document as { collection: string; links: { rel: string; href: string }[] };
      return [collection, links.find(({ rel }) => rel === 'collection')?.href];
    };
    for (const id of ['a', 'b']) expect(await written(`c/y/${id}/${id}.json`)).toEqual(['c', '../../collection.json']);
    expect(await written('alone/alone.json')).toEqual(['other', `${BASE}other`]);
  });

  it('of an exported folder has the same paths of files as that folder', async () => {
    await exportStatic(treeOf(documents()), join(dir, 'one'));
    await exportStatic(folderTree(join(dir, 'one')), join(dir, 'two'));
    expect(await filesIn(join(dir, 'two'))).toEqual(await filesIn(join(dir, 'one')));
  });

  it('is written completely or not at all, and replaces a folder only if allowed', async () => {
    const broken = documents();
    broken.delete(`${BASE}assam/dhubri/`);
    const out = join(dir, 'out');
    await expect(exportStatic(treeOf(broken), out)).rejects.toThrow(
      `${BASE}assam/#/links/4: there is no document at ${BASE}assam/dhubri/, but rel child must lead to a Catalog or Collection`,
    );
    expect(await readdir(dir)).toEqual([]);
    await exportStatic(treeOf(documents()), out);
    const before = await filesIn(out);
    await expect(exportStatic(treeOf(documents()), out)).rejects.toThrow('already exists');
    await expect(exportStatic(treeOf(broken), out, { replace: true })).rejects.toThrow('there is no document');
    expect(await filesIn(out)).toEqual(before);
    const [fewer, links] = [documents(), [{ rel: 'self', href: BASE }]];
    fewer.set(BASE, { ...fewer.get(BASE), links });
    await exportStatic(treeOf(fewer), out, { replace: true });
    expect([await filesIn(out), await readdir(dir)]).toEqual([['catalog.json'], ['out']]);
  });
});

describe('ids that are not valid path segments', () => {
  it.each([
    ['../../etc', 'etc'],
    ['a/b', 'ab'],
    ['..', /^[0-9a-f]{8}$/],
    ['जयपुर', /^[0-9a-f]{8}$/],
    ['con', '_con'],
    ['Nul.txt', '_nul.txt'],
    ['x'.repeat(400), /^x{120}_[0-9a-f]{8}$/],
    ['a\0b', 'ab'],
  ])('%j gets a folder with a valid name in the export', async (id, expected) => {
    const links = [{ rel: 'child', href: 'a' }];
    const source = new Map<string, unknown>([
      [BASE, { type: 'Catalog', id: 'root', links }],
      [`${BASE}a`, { type: 'Catalog', id, links: [] }],
    ]);
    await exportStatic(treeOf(source), join(dir, 'out'), { level: false });
    const [file = '', ...rest] = (await filesIn(join(dir, 'out'))).filter((each) => each !== 'catalog.json');
    expect(rest).toEqual([]);
    expect(await readdir(dir)).toEqual(['out']);
    expect(file.split('/')).toEqual([
      expect.toSatisfy((name: string) => name === expected || (expected instanceof RegExp && expected.test(name))),
      'catalog.json',
    ]);
  });

  it('get different folders if they are equal, or differ only in case or forbidden characters', async () => {
    const links = ['A', 'a', 'a!', 'a'].map((_, index) => ({ rel: 'item', href: String(index) }));
    const source = new Map<string, unknown>([[BASE, { type: 'Catalog', id: 'root', links }]]);
    for (const [index, id] of ['A', 'a', 'a!', 'a'].entries())
      source.set(`${BASE}${String(index)}`, { type: 'Feature', id });
    expect(await exportStatic(treeOf(source), join(dir, 'out'))).toEqual({ documents: 5 });
    expect(new Set(await filesIn(join(dir, 'out'))).size).toBe(5);
  });
});
