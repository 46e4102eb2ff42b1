import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { findPeers, peerEnvironment } from '../../../../scripts/peers.mjs';
import { polygonAt, polygonise } from './polygonise.ts';

/** Prints the value and area of each polygon that GDAL finds, sorted. */
const SHAPES = `
import json, sys
import numpy
from rasterio.features import shapes
given = json.load(sys.stdin)
pixels = numpy.array(given["pixels"], dtype=given["type"]).reshape(given["rows"], given["cols"])
def area(ring):
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:]))) / 2
found = [(float(value), area(shape["coordinates"][0]) - sum(map(area, shape["coordinates"][1:])))
         for shape, value in shapes(pixels, connectivity=given["connectivity"])]
print(json.dumps(sorted(found)))
`;

const peers = findPeers({ modules: ['numpy', 'rasterio'] });

describe.skipIf('reason' in peers)('polygonise, compared with GDAL', () => {
  it.each([
    ['uint8', 4],
    ['uint8', 8],
    ['int16', 4],
    ['float32', 8],
  ] as const)('finds regions of the same values and areas: %s, %i-connected', async (type, connectivity) => {
    const [cols, rows] = [190, 140];
    const value = (i: number): number => (Math.imul(i + 5, 2_654_435_761) >>> 29) + (Math.floor((i % cols) / 9) % 3);
    const list = Array.from({ length: cols * rows }, (_, i) => (type === 'float32' ? 0.5 : 1) * value(i));
    const pixels = { uint8: Uint8Array, int16: Int16Array, float32: Float32Array }[type].from(list);
    const found = await polygonise(pixels, { cols, rows }, { connectivity });
    const grid = { crs: 'EPSG:32643', west: 0, north: 0, pixelWidth: 1, pixelHeight: 1, cols, rows };
    const areas = new Map<number, { value: number; area: number }>();
    found.regions.forEach((region, i) => {
      const { area } = areas.get(region) ?? { area: 0 };
      const rings = polygonAt(found, i, grid).coordinates.map(areaOf);
      areas.set(region, { value: found.values[i]!, area: area + 2 * rings[0]! - rings.reduce((a, b) => a + b, 0) });
    });
    const input = JSON.stringify({ pixels: list, type, cols, rows, connectivity });
    const python = 'python' in peers ? peers.python : '';
    const judged = spawnSync(python, ['-c', SHAPES], {
      input,
      encoding: 'utf8',
      env: peerEnvironment(),
      maxBuffer: 2 ** 26,
    });
    expect(judged.stderr).toBe('');
    const ours = [...areas.values()].map((each) => [each.value, each.area] as const);
    expect(ours.toSorted(([a, b], [c, d]) => a - c || b - d)).toEqual(JSON.parse(judged.stdout));
  });
});

function areaOf(ring: readonly (readonly number[])[]): number {
  const twice = ring.reduce((sum, [x = 0, y = 0], i) => {
    const [nx = 0, ny = 0] = ring[(i + 1) % ring.length] ?? [];
    return sum + x * ny - nx * y;
  }, 0);
  return Math.abs(twice) / 2;
}
