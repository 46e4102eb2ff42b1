import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findPeers, peerEnvironment } from '../../../../../scripts/peers.mjs';
import { regionsOf } from './regions.ts';

const SHAPES = `
import json, sys
import numpy
from rasterio.features import shapes
given = json.load(sys.stdin)
mask = numpy.array(given["pixels"], dtype="uint8").reshape(given["rows"], given["cols"])
def area(ring):
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:]))) / 2
found = [shape["coordinates"] for shape, _ in shapes(mask, mask=mask == 1, connectivity=8)]
json.dump(sorted(area(rings[0]) - sum(area(hole) for hole in rings[1:]) for rings in found), sys.stdout)
`;

const peers = findPeers({ modules: ['numpy', 'rasterio'] });
if ('reason' in peers) console.warn(`skipped: comparison of regions with rasterio's shapes: ${peers.reason}`);

function blobs(cols: number, rows: number, share: number): Uint8Array {
  let state = 7;
  const noise = Float64Array.from({ length: cols * rows }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  });
  const at = (i: number): number => noise[i] ?? 0.5;
  return Uint8Array.from(noise, (_, i) =>
    (at(i - 1) + at(i) + at(i + 1) + at(i - cols) + at(i + cols)) / 5 < share ? 1 : 0,
  );
}

describe.skipIf('reason' in peers)("regions compared with rasterio's shapes", () => {
  it.each([0.35, 0.4, 0.45, 0.5])(
    'finds the same number of regions with the same areas if pixels with smoothed noise below %d are water',
    (share) => {
      const [cols, rows] = [301, 257];
      const pixels = blobs(cols, rows, share);
      const python = 'python' in peers ? peers.python : '';
      const input = JSON.stringify({ cols, rows, pixels: [...pixels] });
      const result = spawnSync(python, ['-c', SHAPES], { input, env: peerEnvironment(), maxBuffer: 2 ** 26 });
      expect(result.stderr.toString()).toBe('');
      const theirs = z.array(z.number()).parse(JSON.parse(result.stdout.toString()));
      const ours = regionsOf({ cols, rows, pixels }).regions.map((region) => region.pixels);
      expect(theirs.length).toBeGreaterThan(20);
      expect(ours.toSorted((a, b) => a - b)).toEqual(theirs);
    },
  );
});
