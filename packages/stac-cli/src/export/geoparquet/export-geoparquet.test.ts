import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BASE, documents, treeOf } from '../../catalogue.fixture.ts';
import { exportTree } from '../export-tree.ts';
import { microsOf } from './column.ts';
import { exportGeoparquet, type GeoparquetExport } from './export-geoparquet.ts';

let dir: string;
let file: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'headwater-parquet-'));
  file = join(dir, 'items.parquet');
});
afterEach(async () => rm(dir, { recursive: true, force: true }));

type Row = Readonly<Record<string, unknown>>;
interface ReadBack {
  readonly result: GeoparquetExport;
  readonly rows: readonly Row[];
  readonly metadata: Awaited<ReturnType<typeof parquetMetadataAsync>>;
}

async function exported(items: readonly Row[]): Promise<ReadBack> {
  const links = items.map((_, index) => ({ rel: 'item', href: `i${String(index)}` }));
  const all = new Map<string, unknown>([[BASE, { type: 'Catalog', id: 'root', links }]]);
  for (const [index, item] of items.entries()) all.set(`${BASE}i${String(index)}`, { type: 'Feature', ...item });
  return readBack(await exportGeoparquet(treeOf(all), file));
}

async function readBack(result: GeoparquetExport): Promise<ReadBack> {
  const buffer = await asyncBufferFromFile(file);
  const metadata = await parquetMetadataAsync(buffer);
  const rows: Row[] = await parquetReadObjects({ file: buffer, utf8: true });
  return { result, rows, metadata };
}

describe('an export as stac-geoparquet', () => {
  it('has each Item as a row, properties as typed columns, the box as a struct, times as timestamps', async () => {
    const all = documents();
    const state = all.get(`${BASE}assam/`) ?? {};
    all.set(`${BASE}assam/`, { ...state, assets: { picture: { href: '../assam.png' } } });
    const { result, rows, metadata } = await readBack(await exportGeoparquet(treeOf(all), file));
    expect(result).toEqual({
      items: 6,
      textColumns: [],
      textTimes: [],
      cutTimes: [],
      leftOut: [],
      losesHeights: false,
    });
    expect(rows.map(({ id }) => id)).toContain('assam_cachar_cachar_mws_vector');
    const vector = rows.find(({ id }) => id === 'assam_dhubri_bilasipara_mws_vector') ?? {};
    expect(vector).toMatchObject({
      type: 'Feature',
      collection: 'assam_dhubri_bilasipara',
      bbox: { xmin: 92, ymin: 24, xmax: 92.5, ymax: 24.5 },
      datetime: new Date('2026-11-21T04:00:00.123Z'),
      'table:row_count': 24n,
      'table:columns': [expect.objectContaining({ name: 'uid' }), expect.objectContaining({ name: 'area_in_ha' })],
      'headwater:place': { state: 'Assam', district: 'Dhubri', block: 'Bilasipara' },
    });
    const keys = new Map(metadata.key_value_metadata?.map(({ key, value = '' }) => [key, JSON.parse(value) as Row]));
    expect(keys.get('geo')).toMatchObject({
      version: '1.1.0',
      primary_column: 'geometry',
      columns: {
        geometry: { encoding: 'WKB', geometry_types: ['Polygon'], covering: { bbox: { xmin: ['bbox', 'xmin'] } } },
      },
    });
    const { collections = {} } = keys.get('stac-geoparquet') ?? {};
    expect(Object.keys(Object(collections))).toContain('assam_cachar');
    expect(JSON.stringify(collections)).not.toContain('"../');
    expect(await readdir(dir)).toEqual(['items.parquet']);
  });

  it('finds a common type of different values: integers with other numbers, optional members, mixed types', async () => {
    const { result, rows } = await exported([
      { id: 'a', properties: { n: 1, m: { x: 1 }, any: 1, list: [], empty: {}, null: null } },
      { id: 'b', properties: { n: 2.5, m: { y: ['t'] }, any: ['x'], list: [{ z: true }] } },
      { id: 'c', properties: {} },
    ]);
    expect(rows[0]).toMatchObject({ n: 1, m: { x: 1n }, any: '1', list: [], empty: '{}' });
    expect(rows[1]).toMatchObject({ n: 2.5, m: { y: ['t'] }, any: '["x"]', list: [{ z: true }] });
    expect([rows[2]?.['n'] ?? null, rows[2]?.['any'] ?? null]).toEqual([null, null]);
    expect([...result.textColumns].sort()).toEqual(['any', 'empty']);
  });

  it('writes a time column as text if a value is not a UTC time, reports that, and keeps microseconds', async () => {
    const { result, rows } = await exported([
      {
        id: 'a',
        properties: { datetime: '2020-01-01T00:00:00.123456Z', created: '2020-01-01T00:00:00Z', updated: null },
      },
      { id: 'b', properties: { datetime: null, created: 'yesterday', updated: null } },
    ]);
    expect(rows[0]).toMatchObject({ created: '2020-01-01T00:00:00Z', datetime: new Date('2020-01-01T00:00:00.123Z') });
    expect([rows[1]?.['created'], rows[1]?.['datetime'] ?? null]).toEqual(['yesterday', null]);
    expect(result).toMatchObject({ textColumns: [], textTimes: ['created'], cutTimes: [] });
  });

  it('cuts times to microseconds and reports that, without changing the column to text', async () => {
    const times = ['2020-01-01T00:00:00.123456789Z', '1969-12-31T23:59:59.9989999Z', '2020-01-01T00:00:00.123456000Z'];
    const { result, rows } = await exported(
      times.map((datetime, index) => ({ id: `i${String(index)}`, properties: { datetime, created: times[2] } })),
    );
    expect(result).toMatchObject({ textTimes: [], cutTimes: ['datetime'] });
    expect(rows.map(({ datetime }) => datetime)).toEqual([
      new Date('2020-01-01T00:00:00.123Z'),
      new Date('1969-12-31T23:59:59.999Z'),
      new Date('2020-01-01T00:00:00.123Z'),
    ]);
    expect([microsOf(times[0] ?? ''), microsOf(times[1] ?? '')]).toEqual([1_577_836_800_123_456n, -1001n]);
  });

  it('prints which time columns are text or shortened, and that boxes have no heights', async () => {
    const item = {
      type: 'Feature',
      id: 'a',
      bbox: [0, 0, 5, 1, 1, 9],
      properties: { created: 'yesterday', datetime: '2020-01-01T00:00:00.1234567Z' },
    };
    const flat = { type: 'Feature', id: 'b', bbox: [0, 0, 1, 1], properties: {} };
    const all = new Map<string, unknown>([
      [
        BASE,
        {
          type: 'Catalog',
          id: 'root',
          links: [
            { rel: 'item', href: 'a' },
            { rel: 'item', href: 'b' },
          ],
        },
      ],
      [`${BASE}a`, item],
      [`${BASE}b`, flat],
    ]);
    expect(await exportTree(treeOf(all), { format: 'geoparquet', out: file })).toEqual([
      `${file}: 2 Items`,
      'created: written as text, because some of the times are not in UTC; correct the Items to get timestamps',
      'datetime: cut to microseconds, the precision of the format',
      'bbox: written without heights, because the boxes of some Items have none',
    ]);
  });

  it('leaves heights out of boxes if some Items have none, reports that, and accepts Items without geometry', async () => {
    const { result, rows } = await exported([
      { id: 'a', bbox: [1, 2, 3, 4, 5, 6], geometry: { type: 'Point', coordinates: [1, 2] }, properties: {} },
      { id: 'b', bbox: [170, -1, -170, 1], geometry: null, properties: {} },
      { id: 'c', properties: null },
    ]);
    expect(result.losesHeights).toBe(true);
    expect(rows[0]?.['bbox']).toEqual({ xmin: 1, ymin: 2, xmax: 4, ymax: 5 });
    expect(rows[1]?.['bbox']).toEqual({ xmin: 170, ymin: -1, xmax: -170, ymax: 1 });
  });

  it('uses GeoParquet names for geometry types with heights', async () => {
    const point = (...coordinates: readonly number[]) => ({ geometry: { type: 'Point', coordinates }, properties: {} });
    const { metadata } = await exported([
      { id: 'a', ...point(1, 2) },
      { id: 'b', ...point(1, 2, 3) },
      { id: 'c', properties: {}, geometry: { type: 'MultiPoint', coordinates: [[1, 2, 3]] } },
    ]);
    const geo: unknown = JSON.parse(metadata.key_value_metadata?.find(({ key }) => key === 'geo')?.value ?? '');
    expect(geo).toMatchObject({ columns: { geometry: { geometry_types: ['MultiPoint Z', 'Point', 'Point Z'] } } });
  });

  it('accepts properties with names of built-in members, such as constructor', async () => {
    const { result, rows } = await exported([
      {
        id: 'a',
        properties: JSON.parse('{"__proto__":{"x":1},"constructor":"c","id":"other","bbox":1}') as unknown,
        bbox: [0, 0, 1, 1],
      },
      { id: 'b', properties: {} },
    ]);
    expect([rows[0]?.['id'], rows[0]?.['constructor']]).toEqual(['a', 'c']);
    expect(result.leftOut).toEqual(['id', 'bbox']);
  });

  it('is written in row groups of up to 1,000 Items, in the order of the Items', async () => {
    const items = Array.from({ length: 2500 }, (_, index) => ({ id: `i${String(index)}`, properties: { index } }));
    const { rows, metadata } = await exported(items);
    expect(metadata.row_groups.map(({ num_rows: count }) => count)).toEqual([1000n, 1000n, 500n]);
    expect(rows.map(({ index }) => index)).toEqual(items.map(({ properties }) => BigInt(properties.index)));
  });

  it('has no rows if the tree has no Items', async () => {
    const { result, rows } = await exported([]);
    expect([result.items, rows]).toEqual([0, []]);
  });

  it.each([
    [{ geometry: { type: 'Polygon', coordinates: [[['x', 'y']]] } }, 'Item "a": its geometry cannot be stored'],
    [{ geometry: { type: 'Blob' } }, 'Item "a": its geometry cannot be stored'],
    [{ bbox: [1, 2, 3] }, 'Item "a": its bbox is not 4 or 6 numbers'],
    [
      { properties: Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`p${String(index)}`, 1])) },
      'more than 10000 columns',
    ],
  ])('is not written from the Item %o', async (item, expected) => {
    await expect(exported([{ id: 'a', properties: {}, ...item }])).rejects.toThrow(expected);
    expect(await readdir(dir)).toEqual([]);
  });
});
