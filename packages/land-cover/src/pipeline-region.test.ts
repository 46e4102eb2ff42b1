import { checkedRegion, regionPlace } from '@headwater/core/places';
import { isObject } from '@headwater/core/values';
import { validateItem } from '@headwater/stac';
import { describe, expect, it } from 'vitest';
import { days, directory, fakeContext, fakePixels, fakePorts, finds, noRequests, scene } from './pipeline.fixture.ts';
import { lulcPipeline } from './pipeline.ts';

const REGION = checkedRegion([75.5, 23.2, 75.54, 23.24]);
const NOW = { now: () => new Date('2025-01-02T03:04:05Z') };
const PARAMS = lulcPipeline.params.parse(
  JSON.parse(JSON.stringify(lulcPipeline.regions?.resolve({ region: REGION, startYear: 2021, endYear: 2021 }, NOW))),
);

/** Runs the pipeline for a region. Such a run must not look up a tehsil, so the place directory rejects such calls. */
async function run() {
  const requests = noRequests();
  const lines: string[] = [];
  const rejects = () => Promise.reject(new Error('a region is in no directory'));
  const places = directory({ placeOfTehsil: rejects, mwsOf: rejects, namesakesOf: rejects });
  const change = { places, earthObservation: finds(days(2021).map((day) => scene(day))), pixels: fakePixels(requests) };
  const output = await lulcPipeline.execute(PARAMS, fakePorts(change, new Map()), fakeContext(lines));
  return { output, requests, lines };
}

describe('the land-cover pipeline over a region', () => {
  it('publishes one raster per year under the place of the region, and no layer of a tehsil', async () => {
    const { output, lines } = await run();
    const { slugs } = await regionPlace(REGION);
    expect(output.items.map(({ id, collectionPath }) => [id, collectionPath])).toEqual([
      [`regions_custom_${slugs.block}_land_use_land_cover_raster_2021`, `regions/custom/${slugs.block}`],
    ]);
    expect([output.layers, output.tables, output.series]).toEqual([[], [], undefined]);
    expect(lines).toContain('A region has no micro-watersheds: one raster per year, no layer of areas');
  });

  it('publishes a valid Item with the file as data, in the Collection of the region', async () => {
    const [published] = (await run()).output.items;
    const item = published?.item ?? {};
    const { slugs } = await regionPlace(REGION);
    expect(validateItem(item, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(item).toMatchObject({
      collection: `regions_custom_${slugs.block}`,
      properties: { 'headwater:state': 'regions', 'headwater:district': 'custom', 'headwater:tehsil': slugs.block },
      assets: { data: { type: 'image/tiff; application=geotiff', roles: ['data'] } },
    });
    const data = isObject(item['assets']) && isObject(item['assets']['data']) ? item['assets']['data'] : {};
    expect(data['href']).toMatch(/^http:\/\/localhost:8000\/files\/.*_raster_2021\.tif$/);
  });

  it('clips to the region, on the same pixel grid as other rasters', async () => {
    const { requests } = await run();
    expect(requests.cogs).toHaveLength(3);
    for (const { clip, grid } of requests.cogs) {
      expect(clip).toEqual([expect.objectContaining({ type: 'Polygon' })]);
      expect(grid.west / grid.pixelWidth).toBeCloseTo(Math.round(grid.west / grid.pixelWidth), 6);
    }
  });

  it('has a different fingerprint for every region and year, and for a tehsil', () => {
    const other = { region: checkedRegion([75.5, 23.2, 75.54, 23.25]), startYear: 2021, endYear: 2021 };
    const all = [
      PARAMS,
      lulcPipeline.regions?.resolve(other, NOW) ?? PARAMS,
      lulcPipeline.regions?.resolve({ region: REGION, startYear: 2020, endYear: 2020 }, NOW) ?? PARAMS,
      { tehsilId: 3, startYear: 2021, endYear: 2021, eoAccountId: 1 },
    ];
    expect(new Set(all.map((params) => lulcPipeline.fingerprint(params))).size).toBe(4);
  });

  it('rejects years that are too early or not over yet', () => {
    const resolving = (year: number) => () =>
      lulcPipeline.regions?.resolve({ region: REGION, startYear: year, endYear: year }, NOW);
    expect(resolving(2010)).toThrow('2010 is too early');
    expect(resolving(2024)).toThrow('is not over yet');
  });
});
