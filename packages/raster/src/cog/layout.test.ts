import { describe, expect, it } from 'vitest';
import type { CogFormat } from './cog-image.ts';
import { cogHeader } from './layout.ts';
import type { EncodedLevel } from './layout.ts';

const grid = { crs: 'EPSG:4326', west: 0, north: 0, pixelWidth: 1, pixelHeight: 1, cols: 64, rows: 16 };
const format: CogFormat = { grid, overviews: 'none', predictor: 1, tileSize: 16 };

function levelOf(total: number): EncodedLevel {
  const tile = { length: total / 4 } as Uint8Array;
  return { level: { cols: 64, rows: 16, tilesAcross: 4, tilesDown: 1 }, tiles: [tile, tile, tile, tile] };
}

describe('cogHeader', () => {
  it('uses BigTIFF if offsets would exceed 4 GiB, and otherwise classic TIFF', () => {
    const magic = (total: number): number | undefined => cogHeader({ format, type: 'uint8' }, [levelOf(total)])[2];
    const classic = cogHeader({ format, type: 'uint8' }, [levelOf(4000)]).length;
    const most = Math.floor((0xffff_ffff - classic) / 4) * 4;
    expect([magic(4000), magic(most), magic(most + 4)]).toEqual([42, 42, 43]);
  });
});
