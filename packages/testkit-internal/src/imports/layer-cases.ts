import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { layerImporter } from '@headwater/ingest';
import { openRaster, writeGeoTiff } from '@headwater/raster';
import { validateItem } from '@headwater/stac';
import { describe, expect, it } from 'vitest';
import type { Get } from '@headwater/testkit/stores';
import { requestOf } from './import-request.fixture.ts';
import { collectionText, feature, LAYER_OPTIONS, line, PATH, polygon, writeRaster } from './layer.fixture.ts';
import { inLayerWorld, type LayerWorld } from './layer-world.fixture.ts';

/** Test cases of imported layers, which are published like layers of runs. */
export function layerCases(get: Get): void {
  describe('an imported layer', () => {
    const inWorld = (work: (world: LayerWorld) => Promise<void>): Promise<void> => inLayerWorld(get(), work);

    it('of features has its Item, record, styles and preview; invalid features are reported', async () => {
      await inWorld(async ({ deps, folder, tehsilId }) => {
        const path = join(folder, 'drainage_sample_district_sample_tehsil.geojson');
        const crossed = {
          type: 'Polygon',
          coordinates: [
            [
              [85, 24],
              [85.02, 24.02],
              [85.02, 24],
              [85, 24.02],
              [85, 24],
            ],
          ],
        };
        await writeFile(
          path,
          collectionText(
            feature(polygon(85, 24), { uid: '12_100174', depth: 1.5, order: 2, note: null }),
            feature(polygon(85.05, 24.05), { uid: 7, depth: 9, order: 3, more: { a: [1] } }),
            feature(polygon(850, 24), { uid: 'far' }),
            feature(line, { uid: 'line' }),
            feature(crossed, { uid: 'crossed', depth: 4 }),
            feature(null, {}),
          ),
        );
        const importer = layerImporter(deps, LAYER_OPTIONS);
        expect(await importer.run(requestOf(path, { isTrial: true }))).toMatchObject({ stored: 3 });
        expect(await get().catalog.layersOf(tehsilId)).toEqual([]);
        const report = await importer.run(requestOf(path));
        expect(report).toMatchObject({
          kind: 'layer',
          stored: 3,
          unchanged: 0,
          refusedCount: 3,
          repaired: [{ row: 5 }],
        });
        expect(report.refused.map(({ row }) => row)).toEqual([3, 4, 6]);
        const [layer] = await get().catalog.layersOf(tehsilId);
        expect(layer).toMatchObject({
          workspace: 'imported',
          layerName: 'drainage_sample_district_sample_tehsil',
          datasetName: 'Drainage',
          layerType: 'vector',
          version: 1,
        });
        const stored = await get().catalog.item(PATH, layer?.itemId ?? '');
        expect(validateItem(stored?.item, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(stored?.item).toMatchObject({
          properties: {
            title: 'Drainage lines of Sample Tehsil',
            license: 'CC-BY-4.0',
            providers: [{ name: 'Survey office', roles: ['producer'], url: 'https://survey.example.org/' }],
            attribution: 'Survey office, 2021',
            start_datetime: '2020-07-01T00:00:00Z',
            end_datetime: '2021-06-30T23:59:59Z',
            'table:row_count': 3,
            'processing:lineage': 'Imported from drainage_sample_district_sample_tehsil.geojson',
          },
          assets: { thumbnail: {}, style: {}, data: {} },
        });
        const file = await deps.assets.open(layer?.assetKey ?? '');
        const written: unknown = JSON.parse(await new Response(file?.stream(0, (file?.bytes ?? 1) - 1)).text());
        expect(written).toMatchObject({
          features: [
            { properties: { uid: '12_100174', depth: 1.5, order: 2, note: null, more: null } },
            { properties: { uid: '7', depth: 9, order: 3, note: null, more: '{"a":[1]}' } },
            { properties: { uid: 'crossed', depth: 4, order: null } },
          ],
        });
        expect(await importer.run(requestOf(path))).toMatchObject({ stored: 0, unchanged: 3 });
        const other = layerImporter(deps, { ...LAYER_OPTIONS, license: 'CC0-1.0' });
        expect(await other.run(requestOf(path))).toMatchObject({ stored: 3, unchanged: 0 });
        expect(await get().catalog.layersOf(tehsilId)).toMatchObject([{ version: 2 }]);
      });
    });

    it('is reported if the list of layers omits it because of its name', async () => {
      await inWorld(async ({ deps, folder }) => {
        const path = join(folder, 'sample_district_sample_tehsil.geojson');
        await writeFile(path, collectionText(feature(line, { uid: '1' })));
        const repairsOf = async (name: string) => {
          const report = await layerImporter(deps, { ...LAYER_OPTIONS, name }).run(requestOf(path, { isTrial: true }));
          return report.repaired.map(({ repair }) => repair);
        };
        expect(await repairsOf('rain_precipitation_gauges')).toEqual([
          expect.stringContaining('served but not listed'),
        ]);
        expect(await repairsOf('mws_connectivity_precipitation')).toEqual([]);
      });
    });

    it('of lines without numbers is drawn in one colour, or with the style of its style file', async () => {
      await inWorld(async ({ deps, folder, tehsilId }) => {
        const path = join(folder, 'drainage_sample_district_sample_tehsil.geojson');
        await writeFile(path, collectionText(feature(line, { name: 'Sample nala' })));
        const qml = join(folder, 'own.qml');
        await writeFile(qml, '<!DOCTYPE qgis><qgis version="3.28"><mine/></qgis>');
        const textOf = async (): Promise<string> => {
          const [layer] = await get().catalog.layersOf(tehsilId);
          const style = await deps.assets.open(layer?.styleKey ?? '');
          return await new Response(style?.stream(0, (style?.bytes ?? 1) - 1)).text();
        };
        await layerImporter(deps, LAYER_OPTIONS).run(requestOf(path));
        expect(await textOf()).toContain('singleSymbol');
        await layerImporter(deps, { ...LAYER_OPTIONS, styles: { qml } }).run(requestOf(path));
        expect(await textOf()).toContain('<mine/>');
        await writeFile(qml, '<html/>');
        const broken = layerImporter(deps, { ...LAYER_OPTIONS, styles: { qml } }).run(requestOf(path));
        await expect(broken).rejects.toThrow('it is not a style in QML');
        expect(await textOf()).toContain('<mine/>');
      });
    });

    it('of pixels is converted to a COG of the tehsil', async () => {
      await inWorld(async ({ deps, folder, tehsilId }) => {
        const path = join(folder, 'depth_sample_district_sample_tehsil.tif');
        await writeRaster(path);
        const importer = layerImporter(deps, { ...LAYER_OPTIONS, name: 'depth', unit: 'm' });
        expect(await importer.run(requestOf(path, { isTrial: true }))).toMatchObject({ stored: 1 });
        expect(await importer.run(requestOf(path))).toMatchObject({ stored: 1, unchanged: 0, refusedCount: 0 });
        expect(await importer.run(requestOf(path))).toMatchObject({ stored: 0, unchanged: 1 });
        const [layer] = await get().catalog.layersOf(tehsilId);
        expect(layer).toMatchObject({
          layerType: 'raster',
          layerName: 'depth_sample_district_sample_tehsil',
          version: 1,
        });
        const stored = await get().catalog.item(PATH, layer?.itemId ?? '');
        expect(validateItem(stored?.item, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(stored?.item).toMatchObject({ properties: { 'proj:code': 'EPSG:4326', license: 'CC-BY-4.0' } });
        const cog = await openRaster((await deps.assets.localPath?.(layer?.assetKey ?? '')) ?? '');
        try {
          // The tehsil begins in the third column. The import cuts the file, but does not move pixels.
          expect(cog.grid.west).toBeCloseTo(84.994, 9);
          expect(cog.grid.pixelWidth).toBeCloseTo(0.007, 12);
        } finally {
          cog.close();
        }
      });
    });

    it('of classes lists the classes of its options, also if the coordinates of the file are in metres', async () => {
      await inWorld(async ({ deps, folder, tehsilId }) => {
        const path = join(folder, 'use_sample_district_sample_tehsil.tif');
        // 85 E, 24 N is at 296,539 m E, 2,655,670 m N in UTM zone 45.
        const grid = {
          crs: 'EPSG:32645',
          west: 295_000,
          north: 2_668_000,
          pixelWidth: 200,
          pixelHeight: 200,
          cols: 70,
          rows: 70,
        };
        const data = Uint8Array.from({ length: 4900 }, (_, index) => (index % 70 < 35 ? 1 : 2));
        await writeGeoTiff(path, { grid, data, nodata: 0, overviews: 'none', predictor: 1, tileSize: 16 });
        const classes = [
          { value: 1, name: 'farm', title: 'Farm', color: '#bad93e' },
          { value: 2, name: 'forest', title: 'Forest', color: '#38761d' },
        ];
        const options = { ...LAYER_OPTIONS, name: 'use', classes };
        expect(await layerImporter(deps, options).run(requestOf(path))).toMatchObject({ stored: 1 });
        const [layer] = await get().catalog.layersOf(tehsilId);
        const stored = await get().catalog.item(PATH, layer?.itemId ?? '');
        expect(validateItem(stored?.item, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(stored?.item).toMatchObject({ properties: { 'proj:code': 'EPSG:4326', gsd: 200 } });
        expect(JSON.stringify(stored?.item)).toContain('"title":"Forest"');
        await writeRaster(path);
        await expect(layerImporter(deps, options).run(requestOf(path))).rejects.toThrow(
          'convert it (gdal_translate -ot Byte)',
        );
      });
    });
  });
}
