import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Box } from '@headwater/core';
import { beforeEach, expect, it } from 'vitest';
import { COLLECTION, demItem, demWorld, writeTile } from './dem-world.fixture.ts';
import { openElevation } from '@headwater/ingest';

const { root, folder, pixels, origin, server, json } = await demWorld();
let warnings: string[] = [];
beforeEach(() => void (warnings = []));

const settings = { allowedOrigins: [origin], firstPauseMs: 1, longestPauseMs: 1, tries: 2, patienceMs: 0 };
const source = openElevation({ folder, pixels, warn: (text) => void warnings.push(text), network: { settings } });
const BOX: Box = [78.9, 17.2, 79.1, 17.4];
const links = (...hrefs: readonly string[]) => ({ links: hrefs.map((href) => ({ rel: 'item', href })) });
const hrefsOver = async (box: Box) => (await source.demFor(box))?.rasters.map(({ href }) => href);
const versionsOver = async (box: Box) => (await source.demFor(box))?.rasters.map(({ version }) => version);

async function catalogue(change: object = {}): Promise<void> {
  await json('dem/cop/collection.json', { ...COLLECTION, ...links('./a/a.json', './b.json') });
  await json('dem/cop/a/a.json', demItem([78, 17], './a.tif'));
  await json('dem/cop/b.json', demItem([79, 17], `${origin}/web/b.tif`, change));
  await writeTile(join(folder, 'cop/a/a.tif'), [78, 17]);
  await writeTile(join(root, 'web/b.tif'), [79, 17]);
}

it('reads the local and HTTP tiles to which a static catalogue links, with title and licence of their Collection', async () => {
  await catalogue();
  expect(await hrefsOver(BOX)).toEqual([join(folder, 'cop/a/a.tif'), `${origin}/web/b.tif`]);
  const described = { title: 'Copernicus DEM GLO-30', license: 'other', attribution: 'European Space Agency' };
  expect(await source.demFor(BOX)).toMatchObject({ ...described, synthetic: false });
  expect(await hrefsOver([79.2, 17.2, 79.3, 17.3])).toEqual([`${origin}/web/b.tif`]);
  expect(await source.demFor([79.9, 17.2, 80.1, 17.3])).toBeUndefined();
  await json('dem/cop/dem.json', { title: 'Mine', license: 'CC0-1.0', attribution: 'me' });
  expect(await source.demFor(BOX)).toMatchObject({ title: 'Mine', license: 'CC0-1.0', attribution: 'me' });
});

it('detects a replaced tile by the local file, by the file over HTTP, and by `updated` of the Item', async () => {
  await catalogue();
  const first = await versionsOver(BOX);
  expect(await versionsOver(BOX)).toEqual(first);
  await writeTile(join(root, 'web/b.tif'), [79, 17], 50);
  const second = await versionsOver(BOX);
  expect([second?.includes(String(first?.[0])), second?.includes(String(first?.[1]))]).toEqual([true, false]);
  await writeTile(join(folder, 'cop/a/a.tif'), [78, 17], 200);
  expect(await versionsOver(BOX)).not.toContain(first?.[0]);
  const third = await versionsOver(BOX);
  await json('dem/cop/b.json', demItem([79, 17], `${origin}/web/b.tif`, { properties: { updated: '2026-01-01' } }));
  expect((await versionsOver(BOX))?.filter((version) => !third?.includes(version))).toHaveLength(1);
});

it('throws unavailable while the tile server fails; skips a tile that no longer exists, with a warning', async () => {
  await catalogue();
  server.answer = (_, response) => {
    response.writeHead(503).end();
    return true;
  };
  await expect(source.demFor(BOX)).rejects.toMatchObject({ code: 'unavailable' });
  server.answer = (_, response) => {
    response.writeHead(404).end();
    return true;
  };
  expect(await source.demFor(BOX)).toBeUndefined();
  expect(await source.demFor(BOX)).toBeUndefined();
  expect(warnings).toEqual([expect.stringMatching(/web\/b\.tif is not used: .* responded with HTTP 404/)]);
  server.answer = () => false;
  expect(await hrefsOver(BOX)).toHaveLength(2);
});

it('never uses two Collections of a catalogue for one place', async () => {
  await catalogue({ collection: 'other' });
  expect(await source.demFor(BOX)).toBeUndefined();
  expect(await source.demFor([79.2, 17.2, 79.3, 17.3])).toMatchObject({
    title: 'Elevation data of the folder cop',
  });
});

it('skips Items without elevation assets or with forbidden files, and logs a warning with the reason', async () => {
  await writeTile(join(root, 'secret.tif'), [78, 17]);
  const hrefs = ['../../../secret.tif', '/etc/hostname', './out.tif', 'ftp://a.test/a.tif', 'http://127.0.0.2:9/a.tif'];
  const odd = [
    [],
    { type: 'Feature' },
    demItem([78, 17], './a.tif', { assets: {} }),
    demItem([78, 17], '', { bbox: [1] }),
  ];
  const items = [...hrefs.map((href) => demItem([78, 17], href)), ...odd];
  await json('dem/cop/catalog.json', { type: 'Catalog', id: 'c', ...links(...items.map((_, i) => `./${i}.json`)) });
  for (const [i, item] of items.entries()) await json(`dem/cop/${i}.json`, item);
  await symlink(join(root, 'secret.tif'), join(folder, 'cop/out.tif'));
  expect(await source.demFor([78.2, 17.2, 78.4, 17.4])).toBeUndefined();
  expect(warnings.toSorted()).toEqual([
    expect.stringMatching(/3\.json is not used: href "ftp:.* is not an http/),
    expect.stringMatching(/5\.json is not used: is not a STAC Catalog/),
    expect.stringMatching(/6\.json is not used: is not a STAC Item with assets/),
    expect.stringMatching(/7\.json is not used: has no GeoTIFF asset/),
    expect.stringMatching(/8\.json is not used: has no bbox/),
    expect.stringMatching(/hostname is not used: .*folder/),
    expect.stringMatching(/out\.tif is not used: .*folder/),
    expect.stringMatching(/secret\.tif is not used: .*folder/),
    expect.stringMatching(/127\.0\.0\.2:9\/a\.tif is not used: .* no requests are sent/),
  ]);
});

it('reads tiles of different pixel widths without a seam', async () => {
  const tiles = [
    [10, 49, 90],
    [11, 49, 90],
    [10, 50, 60],
    [11, 50, 60],
  ] as const;
  await json('dem/cop/collection.json', {
    ...COLLECTION,
    ...links(...tiles.map(([west, south]) => `./${west}-${south}.json`)),
  });
  for (const [west, south, cols] of tiles) {
    await json(`dem/cop/${west}-${south}.json`, demItem([west, south], `./${west}-${south}.tif`));
    await writeTile(join(folder, `cop/${west}-${south}.tif`), [west, south], cols);
  }
  const found = await source.demFor([10.8, 49.8, 11.2, 50.2]);
  const path = found?.rasters.map(({ href }) => href) ?? [];
  expect(path.map((href) => href.slice(-9))).toEqual(['10-49.tif', '11-49.tif', '10-50.tif', '11-50.tif']);
  const side = 1 / 90;
  const grid = { crs: 'EPSG:4326', west: 10.8, north: 50.2, pixelWidth: side, pixelHeight: 0.01, cols: 36, rows: 40 };
  const request = { path, grid, type: 'float32', resampling: 'bilinear', nodata: Number.NaN } as const;
  const control = new AbortController();
  const heights = await pixels.read(request, { signal: control.signal, progress: () => {} });
  const bytes = await readFile(join(root, 'scratch', `${heights.key}.f32`));
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, grid.cols * grid.rows);
  const off = values.map((value, i) => {
    const [lon, lat] = [10.8 + ((i % 36) + 0.5) * side, 50.2 - (Math.floor(i / 36) + 0.5) * 0.01];
    return Math.abs(value - 10 * lon - 20 * lat);
  });
  // Heights rise 10 m per degree of longitude and 20 m per degree of latitude. Only the outermost half pixels deviate.
  expect(Math.max(...off)).toBeLessThanOrEqual((10 / 60 + 20 / 100) / 2 + 1e-3);
  expect(off.filter((each) => each < 1e-3).length).toBeGreaterThan(1300);
});
