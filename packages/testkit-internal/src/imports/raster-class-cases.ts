import { join } from 'node:path';
import { layerImporter } from '@headwater/ingest';
import { openRaster, writeGeoTiff } from '@headwater/raster';
import { describe, expect, it } from 'vitest';
import type { Get } from '@headwater/testkit/stores';
import { requestOf } from './import-request.fixture.ts';
import { LAYER_OPTIONS } from './layer.fixture.ts';
import { inLayerWorld } from './layer-world.fixture.ts';

const GRID = { crs: 'EPSG:4326', west: 84.98, north: 24.12, pixelWidth: 0.007, pixelHeight: 0.007, cols: 20, rows: 20 };
const CLASSES = [
  { value: 0, name: 'dry', title: 'Dry', color: '#bad93e' },
  { value: 1, name: 'wet', title: 'Wet', color: '#38761d' },
];

/** Test cases of rasters of integers (0 to 255) without a nodata value. */
export function rasterClassCases(get: Get): void {
  describe('an imported raster in which 0 is an ordinary value', () => {
    it.each([
      ['of classes', { classes: CLASSES }, { dtype: 'uint8', nodata: 255 }],
      ['of values', {}, { dtype: 'int16', nodata: -32_768 }],
    ])('%s stores 0 as a value', async (_, more, stored) => {
      await inLayerWorld(get(), async ({ deps, folder, tehsilId }) => {
        const path = join(folder, 'use_sample_district_sample_tehsil.tif');
        const data = Uint8Array.from({ length: 400 }, (_each, index) => index % 2);
        await writeGeoTiff(path, { grid: GRID, data, overviews: 'none', predictor: 1, tileSize: 16 });
        const importer = layerImporter(deps, { ...LAYER_OPTIONS, name: 'use', ...more });
        expect(await importer.run(requestOf(path))).toMatchObject({ stored: 1 });
        const [layer] = await get().catalog.layersOf(tehsilId);
        const cog = await openRaster((await deps.assets.localPath?.(layer?.assetKey ?? '')) ?? '');
        try {
          expect(cog).toMatchObject(stored);
          const { cols, rows } = cog.grid;
          const pixels = new Int16Array(cols * rows);
          await cog.readWindow({ col: 0, row: 0, cols, rows }, pixels);
          const inner = pixels.subarray(cols * Math.floor(rows / 2)).subarray(2, cols - 2);
          expect(new Set(inner)).toEqual(new Set([0, 1]));
        } finally {
          cog.close();
        }
      });
    });
  });
}
