import { createPipelineRegistry, type EarthObservation } from '@headwater/core';
import { validateItem } from '@headwater/stac';
import type { FeatureCollection } from 'geojson';
import { describe, expect, it } from 'vitest';
import {
  days,
  directory,
  fakePixels,
  fakePorts,
  finds,
  MWS,
  noRequests,
  params,
  PLACE,
  runWith,
  scene,
} from './pipeline.fixture.ts';
import { lulcPipeline } from './pipeline.ts';

describe('the land-cover pipeline', () => {
  it('has parameters that JSON does not change, and another fingerprint for other years', () => {
    const parameters = params(2020, 2022);
    expect(lulcPipeline.params.parse(JSON.parse(JSON.stringify(parameters)))).toEqual(parameters);
    expect(lulcPipeline.fingerprint(parameters)).not.toBe(lulcPipeline.fingerprint({ ...parameters, endYear: 2021 }));
  });

  it('can be registered with its name, route and aliases', () => {
    const registry = createPipelineRegistry([lulcPipeline]);
    expect(registry.list).toEqual([lulcPipeline]);
    expect(registry.get('lulc_for_tehsil')).toMatchObject({ route: 'lulc_for_tehsil', aliases: ['lulc_v3'] });
  });

  it('publishes a raster per year and one vector as valid Items with the documented ids', async () => {
    const { run, requests, steps } = await runWith([2020, 2021, 2022]);
    const output = await run();
    expect(output.items.map((i) => i.id)).toEqual([
      'nadi_pradesh_east_nadi_jal__gaon_land_use_land_cover_raster_2020',
      'nadi_pradesh_east_nadi_jal__gaon_land_use_land_cover_raster_2021',
      'nadi_pradesh_east_nadi_jal__gaon_land_use_land_cover_raster_2022',
      'nadi_pradesh_east_nadi_jal__gaon_land_use_land_cover_vector',
    ]);
    for (const { item, collectionPath } of output.items) {
      expect(validateItem(item, 'headwater').filter((f) => f.severity === 'error')).toEqual([]);
      expect(collectionPath).toBe('nadi_pradesh/east_nadi/jal__gaon');
    }
    const levels = (years: string): string[] =>
      [1, 2, 3].map((level) => `LULC_level_${level}:LULC_${years}_east_nadi_jal_gaon_level_${level}`);
    expect(output.layers.map((l) => `${l.workspace}:${l.layerName}`)).toEqual([
      ...levels('20_21'),
      ...levels('21_22'),
      ...levels('22_23'),
      'lulc_vector:lulc_vector_east_nadi_jal_gaon',
    ]);
    // All levels are styles of one file with one Item.
    const last = output.layers.slice(6, 9);
    expect(new Set(last.map((l) => `${l.assetKey} ${l.itemId}`)).size).toBe(1);
    expect(new Set(last.map((l) => l.styleKey)).size).toBe(3);
    expect(requests.plans).toHaveLength(3);
    expect(requests.combined.map(({ block, halo }) => [block.export, halo])).toEqual([
      ['pixelAgreementBlock', 1],
      ['pixelAgreementBlock', 1],
      ['pixelAgreementBlock', 1],
      ['correctYears', undefined],
    ]);
    expect(steps).toEqual(lulcPipeline.steps.map((s) => s.name));
  });

  it('`plans` returns the plans that a run then executes, and does not call the engine', async () => {
    const { run, requests, ports, context } = await runWith([2020, 2021]);
    const plans = await lulcPipeline.plans?.(params(2020, 2021), ports, context.signal);
    expect(requests.plans).toEqual([]);
    await run();
    expect(plans).toEqual(requests.plans);
  });

  it('adds the state to layer names if another tehsil has the same names; Items keep their ids', async () => {
    const namesake = { tehsilId: 9, state: 'Elsewhere', district: 'East Nadi', tehsil: 'Jal Gaon' };
    const places = directory({ namesakesOf: () => Promise.resolve([namesake]) });
    const output = await (await runWith([2020], { places })).run();
    expect(output.layers.map(({ layerName, formerly }) => [layerName, formerly])).toEqual([
      ...[1, 2, 3].map((level) => [
        `LULC_20_21_nadi_pradesh_east_nadi_jal_gaon_level_${level}`,
        [`LULC_20_21_east_nadi_jal_gaon_level_${level}`],
      ]),
      ['lulc_vector_nadi_pradesh_east_nadi_jal_gaon', ['lulc_vector_east_nadi_jal_gaon']],
    ]);
    expect(JSON.stringify(output.items[0]?.item)).toContain('LULC_20_21_nadi_pradesh_east_nadi_jal_gaon_level_3');
    expect(output.items[1]?.id).toBe('nadi_pradesh_east_nadi_jal__gaon_land_use_land_cover_vector');
  });

  it('names the Collection of every Item after state, district and block, and lists the former id of the Item', async () => {
    const [item] = (await (await runWith([2020])).run()).items;
    expect(item?.item['collection']).toBe('nadi_pradesh_east_nadi_jal__gaon');
    expect(item?.formerly).toEqual([
      {
        collectionPath: 'nadi_pradesh/east_nadi/jal_gaon',
        id: 'nadi_pradesh_east_nadi_jal_gaon_land_use_land_cover_raster_2020',
      },
    ]);
  });

  it('writes for every MWS its area, the areas of 12 classes per year, and the area of land that was not seen', async () => {
    const { run, written } = await runWith([2020, 2021]);
    await run();
    const text = written.get('nadi_pradesh_east_nadi_jal__gaon_land_use_land_cover_vector.geojson') ?? '';
    const layer = JSON.parse(text) as FeatureCollection;
    expect(layer.features.map((f) => f.properties?.['uid'])).toEqual(MWS.map((m) => m.uid));
    const first = layer.features[0];
    expect(Object.keys(first?.properties ?? {})).toHaveLength(2 + 2 * 13);
    expect(first?.properties).toMatchObject({
      'built-up_area_2020': 0.5,
      cropland_area_2021: 2.5,
      shrub_scrub_area_2021: 6,
    });
    expect(first?.geometry.type).toBe('MultiPolygon');
  });

  it('publishes rasters but no vector for a tehsil without micro-watersheds; fails for a tehsil without a boundary', async () => {
    const places = directory({ mwsOf: () => Promise.resolve([]) });
    const { run, written, lines, steps } = await runWith([2020, 2021, 2022], { places });
    const output = await run();
    expect(output.items.map((i) => i.id)).toEqual(
      [2020, 2021, 2022].map((year) => `nadi_pradesh_east_nadi_jal__gaon_land_use_land_cover_raster_${year}`),
    );
    for (const { item } of output.items)
      expect(validateItem(item, 'headwater').filter((f) => f.severity === 'error')).toEqual([]);
    expect(output.layers.map((l) => l.layerType)).toEqual(Array(9).fill('raster'));
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

  it('releases every scratch raster, also after an error', async () => {
    const good = await runWith([2020, 2021, 2022]);
    await good.run();
    expect(good.requests.released).toHaveLength(3 * 5 + 9);
    const bad = await runWith([2020], {
      assets: { ...fakePorts({}, new Map()).assets, begin: () => Promise.reject(new Error('disk full')) },
    });
    await expect(bad.run()).rejects.toThrow('disk full');
    expect(bad.requests.released).toHaveLength(5);
  });

  it('states in the Item that the classes were not corrected, because the run has fewer than three years', async () => {
    const { run, requests } = await runWith([2020, 2021]);
    const [item] = (await run()).items;
    expect(requests.combined.map(({ block }) => block.export)).toEqual(['pixelAgreementBlock', 'pixelAgreementBlock']);
    expect(JSON.stringify(item?.item)).toContain('was skipped: it needs 3 consecutive years and this run had 2');
    expect(item?.item['properties']).toMatchObject({
      'headwater:temporal_correction': false,
      'headwater:pixels_insufficient': 60,
      'headwater:pixels_filled': 30,
    });
  });

  it('fails with no_scenes and names the year without scenes', async () => {
    const { run } = await runWith([2020, 2021], { earthObservation: finds(days(2020).map((d) => scene(d))) });
    await expect(run()).rejects.toMatchObject({ code: 'no_scenes', message: expect.stringContaining('year 2021') });
  });

  it('fails with input_data and names band and Item if no scene has all bands', async () => {
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

  it('describes the classes of the quality raster with their counts', async () => {
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

  it('publishes the confidence of each pixel as a raster next to the classes', async () => {
    const { run, requests } = await runWith([2020, 2021, 2022]);
    const [item] = (await run()).items;
    const confidence = {
      type: 'image/tiff; application=geotiff; profile=cloud-optimized',
      roles: ['metadata'],
      bands: [{ name: 'confidence', data_type: 'uint8', nodata: 0, unit: '%' }],
    };
    expect(item?.item).toMatchObject({ assets: { confidence } });
    const [first] = requests.cogs.filter(({ path }) => path.endsWith('_confidence.tif'));
    expect(first?.raster.key).toBe('combined/confidence_2020');
    expect(Object.keys(first?.palette ?? {})).toHaveLength(100);
  });

  it('names in its progress the server for which a search waits', async () => {
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

  it('logs messages about a host immediately, from a search and from the pixel engine', async () => {
    const lines: string[] = [];
    const scenes = days(2020).map((d) => scene(d));
    const search: EarthObservation['search'] = (query) => {
      query.onWait?.('waiting', 'The name stac.example.org cannot be resolved.');
      expect(lines.at(-1)).toBe('The name stac.example.org cannot be resolved.');
      return Promise.resolve({ scenes, rejected: [] });
    };
    const pixels = fakePixels(noRequests());
    const execute: typeof pixels.execute = (plan, work) => {
      work.log?.('The name cogs.example.org cannot be resolved.');
      return pixels.execute(plan, work);
    };
    const { run, context } = await runWith([2020], {
      earthObservation: { search },
      pixels: { ...pixels, execute },
    });
    context.log = (line) => void lines.push(line);
    await run();
    expect(lines.filter((line) => line.includes('cannot be resolved'))).toEqual(
      ['stac', 'cogs'].map((name) => `The name ${name}.example.org cannot be resolved.`),
    );
  });

  it('if all scenes of a year are cloudy, fails with the number of scenes and the requirement', async () => {
    const { run } = await runWith([2020], { pixels: fakePixels(noRequests(), { clear: false }) });
    await expect(run()).rejects.toMatchObject({
      code: 'no_scenes',
      message: expect.stringMatching(
        /^Hydrological year 2020: 6 scenes were found, on 6 dates; .* in at least 3 different 16-day steps/,
      ),
    });
  });

  it('checks all years before any pixel is read, and reports counts and remedy for each year with too few scenes', async () => {
    const requests = noRequests();
    const scenes = [
      ...days(2019).map((d) => scene(d)),
      scene('2020-10-10'),
      ...days(2021).map((d) => scene(d)),
      ...['2022-08-02', '2022-08-04', '2022-08-06', '2022-08-09', '2022-08-11', '2022-08-14', '2022-10-20'].map((d) =>
        scene(d),
      ),
    ];
    const { run } = await runWith([2019, 2020, 2021, 2022], {
      earthObservation: finds(scenes),
      pixels: fakePixels(requests),
    });
    await expect(run()).rejects.toMatchObject({
      code: 'no_scenes',
      message:
        'Hydrological year 2020 has 1 scene to read, on 1 date in 1 step of 16 days. ' +
        'Hydrological year 2022 has 7 scenes to read, on 7 dates in 2 steps of 16 days, of which the last is 4 steps after the first. ' +
        'A year needs scenes in 3 or more steps of 16 days, and the last step must be at least 4 steps after the first. Bring scenes.',
      details: { year: 2020, years: [2020, 2022] },
    });
    expect(requests.plans).toEqual([]);
  });

  it('counts the tiles of one day as one date, and reports the reasons for scenes that are not read', async () => {
    const { swir16: _, ...bands } = scene('2020-09-01').bands;
    const twice = days(2020)
      .slice(0, 2)
      .flatMap((d) => [scene(d), scene(d, { id: `${d}_b` })]);
    const scenes = [...twice, scene('2021-03-01', { cloudCover: 99 }), scene('2020-09-01', { bands })];
    const { run } = await runWith([2020], { earthObservation: finds(scenes) });
    await expect(run()).rejects.toMatchObject({
      message: expect.stringMatching(
        /^Hydrological year 2020 has 4 scenes to read, on 2 dates in 2 steps of 16 days, of which the last is \d+ steps? after the first \(not counting 1 more with more than 90 % cloud \(eo:cloud_cover\) and 1 more that cannot be used, the first is Item S2_2020-09-01: lacks band swir16\)\. A year needs/,
      ),
    });
  });
});
