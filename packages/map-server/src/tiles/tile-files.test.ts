import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { GEOMETRIES, layer, tableOf, TURN } from '../encodings/world.fixture.ts';
import { mbtiles } from './mbtiles.ts';
import { directories, pmtiles } from './pmtiles.ts';
import { deepestZoom, packedTiles, tileId } from './pyramid.ts';

const table = tableOf([GEOMETRIES['MultiPoint']!, GEOMETRIES['Point']!, null]);
const source = { table, layer, turn: TURN };

test.each([
  [0, 0, 0, 0],
  [1, 0, 0, 1],
  [1, 0, 1, 2],
  [1, 1, 1, 3],
  [1, 1, 0, 4],
  [2, 0, 0, 5],
  [12, 3423, 1763, 19_078_479],
])('the id of the tile %i/%i/%i is %i', (...numbers) => {
  const [zoom, col, row, expected] = numbers;
  expect(tileId({ zoom, col, row })).toBe(expected);
});

test('tiles are in the order of their ids, to the deepest zoom', async () => {
  const ids: number[] = [];
  let deepest = 0;
  for await (const { id, zoom } of packedTiles(source)) {
    ids.push(id);
    deepest = zoom;
  }
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(deepest).toBe(14);
  expect(deepestZoom([68, 6, 98, 36])).toBe(10);
});

test('a file ends before the first zoom that would make it too large', async () => {
  const zooms = async (most: number): Promise<number> => {
    let deepest = 0;
    for await (const { zoom } of packedTiles(source, most)) deepest = zoom;
    return deepest;
  };
  expect(await zooms(1500)).toBeGreaterThan(0);
  expect(await zooms(1500)).toBeLessThan(14);
  expect(await zooms(1)).toBe(0);
});

test('a PMTiles file of no features has no tiles', async () => {
  const file = Buffer.from(await pmtiles({ ...source, table: tableOf([null]) }));
  expect(file.toString('latin1', 0, 7)).toBe('PMTiles');
  expect(file.readBigUInt64LE(64)).toBe(0n);
  expect(file[101]).toBe(0);
});

test('a large directory has leaf directories, because the root must be in the first bytes of the file', () => {
  const entries = Array.from({ length: 20_000 }, (_, at) => ({
    id: at * 7 + (at % 5),
    run: 1,
    offset: at * 1000 + (at % 13),
    length: 500 + (at % 333),
  }));
  const { root, leaves } = directories(entries);
  expect(root.length).toBeLessThan(200);
  expect(gunzipSync(root)[0]).toBe(5);
  expect([...gunzipSync(leaves.subarray(0, leaves.length)).subarray(0, 2)]).toEqual([0x80, 0x20]);
});

test('an MBTiles file has all packed tiles, with rows counted from the south', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mbtiles-'));
  try {
    const path = join(folder, 'a.mbtiles');
    writeFileSync(path, await mbtiles(source));
    const database = new DatabaseSync(path, { readOnly: true });
    const expected: unknown[] = [];
    for await (const { zoom, col, row, bytes } of packedTiles(source))
      expected.push({
        zoom_level: zoom,
        tile_column: col,
        tile_row: 2 ** zoom - 1 - row,
        tile_data: new Uint8Array(bytes),
      });
    const order = (rows: readonly unknown[]): readonly string[] => rows.map((each) => JSON.stringify(each)).toSorted();
    expect(order(database.prepare('SELECT * FROM tiles').all())).toEqual(order(expected));
    expect(database.prepare("SELECT value FROM metadata WHERE name = 'format'").all()).toEqual([{ value: 'pbf' }]);
    database.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
