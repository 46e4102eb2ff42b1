import { join } from 'node:path';
import { validateItem } from '@headwater/stac';
import { openRaster } from '@headwater/raster';
import type { PixelGrid } from '@headwater/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSmallService, type SmallService } from '../packages/server/src/small-service.fixture.ts';
import { scenesAround, smallPlace, writeScenes } from '../packages/server/src/small-world.fixture.ts';

/** A box in the small tehsil, not aligned to pixels. */
const INSIDE = [77.98201, 17.50302, 77.98803, 17.50904] as const;
const EXPORT = '/api/export-asset';

interface Raster {
  readonly grid: PixelGrid;
  readonly classes: Uint8Array;
}

async function rasterAt(path: string): Promise<Raster> {
  const file = await openRaster(path);
  try {
    const { cols, rows } = file.grid;
    const classes = new Uint8Array(cols * rows);
    await file.readWindow({ col: 0, row: 0, cols, rows }, classes);
    return { grid: file.grid, classes };
  } finally {
    file.close();
  }
}

function classAt({ grid, classes }: Raster, [lon, lat]: readonly [number, number]): number | undefined {
  const col = Math.floor((lon - grid.west) / grid.pixelWidth);
  const row = Math.floor((grid.north - lat) / grid.pixelHeight);
  return col < 0 || row < 0 || col >= grid.cols || row >= grid.rows ? undefined : classes[row * grid.cols + col];
}

describe('the work service with real pixels', () => {
  let service: SmallService;
  beforeAll(async () => {
    service = await startSmallService({ places: [smallPlace('Jalsrota')] });
    service.useScenes(service.dir);
    await writeScenes(service.dir, scenesAround(2021));
  }, 120_000);
  afterAll(() => service.close());

  const fileOf = (item: unknown): Promise<Raster> => {
    const { assets } = item as { readonly assets: Readonly<Record<string, { readonly href: string }>> };
    const [, key = ''] = /\/assets\/(.+\.tif)$/.exec(assets['cog']?.href ?? '') ?? [];
    return rasterAt(join(service.dir, 'assets', key));
  };
  const itemsOf = (answer: { readonly body: Readonly<Record<string, unknown>> }) =>
    answer.body['stac_items'] as readonly Readonly<Record<string, unknown>>[];

  it('gives a box the same classes as the tehsil around it, pixel by pixel', async () => {
    const { state, district, tehsil: block } = smallPlace('Jalsrota');
    const whole = await service.compute({ state, district, block, start_year: 2021, end_year: 2021 });
    const part = await service.post(EXPORT, { region: INSIDE, year: '2021' });
    expect([whole.status, part.status, part.body['status']]).toEqual([200, 200, 'success']);
    const [tehsil, region] = [await fileOf(itemsOf(whole)[0]), await fileOf(itemsOf(part)[0])];
    const { grid } = region;
    // Pixels at the edge have a class in both rasters, because a run includes pixels that are partly in its area.
    const expected = Array.from(region.classes, (_, at) => {
      const [col, row] = [at % grid.cols, Math.floor(at / grid.cols)];
      return classAt(tehsil, [grid.west + (col + 0.5) * grid.pixelWidth, grid.north - (row + 0.5) * grid.pixelHeight]);
    });
    expect(region.classes.length).toBeGreaterThan(4000);
    expect(Array.from(region.classes)).toEqual(expected);
    expect(new Set(region.classes).size).toBeGreaterThan(3);
  }, 240_000);

  it('publishes one valid Item with the file as data, and no layer of a tehsil', async () => {
    const { layers } = await service.published();
    const { body } = await service.post(`${EXPORT}?overwrite=false`, { region: INSIDE.join(','), year: 2021 });
    const [item] = itemsOf({ body });
    expect([body['reused'], body['version'], itemsOf({ body })]).toMatchObject([true, '1', { length: 1 }]);
    expect(validateItem(item ?? {}, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(item).toMatchObject({
      id: expect.stringMatching(/^regions_custom_region_[0-9a-f]{16}_land_use_land_cover_raster_2021$/),
      assets: { data: { href: expect.stringMatching(/\/api\/v1\/assets\/.+_raster_2021\.tif$/) } },
    });
    expect((await service.published()).layers).toEqual(layers);
  });

  it.each([
    [{ region: INSIDE, year: 2010 }, 'year', /2010 is too early/],
    [{ region: INSIDE, start_year: '2090' }, 'start_year', /is not over yet/],
    [{ region: INSIDE, year: 2021, base_scheme: 'worldcover' }, 'base_scheme', /this service has indiasat/],
    [{ region: [70, 10, 74, 14], year: 2021 }, 'region', /the maximum is 40000 km2/],
  ])('refuses %j, naming %s', async (body, field, message) => {
    const before = await service.runCount();
    const refused = await service.post(EXPORT, body);
    expect([refused.status, Object.keys(refused.body['errors'] ?? {})]).toEqual([400, [field]]);
    expect(refused.body['detail']).toMatch(message);
    expect(await service.runCount()).toBe(before);
  });

  it('removes a region with its folders on the disk, and computes the same classes again', async () => {
    const before = await service.attempts();
    const call = { region: INSIDE, year: 2021 };
    const first = await service.post(EXPORT, call);
    const [item] = itemsOf(first);
    const { classes } = await fileOf(item);
    const other = await service.post(EXPORT, { ...call, region: [77.984, 17.505, 77.986, 17.507] });
    const [, id = ''] = /(region_[0-9a-f]{16})/.exec(String(item?.['id'])) ?? [];
    expect(await service.remove(`/api/v1/regions/${id}/`)).toBe(204);
    const attempts = await service.attempts();
    // Folders of the removed region were removed, also of replaced versions.
    expect(attempts).toEqual(expect.arrayContaining([`${String(other.body['task_id'])}/1`]));
    expect(attempts).toHaveLength(2);
    expect(before).toHaveLength(2);
    await expect(fileOf(item)).rejects.toThrow(/ENOENT|does not exist|no such file/);
    const again = await service.post(`${EXPORT}?overwrite=false`, call);
    expect(again.body).toMatchObject({ status: 'success', reused: false, version: '1' });
    expect(Array.from((await fileOf(itemsOf(again)[0])).classes)).toEqual(Array.from(classes));
  }, 240_000);

  it('responds 422 if the region has no scenes', async () => {
    const refused = await service.post(EXPORT, { region: [80, 20, 80.01, 20.01], year: 2021 });
    expect([refused.status, refused.body]).toMatchObject([422, { status: 'failed', code: 'no_scenes' }]);
  });
});
