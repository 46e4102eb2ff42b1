import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { layerImporter } from '@headwater/ingest';
import { describe, expect, it } from 'vitest';
import { dataOf, publishData, deliverable, type Get } from '@headwater/testkit/stores';
import { requestOf } from './import-request.fixture.ts';
import { collectionText, feature, LAYER_OPTIONS, PATH, polygon, writeRaster } from './layer.fixture.ts';
import { inLayerWorld, type LayerWorld } from './layer-world.fixture.ts';

/** Test cases of refused layers and features. */
export function refusedLayerCases(get: Get): void {
  describe('an imported layer', () => {
    const inWorld = (work: (world: LayerWorld) => Promise<void>): Promise<void> => inLayerWorld(get(), work);

    it('changes nothing if it is unreadable, is outside of the tehsil, or has the name of another layer', async () => {
      await inWorld(async ({ deps, folder, tehsilId }) => {
        const importer = layerImporter(deps, LAYER_OPTIONS);
        const run = async (name: string, body: string) => {
          const path = join(folder, `drainage_sample_district_sample_tehsil.${name}`);
          await writeFile(path, body);
          return await importer.run(requestOf(path));
        };
        await expect(run('tif', 'no raster')).rejects.toThrow('gdal_translate -of COG');
        await expect(run('geojson', collectionText(feature(polygon(75, 24), {})))).rejects.toThrow(
          'is near Sample Tehsil',
        );
        expect(await run('geojson', collectionText(feature(polygon(24, 85), {})))).toMatchObject({
          stored: 0,
          refused: [{ row: 1, field: 'geometry', problem: expect.stringContaining('with the two numbers exchanged') }],
        });
        await expect(run('geojson', collectionText(feature(polygon(85, 24), { geometry: 1 })))).rejects.toThrow(
          'rename it',
        );
        await expect(run('geojson', collectionText())).rejects.toThrow('it has no feature');
        const flat = {
          type: 'Polygon',
          coordinates: [
            [
              [85, 24],
              [85.1, 24],
              [85, 24],
            ],
          ],
        };
        expect(await run('geojson', collectionText(feature(flat, {}), { type: 'Feature' }))).toMatchObject({
          stored: 0,
          unchanged: 0,
          refused: [
            { row: 1, field: 'geometry', problem: expect.stringContaining('at least 4 positions') },
            { row: 2, field: 'geometry', problem: expect.stringContaining('has no geometry') },
          ],
        });
        const far = join(folder, 'drainage_sample_district_sample_tehsil.tif');
        await writeRaster(far, 70);
        await expect(importer.run(requestOf(far))).rejects.toThrow('it is outside of Sample Tehsil');
        const stop = new AbortController();
        await writeRaster(far);
        const stopped = importer.run(requestOf(far, { signal: stop.signal, progress: () => stop.abort() }));
        await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
        expect(await get().catalog.layersOf(tehsilId)).toEqual([]);
        expect(await get().catalog.itemsOf(PATH)).toEqual([]);
        const { runs } = await get().runs.list({ limit: 9, offset: 0 });
        expect(runs.filter(({ state }) => state !== 'failed')).toEqual([]);
        const [other] = deliverable().layers;
        const itemId = 'sample_state_sample_district_sample_tehsil_drainage';
        if (other === undefined) throw new Error('the sample has no layer');
        await publishData(get().runs, 'r1', dataOf({ layers: [{ ...other, tehsilId, itemId }] }));
        await expect(run('geojson', collectionText(feature(polygon(85, 24), {})))).rejects.toMatchObject({
          fields: { name: [{}] },
        });
      });
    });

    it('needs providers, licence and dates', async () => {
      await inWorld(async ({ deps }) => {
        const bad = { ...LAYER_OPTIONS, license: 'free!', providers: [], start: '2021-13-01', name: '../x' };
        const create = (): unknown => layerImporter(deps, bad);
        for (const field of [
          'name: use only 1 to 100 letters',
          'license: write an SPDX',
          'providers: name at least one',
          'start: write a day',
        ])
          expect(create).toThrow(field);
        expect(() => layerImporter(deps, { ...LAYER_OPTIONS, start: '2022-01-01' })).toThrow('end: is before start');
      });
    });
  });
}
