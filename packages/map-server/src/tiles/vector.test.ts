import type { Geometry } from 'geojson';
import { describe, expect, it } from 'vitest';
import { fromMercator } from '../encodings/coordinates.ts';
import { GEOMETRIES, layer, tableOf, TURN } from '../encodings/world.fixture.ts';
import { boxOfGeometry, createTable } from '../features/feature-table.ts';
import { vectorTile, vectorTileJson } from './vector.ts';

function fieldsOf(bytes: Uint8Array): readonly { readonly field: number; readonly value: number | Uint8Array }[] {
  const found: { field: number; value: number | Uint8Array }[] = [];
  let at = 0;
  const varint = (): number => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = bytes[at++]!;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const [field, wire] = [Math.floor(tag / 8), tag % 8];
    if (wire === 0) found.push({ field, value: varint() });
    else {
      const length = wire === 1 ? 8 : varint();
      found.push({ field, value: bytes.slice(at, at + length) });
      at += length;
    }
  }
  return found;
}

const bytesAt = (message: Uint8Array, field: number): readonly Uint8Array[] =>
  fieldsOf(message).flatMap((each) => (each.field === field && typeof each.value !== 'number' ? [each.value] : []));

const packed = (bytes: Uint8Array): readonly number[] =>
  fieldsOf(Uint8Array.from([...bytes].flatMap((b) => [8, b]))).map(({ value }) => Number(value));

const tableOfOne = (geometry: Geometry, properties: Readonly<Record<string, unknown>> = { a: 1 }) =>
  createTable([{ id: 'a.1', geometry, box: boxOfGeometry(geometry), properties }]);

function square(low: number, high: number): Geometry {
  const half = Math.PI * 6378137;
  const position = (x: number, y: number): number[] => fromMercator((x / 4096) * half, half - (y / 4096) * half);
  const corners = [
    [low, low],
    [low, high],
    [high, high],
    [high, low],
    [low, low],
  ] as const;
  return { type: 'Polygon', coordinates: [corners.map(([x, y]) => position(x, y))] };
}

const tile = { zoom: 1, col: 1, row: 0 };

describe('a vector tile', () => {
  it('has the layer, its columns and the geometry in tile coordinates', async () => {
    const bytes = await vectorTile(
      { table: tableOfOne(square(10, 20), { uid: 'x', n: -3, d: 1.5, is: true, none: null }), layer, turn: TURN },
      tile,
    );
    const [message = new Uint8Array()] = bytesAt(bytes!, 3);
    expect(bytesAt(message, 1).map((each) => Buffer.from(each).toString())).toEqual([layer.name]);
    expect(bytesAt(message, 3).map((each) => Buffer.from(each).toString())).toEqual(['uid', 'n', 'd', 'is', 'none']);
    expect(bytesAt(message, 4).map((each) => fieldsOf(each)[0])).toEqual([
      { field: 1, value: new TextEncoder().encode('x') },
      { field: 6, value: 5 },
      { field: 3, value: new Uint8Array(new Float64Array([1.5]).buffer) },
      { field: 7, value: 1 },
    ]);
    const [feature = new Uint8Array()] = bytesAt(message, 2);
    expect(fieldsOf(feature).filter(({ field }) => field === 1 || field === 3)).toEqual([
      { field: 1, value: 1 },
      { field: 3, value: 3 },
    ]);
    expect(packed(bytesAt(feature, 2)[0]!)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
    // Clockwise: move to 20,10; lines to 20,20, 10,20 and 10,10; end of the ring.
    expect(packed(bytesAt(feature, 4)[0]!)).toEqual([9, 40, 20, 26, 0, 20, 19, 0, 0, 19, 15]);
  });

  it('is absent without features', async () => {
    const table = tableOfOne(square(10, 20));
    expect(await vectorTile({ table, layer, turn: TURN }, { zoom: 1, col: 0, row: 1 })).toBeUndefined();
    expect(
      await vectorTile({ table: tableOf([null]), layer, turn: TURN }, { zoom: 0, col: 0, row: 0 }),
    ).toBeUndefined();
  });

  it('leaves out polygons that are smaller than one tile coordinate', async () => {
    expect(await vectorTile({ table: tableOfOne(square(10.1, 10.3)), layer, turn: TURN }, tile)).toBeUndefined();
  });

  it('contains a feature that lies only in its margin', async () => {
    expect(await vectorTile({ table: tableOfOne(square(4100, 4120)), layer, turn: TURN }, tile)).toBeDefined();
    expect(await vectorTile({ table: tableOfOne(square(4200, 4220)), layer, turn: TURN }, tile)).toBeUndefined();
  });

  it('contains columns named like inherited members of objects, and large numbers', async () => {
    const properties = JSON.parse('{"constructor":1e300,"__proto__":"p","toString":9007199254740993}');
    expect(await vectorTile({ table: tableOfOne(square(10, 20), properties), layer, turn: TURN }, tile)).toBeDefined();
  });

  it('is described by TileJSON with the columns', async () => {
    const table = tableOf(Object.values(GEOMETRIES));
    expect(vectorTileJson(layer, table, 'https://example.org/{z}/{x}/{y}')).toMatchObject({
      tilejson: '3.0.0',
      tiles: ['https://example.org/{z}/{x}/{y}'],
      minzoom: 0,
      maxzoom: 14,
      bounds: table.box,
      vector_layers: [{ id: layer.name, fields: { uid: 'String', area_in_ha: 'Number', is_wet: 'Boolean' } }],
    });
  });
});
