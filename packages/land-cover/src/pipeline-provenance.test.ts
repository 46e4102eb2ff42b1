import { DomainError } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { days, fakePixels, finds, noRequests, runWith, scene } from './pipeline.fixture.ts';

type Link = Readonly<Record<'rel' | 'href' | 'type' | 'title', string>>;

describe('provenance of the layers of the land-cover pipeline', () => {
  it('states in text and properties of the Item that its scenes are synthetic', async () => {
    const scenes = days(2020).map((d) => scene(d, { synthetic: true, itemHref: '/data/item.json' }));
    const { run } = await runWith([2020], { earthObservation: finds(scenes) });
    const [item] = (await run()).items;
    expect(item?.item['properties']).toMatchObject({ 'headwater:synthetic': true, 'headwater:scene_count': 6 });
    expect(JSON.stringify(item?.item)).toContain('SYNTHETIC');
    expect(JSON.stringify(item?.item)).not.toContain('/data/item.json');
  });

  it('skips a scene that lacks a necessary band, with a note in the log and in the Item', async () => {
    const { swir16: _, ...bands } = scene('2020-09-01').bands;
    const scenes = [...days(2020).map((d) => scene(d)), scene('2020-09-01', { bands })];
    const { run, lines } = await runWith([2020], { earthObservation: finds(scenes) });
    const [item] = (await run()).items;
    expect(lines.join('\n')).toContain('scene S2_2020-09-01 left out: lacks band swir16');
    expect(item?.item['properties']).toMatchObject({
      'headwater:skipped_scenes': { 'S2_2020-09-01': 'lacks band swir16' },
      'headwater:scene_count': 6,
    });
  });

  it('skips a scene with an unknown offset, with a note in the log and in the Item', async () => {
    const scenes = [...days(2022).map((d) => scene(d)), scene('2022-09-01', { offsetUnknown: true })];
    const { run, lines, requests } = await runWith([2022], { earthObservation: finds(scenes) });
    const [item] = (await run()).items;
    expect(requests.plans[0]?.scenes.map(({ id }) => id)).not.toContain('S2_2022-09-01');
    const reason = expect.stringMatching(/offset of 1000.*s2:processing_baseline or raster:offset/);
    expect(item?.item['properties']).toMatchObject({ 'headwater:skipped_scenes': { 'S2_2022-09-01': reason } });
    expect(lines.join('\n')).toContain('scene S2_2022-09-01 left out: it does not state');
    const none = days(2022).map((d) => scene(d, { offsetUnknown: true }));
    await expect((await runWith([2022], { earthObservation: finds(none) })).run()).rejects.toMatchObject({
      code: 'input_data',
      message: expect.stringMatching(
        /hydrological year 2022 can be used: Item S2_2022-08-03: it does not state.*raster:offset/,
      ),
    });
  });

  it('links to each scene if there are at most fifty, otherwise to one document that lists all scenes', async () => {
    const many = (count: number, change: Parameters<typeof scene>[1] = {}) =>
      Array.from({ length: count }, (_, i) => {
        const day = new Date(Date.UTC(2020, 6, 3 + 2 * i)).toISOString().slice(0, 10);
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

  it('credits Copernicus with the years of the scenes in every Item from Sentinel-2', async () => {
    const { items } = await (await runWith([2020, 2021])).run();
    expect(items.map(({ item }) => Reflect.get(Object(item['properties']), 'attribution'))).toEqual([
      'Contains modified Copernicus Sentinel data 2020-2021',
      'Contains modified Copernicus Sentinel data 2021-2022',
      'Contains modified Copernicus Sentinel data 2020-2022',
    ]);
    const oneYear = ['07-05', '08-03', '09-10', '10-10', '11-20', '12-20'].map((day) => scene(`2020-${day}`));
    const single = await runWith([2020], { earthObservation: finds(oneYear) });
    expect((await single.run()).items[0]?.item['properties']).toMatchObject({
      attribution: 'Contains modified Copernicus Sentinel data 2020',
    });
  });

  it('states that the scenes are synthetic, and has no credit, if all scenes are synthetic', async () => {
    const scenes = days(2020).map((d, index) => scene(d, { synthetic: index > 0 }));
    const mixed = await (await runWith([2020], { earthObservation: finds(scenes) })).run();
    expect(mixed.items[0]?.item['properties']).toMatchObject({
      attribution: 'Contains modified Copernicus Sentinel data 2020',
    });
    const synthetic = scenes.map((each) => ({ ...each, synthetic: true }));
    const all = await (await runWith([2020], { earthObservation: finds(synthetic) })).run();
    expect(all.items[0]?.item['properties']).toMatchObject({
      attribution: 'Synthetic scenes, made by a program: no satellite took them',
    });
    expect(JSON.stringify(all.items)).not.toContain('Copernicus');
  });

  it('if the engine skips a scene, shows neither the folder nor the signature of its file in the Item', async () => {
    const pixels = fakePixels(noRequests());
    const skipped = {
      S2_X: '/srv/data/eo/B08.tif: it is truncated',
      S2_Y: 'https://h.example.org/a/B04.tif?sig=s/3cret: 403',
    };
    const execute: typeof pixels.execute = async (...request) => ({ ...(await pixels.execute(...request)), skipped });
    const { run } = await runWith([2020], { pixels: { ...pixels, execute } });
    const [item] = (await run()).items;
    expect(item?.item['properties']).toMatchObject({
      'headwater:skipped_scenes': { S2_X: 'B08.tif: it is truncated', S2_Y: 'B04.tif: 403' },
    });
  });

  it('lists in the Item the scenes that are missing because servers did not respond', async () => {
    const pixels = fakePixels(noRequests());
    const unavailable = {
      skipped: { 'S2_2020-08-03': 'https://h.example.org/x.tif: no response' },
      unavailable: ['S2_2020-08-03'],
    };
    const execute: typeof pixels.execute = async (...request) => ({
      ...(await pixels.execute(...request)),
      ...unavailable,
    });
    const { run, requests } = await runWith([2020], { pixels: { ...pixels, execute } });
    const [raster, vector] = (await run()).items;
    for (const published of [raster, vector]) {
      expect(published?.item['properties']).toMatchObject({ 'headwater:missing_scenes': ['S2_2020-08-03'] });
      expect(JSON.stringify(published?.item)).toContain('1 of 6 scenes is missing, because its server did not respond');
    }
    expect(requests.plans).toEqual([]);
  });

  it('allows one missing scene in twenty; if more scenes are missing, the error names the year', async () => {
    const requests = noRequests();
    const { run } = await runWith([2020], { pixels: fakePixels(requests) });
    const [item] = (await run()).items;
    expect(requests.plans.map((plan) => plan.mayMiss)).toEqual([0.05]);
    expect(item?.item['properties']).toMatchObject({ 'headwater:missing_scenes': [] });
    const gone = {
      ...fakePixels(noRequests()),
      execute: () => Promise.reject(new DomainError('unavailable', '9 of 60 scenes')),
    };
    await expect((await runWith([2020], { pixels: gone })).run()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^Hydrological year 2020: 9 of 60 scenes/),
    });
  });
});
