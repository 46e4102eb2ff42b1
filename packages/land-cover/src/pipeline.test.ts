import { createPipelineRegistry, DomainError, type EarthObservation, type PipelineContext } from '@headwater/core';
import { validateItem } from '@headwater/stac';
import type { FeatureCollection } from 'geojson';
import { describe, expect, it } from 'vitest';
import {
  directory,
  fakeContext,
  fakePixels,
  fakePorts,
  finds,
  MWS,
  PLACE,
  scene,
  type Asked,
} from './pipeline.fixture.ts';
import { lulcPipeline } from './pipeline.ts';

type Link = Readonly<Record<'rel' | 'href' | 'type' | 'title', string>>;

const empty = (): Asked => ({ plans: [], combined: [], cogs: [], released: [] });
const days = (year: number): string[] => [`${year}-08-03`, `${year}-10-10`, `${year + 1}-01-05`, `${year + 1}-04-20`];
const params = (startYear: number, endYear: number) => ({ tehsilId: 3, startYear, endYear, eoAccountId: 1 });

async function runWith(years: readonly number[], change: Parameters<typeof fakePorts>[0] = {}) {
  const asked = empty();
  const written = new Map<string, string>();
  const [lines, steps]: [string[], string[]] = [[], []];
  const scenes = years.flatMap((y) => days(y).map((d) => scene(d)));
  const ports = fakePorts({ earthObservation: finds(scenes), pixels: fakePixels(asked), ...change }, written);
  const context: { -readonly [K in keyof PipelineContext]: PipelineContext[K] } = fakeContext(lines, steps);
  const run = () => lulcPipeline.execute(params(years[0] ?? 0, years.at(-1) ?? 0), ports, context);
  return { asked, written, lines, steps, run, context };
}

describe('the land-cover pipeline', () => {
  it('keeps parameters through JSON, and tells equal work by its fingerprint', () => {
    const asked = params(2020, 2022);
    expect(lulcPipeline.params.parse(JSON.parse(JSON.stringify(asked)))).toEqual(asked);
    expect(lulcPipeline.fingerprint(asked)).not.toBe(lulcPipeline.fingerprint({ ...asked, endYear: 2021 }));
  });

  it('is one that the run machine takes, under its own name, route and aliases', () => {
    const registry = createPipelineRegistry([lulcPipeline]);
    expect(registry.list).toEqual([lulcPipeline]);
    expect(registry.get('lulc_for_tehsil')).toMatchObject({ route: 'lulc_for_tehsil', aliases: ['lulc_v3'] });
  });

  it('publishes a raster per year and one vector, as valid Items under the published ids', async () => {
    const { run, asked, steps } = await runWith([2020, 2021, 2022]);
    const made = await run();
    expect(made.items.map((i) => i.id)).toEqual([
      'nadi_pradesh_east_nadi_jal__gaon_land_use_land_cover_raster_2020',
      'nadi_pradesh_east_nadi_jal__gaon_land_use_land_cover_raster_2021',
      'nadi_pradesh_east_nadi_jal__gaon_land_use_land_cover_raster_2022',
      'nadi_pradesh_east_nadi_jal__gaon_land_use_land_cover_vector',
    ]);
    for (const { item, collectionPath } of made.items) {
      expect(validateItem(item).filter((f) => f.severity === 'error')).toEqual([]);
      expect(collectionPath).toBe('nadi_pradesh/east_nadi/jal__gaon');
    }
    expect(made.layers.map((l) => `${l.workspace}:${l.layerName}`)).toEqual([
      'LULC_level_3:LULC_20_21_east_nadi_jal_gaon_level_3',
      'LULC_level_3:LULC_21_22_east_nadi_jal_gaon_level_3',
      'LULC_level_3:LULC_22_23_east_nadi_jal_gaon_level_3',
      'lulc_vector:lulc_vector_east_nadi_jal_gaon',
    ]);
    expect(asked.plans).toHaveLength(3);
    expect(asked.combined).toHaveLength(1);
    expect(steps).toEqual(lulcPipeline.steps.map((s) => s.name));
  });

  it('puts the state in front of layer names where the directory has a namesake; Items keep their ids', async () => {
    const namesake = { tehsilId: 9, state: 'Elsewhere', district: 'East Nadi', tehsil: 'Jal Gaon' };
    const places = directory({ namesakesOf: () => Promise.resolve([namesake]) });
    const made = await (await runWith([2020], { places })).run();
    expect(made.layers.map(({ layerName, formerly }) => [layerName, formerly])).toEqual([
      ['LULC_20_21_nadi_pradesh_east_nadi_jal_gaon_level_3', ['LULC_20_21_east_nadi_jal_gaon_level_3']],
      ['lulc_vector_nadi_pradesh_east_nadi_jal_gaon', ['lulc_vector_east_nadi_jal_gaon']],
    ]);
    expect(JSON.stringify(made.items[0]?.item)).toContain('LULC_20_21_nadi_pradesh_east_nadi_jal_gaon_level_3');
    expect(made.items[1]?.id).toBe('nadi_pradesh_east_nadi_jal__gaon_land_use_land_cover_vector');
  });

  it('names the Collection of every Item by state, district and block, and the Item by what it was before', async () => {
    const [item] = (await (await runWith([2020])).run()).items;
    expect(item?.item['collection']).toBe('nadi_pradesh_east_nadi_jal__gaon');
    expect(item?.formerly).toEqual([
      {
        collectionPath: 'nadi_pradesh/east_nadi/jal_gaon',
        id: 'nadi_pradesh_east_nadi_jal_gaon_land_use_land_cover_raster_2020',
      },
    ]);
  });

  it('writes every MWS with area and 12 columns per year', async () => {
    const { run, written } = await runWith([2020, 2021]);
    await run();
    const text = written.get('nadi_pradesh_east_nadi_jal__gaon_land_use_land_cover_vector.geojson') ?? '';
    const layer = JSON.parse(text) as FeatureCollection;
    expect(layer.features.map((f) => f.properties?.['uid'])).toEqual(MWS.map((m) => m.uid));
    const first = layer.features[0];
    expect(Object.keys(first?.properties ?? {})).toHaveLength(2 + 2 * 12);
    expect(first?.properties).toMatchObject({
      'built-up_area_2020': 0.5,
      cropland_area_2021: 2.5,
      shrub_scrub_area_2021: 6,
    });
    expect(first?.geometry.type).toBe('MultiPolygon');
  });

  it('gives a tehsil without micro-watersheds its rasters, no vector, and says so', async () => {
    const places = directory({ mwsOf: () => Promise.resolve([]) });
    const { run, written, lines, steps } = await runWith([2020, 2021, 2022], { places });
    const made = await run();
    expect(made.items.map((i) => i.id)).toEqual(
      [2020, 2021, 2022].map((year) => `nadi_pradesh_east_nadi_jal__gaon_land_use_land_cover_raster_${year}`),
    );
    for (const { item } of made.items) expect(validateItem(item).filter((f) => f.severity === 'error')).toEqual([]);
    expect(made.layers.map((l) => l.layerType)).toEqual(['raster', 'raster', 'raster']);
    expect([...written.keys()].filter((name) => /vector/.test(name))).toEqual([]);
    expect(lines.join('\n')).toContain('Jal & Gaon has no micro-watersheds: rasters only');
    expect(steps).toEqual(lulcPipeline.steps.map((s) => s.name));
    const lost = directory({
      placeOfTehsil: () => Promise.resolve({ ...PLACE, tehsil: { ...PLACE.tehsil, geometry: null } }),
    });
    await expect((await runWith([2020], { places: lost })).run()).rejects.toMatchObject({
      code: 'input_data',
      message: expect.stringContaining('no boundary'),
    });
  });

  it('releases every scratch raster, on failure too', async () => {
    const good = await runWith([2020, 2021, 2022]);
    await good.run();
    expect(good.asked.released).toHaveLength(3 * 4 + 9);
    const bad = await runWith([2020], {
      assets: { ...fakePorts({}, new Map()).assets, begin: () => Promise.reject(new Error('disk full')) },
    });
    await expect(bad.run()).rejects.toThrow('disk full');
    expect(bad.asked.released).toHaveLength(4);
  });

  it('says in the Item that fewer than three years were not corrected', async () => {
    const { run, asked } = await runWith([2020, 2021]);
    const [item] = (await run()).items;
    expect(asked.combined).toHaveLength(0);
    expect(JSON.stringify(item?.item)).toContain('was skipped: it needs 3 consecutive years and this run had 2');
    expect(item?.item['properties']).toMatchObject({
      'headwater:temporal_correction': false,
      'headwater:pixels_insufficient': 60,
      'headwater:pixels_filled': 30,
    });
  });

  it('carries the synthetic flag of its scenes into text and properties', async () => {
    const scenes = days(2020).map((d) => scene(d, { synthetic: true, itemHref: '/data/item.json' }));
    const { run } = await runWith([2020], { earthObservation: finds(scenes) });
    const [item] = (await run()).items;
    expect(item?.item['properties']).toMatchObject({ 'headwater:synthetic': true, 'headwater:scene_count': 4 });
    expect(JSON.stringify(item?.item)).toContain('SYNTHETIC');
    expect(JSON.stringify(item?.item)).not.toContain('/data/item.json');
  });

  it('fails with no_scenes naming the year that has none', async () => {
    const { run } = await runWith([2020, 2021], { earthObservation: finds(days(2020).map((d) => scene(d))) });
    await expect(run()).rejects.toMatchObject({ code: 'no_scenes', message: expect.stringContaining('year 2021') });
  });

  it('fails with input_data naming band and Item when no scene has all bands', async () => {
    const lacking = days(2020).map((d) => {
      const { swir16: _, ...bands } = scene(d).bands;
      return scene(d, { bands });
    });
    const { run } = await runWith([2020], { earthObservation: finds(lacking) });
    await expect(run()).rejects.toMatchObject({
      code: 'input_data',
      message: expect.stringMatching(/S2_2020-08-03: lacks band swir16/),
    });
  });

  it('leaves out a single scene that lacks a band, in the log and in the Item', async () => {
    const { swir16: _, ...bands } = scene('2020-09-01').bands;
    const scenes = [...days(2020).map((d) => scene(d)), scene('2020-09-01', { bands })];
    const { run, lines } = await runWith([2020], { earthObservation: finds(scenes) });
    const [item] = (await run()).items;
    expect(lines.join('\n')).toContain('scene S2_2020-09-01 left out: lacks band swir16');
    expect(item?.item['properties']).toMatchObject({
      'headwater:skipped_scenes': { 'S2_2020-09-01': 'lacks band swir16' },
      'headwater:scene_count': 4,
    });
  });

  it('never takes a scene whose offset is unknown, and says so in the log and in the Item', async () => {
    const scenes = [...days(2022).map((d) => scene(d)), scene('2022-09-01', { offsetUnknown: true })];
    const { run, lines, asked } = await runWith([2022], { earthObservation: finds(scenes) });
    const [item] = (await run()).items;
    expect(asked.plans[0]?.scenes.map(({ id }) => id)).not.toContain('S2_2022-09-01');
    const reason = expect.stringMatching(/offset of 1000.*s2:processing_baseline or raster:offset/);
    expect(item?.item['properties']).toMatchObject({ 'headwater:skipped_scenes': { 'S2_2022-09-01': reason } });
    expect(lines.join('\n')).toContain('scene S2_2022-09-01 left out: it does not say');
    const none = days(2022).map((d) => scene(d, { offsetUnknown: true }));
    await expect((await runWith([2022], { earthObservation: finds(none) })).run()).rejects.toMatchObject({
      code: 'input_data',
      message: expect.stringMatching(
        /hydrological year 2022 can be used: Item S2_2022-08-03: it does not say.*raster:offset/,
      ),
    });
  });

  it('links to each scene up to fifty, and from there on to one document that lists all of them', async () => {
    const many = (count: number, change: Parameters<typeof scene>[1] = {}) =>
      Array.from({ length: count }, (_, i) => {
        const day = new Date(Date.UTC(2020, 6, 3 + i)).toISOString().slice(0, 10);
        return scene(day, change);
      });
    const linksOf = async (scenes: ReturnType<typeof many>) => {
      const { run, written } = await runWith([2020], { earthObservation: finds(scenes) });
      const { items } = await run();
      const links = items.map(({ item }) => (item as { links: Link[] }).links.filter((l) => l.rel === 'derived_from'));
      return { links, written, items };
    };
    const few = await linksOf(many(50));
    expect(few.links.map((links) => links.length)).toEqual([50, 50]);
    expect([...few.written.keys()].filter((name) => name.endsWith('_scenes.json'))).toEqual([]);

    const { links, written, items } = await linksOf(many(51));
    const name = 'nadi_pradesh_east_nadi_jal__gaon_land_use_land_cover_raster_2020_scenes.json';
    expect(links[0]).toEqual([
      {
        rel: 'derived_from',
        href: `http://localhost:8000/files/run-1/1/${name}`,
        type: 'application/json',
        title: 'All 51 scenes of this layer',
      },
    ]);
    const list = JSON.parse(written.get(name) ?? '') as { scenes: { id: string; href: string | null }[] };
    expect(list).toMatchObject({ item: items[0]?.id, scene_count: 51 });
    expect(list.scenes).toHaveLength(51);
    expect(list.scenes[0]).toEqual({
      id: 'S2_2020-07-03',
      datetime: '2020-07-03T05:30:00.000Z',
      href: 'https://stac.example.org/items/S2_2020-07-03',
    });

    const local = await linksOf(many(60, { itemHref: '/srv/secret/item.json' }));
    const text = local.written.get(name) ?? '';
    expect(text).not.toContain('secret');
    expect((JSON.parse(text) as typeof list).scenes[59]).toMatchObject({ href: null });
  });

  it('tells the classes of the quality raster with their counts', async () => {
    const [item] = (await (await runWith([2020])).run()).items;
    const quality = {
      data_type: 'uint8',
      nodata: 0,
      'raster:spatial_resolution': 10,
      'classification:classes': [
        { value: 1, name: 'computed', title: 'Computed', color_hint: '66A61E', count: 900, percentage: 90 },
        { value: 2, name: 'insufficient', count: 60 },
        { value: 3, name: 'filled', count: 30 },
        { value: 4, name: 'corrected', count: 10 },
      ],
    };
    expect(item?.item).toMatchObject({ assets: { quality } });
  });

  it('publishes the confidence of each pixel as a raster beside the classes', async () => {
    const { run, asked } = await runWith([2020, 2021, 2022]);
    const [item] = (await run()).items;
    const confidence = {
      type: 'image/tiff; application=geotiff; profile=cloud-optimized',
      roles: ['metadata'],
      bands: [{ name: 'confidence', data_type: 'uint8', nodata: 0, unit: '%' }],
    };
    expect(item?.item).toMatchObject({ assets: { confidence } });
    const [first] = asked.cogs.filter(({ path }) => path.endsWith('_confidence.tif'));
    expect(first?.raster.key).toBe('combined/confidence_2020');
    expect(Object.keys(first?.palette ?? {})).toHaveLength(100);
  });

  it('gives credit to Copernicus with the years of the scenes, in every Item made from Sentinel-2', async () => {
    const { items } = await (await runWith([2020, 2021])).run();
    expect(items.map(({ item }) => Reflect.get(Object(item['properties']), 'attribution'))).toEqual([
      'Contains modified Copernicus Sentinel data 2020-2021',
      'Contains modified Copernicus Sentinel data 2021-2022',
      'Contains modified Copernicus Sentinel data 2020-2022',
    ]);
    const [one] = days(2020).map((day) => scene(day));
    const single = await runWith([2020], { earthObservation: finds(one === undefined ? [] : [one]) });
    expect((await single.run()).items[0]?.item['properties']).toMatchObject({
      attribution: 'Contains modified Copernicus Sentinel data 2020',
    });
  });

  it('gives no credit for scenes that no satellite took', async () => {
    const scenes = days(2020).map((d, index) => scene(d, { synthetic: index > 0 }));
    const mixed = await (await runWith([2020], { earthObservation: finds(scenes) })).run();
    expect(mixed.items[0]?.item['properties']).toMatchObject({
      attribution: 'Contains modified Copernicus Sentinel data 2020',
    });
    const made = scenes.map((each) => ({ ...each, synthetic: true }));
    const all = await (await runWith([2020], { earthObservation: finds(made) })).run();
    expect(all.items[0]?.item['properties']).not.toHaveProperty('attribution');
  });

  it('tells no path or key of the server in the Item of a scene that the engine left out', async () => {
    const pixels = fakePixels(empty());
    const skipped = {
      S2_X: '/srv/data/eo/B08.tif: it is truncated',
      S2_Y: 'https://h.example.org/a/B04.tif?sig=s/3cret: 403',
    };
    const execute: typeof pixels.execute = async (...asked) => ({ ...(await pixels.execute(...asked)), skipped });
    const { run } = await runWith([2020], { pixels: { ...pixels, execute } });
    const [item] = (await run()).items;
    expect(item?.item['properties']).toMatchObject({
      'headwater:skipped_scenes': { S2_X: 'B08.tif: it is truncated', S2_Y: 'B04.tif: 403' },
    });
  });

  it('says in the Item which scenes are missing because their server did not answer', async () => {
    const pixels = fakePixels(empty());
    const away = {
      skipped: { 'S2_2020-08-03': 'https://h.example.org/x.tif: no answer' },
      unavailable: ['S2_2020-08-03'],
    };
    const execute: typeof pixels.execute = async (...asked) => ({ ...(await pixels.execute(...asked)), ...away });
    const { run, asked } = await runWith([2020], { pixels: { ...pixels, execute } });
    const [raster, vector] = (await run()).items;
    for (const made of [raster, vector]) {
      expect(made?.item['properties']).toMatchObject({ 'headwater:missing_scenes': ['S2_2020-08-03'] });
      expect(JSON.stringify(made?.item)).toContain('1 of 4 scenes is missing, because its server did not answer');
    }
    expect(asked.plans).toEqual([]);
  });

  it('lets at most one scene in twenty be missing, and names the year in which more are', async () => {
    const asked = empty();
    const { run } = await runWith([2020], { pixels: fakePixels(asked) });
    const [item] = (await run()).items;
    expect(asked.plans.map((plan) => plan.mayMiss)).toEqual([0.05]);
    expect(item?.item['properties']).toMatchObject({ 'headwater:missing_scenes': [] });
    const gone = {
      ...fakePixels(empty()),
      execute: () => Promise.reject(new DomainError('unavailable', '9 of 60 scenes')),
    };
    await expect((await runWith([2020], { pixels: gone })).run()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^Hydrological year 2020: 9 of 60 scenes/),
    });
  });

  it('tells in the log and in the progress what a search waits for', async () => {
    const notes: string[] = [];
    const scenes = days(2020).map((d) => scene(d));
    const search: EarthObservation['search'] = (query) => {
      query.onWait?.('waiting for stac.example.org (HTTP 429); next try in 30 s');
      return Promise.resolve({ scenes, rejected: [] });
    };
    const { run, context } = await runWith([2020], { earthObservation: { search } });
    context.progress = (_step, _share, note) => void notes.push(note ?? '');
    await run();
    expect(notes).toContain('waiting for stac.example.org (HTTP 429); next try in 30 s');
  });

  it('fails on a year that is cloud all over, says what was found and what is needed, and publishes nothing', async () => {
    const { run } = await runWith([2020], { pixels: fakePixels(empty(), { clear: false }) });
    await expect(run()).rejects.toMatchObject({
      code: 'no_scenes',
      message: expect.stringMatching(
        /^Hydrological year 2020: 4 scenes were found, on 4 dates; .* in at least 3 different 16-day steps/,
      ),
    });
  });

  it('speaks of one scene as of one', async () => {
    const earthObservation = finds([scene('2020-10-10')]);
    const { run } = await runWith([2020], { earthObservation, pixels: fakePixels(empty(), { clear: false }) });
    await expect(run()).rejects.toMatchObject({ message: expect.stringContaining('1 scene was found, on 1 date;') });
  });
});
