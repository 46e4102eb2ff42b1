import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../../../scripts/cpu-time.mjs';
import { clientOf, itemAt, linksOf, serviceOf } from './places.fixture.ts';

describe('the map of places', () => {
  it('links a place that is the only one in its square, with its name and number of layers', async () => {
    const { page, close } = await serviceOf([itemAt('a_state/a_district/one_place', [78, 17])]);
    const text = await page('/');
    expect(text).toMatch(
      /class="placesmap"[\s\S]*<a href="\/api\/v1\/stac\/a_state\/a_district\/one_place\/" aria-label="One Place, layers: 1"/,
    );
    await close();
  });

  it('leads through the links of its squares to every place, even if two places are at one point', async () => {
    const paths = Array.from({ length: 30 }, (_, at) => `s${at % 3}/d${at % 7}/t${at}`);
    const spot = (at: number): readonly [number, number] =>
      at < 2 ? [80, 20] : [70 + at * 0.01, 10 + (at % 5) * 0.02];
    const { page, close } = await serviceOf([
      ...paths.map((path, at) => itemAt(path, spot(at))),
      itemAt('z/z/far', [95, 30]),
    ]);
    const reached = new Set<string>();
    const seen = new Set(['/places/']);
    for (const path of seen) {
      const text = await page(path);
      for (const link of linksOf(text, path)) {
        if (link.startsWith('/places/?box=') && !link.includes('lang=')) seen.add(link);
        const [, place] = /^\/api\/v1\/stac\/(\w+\/\w+\/\w+)\/$/.exec(link) ?? [];
        if (place !== undefined) reached.add(place);
      }
    }
    expect([...reached].sort()).toEqual([...paths, 'z/z/far'].sort());
    await close();
  });

  it(
    'keeps the first page with 5,000 places within 60 kB (compressed) and, without its queries, within 20 ms',
    { timeout: 120_000 },
    async () => {
      const items = Array.from({ length: 5000 }, (_, at) =>
        itemAt(`state_${at % 30}/district_${at % 600}/tehsil_${at}`, [
          69 + ((at * 7919) % 2700) / 100,
          8 + ((at * 104_729) % 2700) / 100,
        ]),
      );
      const { stores, close } = await serviceOf(items, 14);
      // The results of two long queries are prepared, so that their time is not measured.
      const [tehsils, newest] = await Promise.all([
        stores.catalog.publishedTehsils(),
        stores.catalog.newest({ runs: 13 }),
      ]);
      const ready = { publishedTehsils: async () => tehsils, newest: async () => newest };
      const measured = clientOf({ ...stores, catalog: { ...stores.catalog, ...ready } });
      const text = await measured.page('/');
      expect(text).toContain('Tehsils: 5000. Layers: 5000.');
      const bytes = gzipSync(text).byteLength;
      expect(bytes).toBeLessThanOrEqual(60_000);
      const times: number[] = [];
      for (let round = 0; round < 9; round++) times.push((await cpuTime(() => measured.page('/'))).ms);
      const ms = Math.min(...times);
      console.log(`first page with 5,000 places: ${ms.toFixed(1)} ms without its queries, ${bytes} bytes compressed`);
      expect(ms).toBeLessThanOrEqual(20);
      await measured.close();
      await close();
    },
  );
});

describe('the lists of published places', () => {
  it('are updated after a removal and after a publication, even if the publishing run is older than 40 other runs', async () => {
    const items = Array.from({ length: 41 }, (_, at) => itemAt(`state/district/tehsil_${at}`, [70 + at / 4, 20]));
    const { stores, publish, page, close } = await serviceOf([]);
    for (const [at, item] of items.entries()) await publish(10 + at, [item]);
    const shown = async (path: string): Promise<readonly boolean[]> => {
      const texts = await Promise.all(['/', '/places/', '/places/outlines/'].map(page));
      return texts.map((text) => text.includes(path));
    };
    const [first] = items;
    if (first === undefined) throw new Error('there is no Item');
    expect(await shown('state/district/tehsil_0/')).toEqual([true, true, true]);
    await stores.runs.unpublish(first);
    expect(await shown('state/district/tehsil_0/')).toEqual([false, false, false]);
    expect(await page('/places/')).toContain('Tehsils: 40.');
    await publish(2, [itemAt('state/district/late', [69, 21])]);
    expect(await shown('state/district/late/')).toEqual([true, true, true]);
    await close();
  });
});

describe('the outlines of places', () => {
  interface Outlines {
    readonly features: readonly {
      readonly geometry: { readonly type: string; readonly coordinates: readonly (readonly unknown[])[] };
      readonly properties: Readonly<Record<string, unknown>>;
    }[];
  }
  const outlinesOf = async (client: ReturnType<typeof clientOf>, box = ''): Promise<Outlines> =>
    JSON.parse(await client.page(`/places/outlines/${box}`));

  it('are simplified boundaries with name, layers and address; a place without boundary has the box of its layers', async () => {
    const { stores, close, ...client } = await serviceOf([
      itemAt('a_state/a_district/round', [85, 24]),
      itemAt('a_state/a_district/unknown', [86, 24]),
    ]);
    const ring = Array.from({ length: 20_001 }, (_, at) => {
      const angle = (2 * Math.PI * (at % 20_000)) / 20_000;
      return [85.05 + 0.05 * Math.cos(angle), 24.05 + 0.05 * Math.sin(angle)];
    });
    const names = { state: 'A State', district: 'A District', tehsil: 'Round' };
    const geometry = { type: 'Polygon' as const, coordinates: [ring] };
    await stores.places.saveBundle({ ...names, geometry, mws: [], villages: [] });
    const { features } = await outlinesOf({ close, ...client });
    expect(features.map(({ properties }) => properties)).toEqual([
      { name: 'Round', above: 'A District, A State', href: '/api/v1/stac/a_state/a_district/round/', layers: 1 },
      { name: 'Unknown', above: 'A District, A State', href: '/api/v1/stac/a_state/a_district/unknown/', layers: 1 },
    ]);
    const [round, unknown] = features;
    const points = round?.geometry.coordinates.flat() ?? [];
    expect(points.length).toBe(1);
    const circle = points[0] as readonly (readonly [number, number])[];
    expect(circle.length).toBeGreaterThan(12);
    expect(circle.length).toBeLessThan(120);
    // The tolerance of the outline is a 400th of the place's size.
    for (const [x, y] of circle) expect(Math.abs(Math.hypot(x - 85.05, y - 24.05) - 0.05)).toBeLessThan(0.1 / 400);
    expect(unknown?.geometry).toEqual({ type: 'Polygon', coordinates: [corners([86, 24, 86.1, 24.1])] });
    const there = await outlinesOf({ close, ...client }, '?box=85.9,23,87,25');
    expect(there.features.map(({ properties }) => properties['name'])).toEqual(['Unknown']);
    await close();
  });

  it('of 5,000 places are groups, boxes or outlines, depending on the size of the view, with at most 100 kB and in at most 25 ms', async () => {
    const at = (index: number): readonly [number, number] => [
      69 + ((index * 7919) % 2700) / 100,
      8 + ((index * 104_729) % 2700) / 100,
    ];
    const path = (index: number): string => `state_${index % 30}/district_${index % 600}/tehsil_${index}`;
    const { stores, close } = await serviceOf(
      Array.from({ length: 5000 }, (_, index) => itemAt(path(index), at(index))),
    );
    const tehsils = await stores.catalog.publishedTehsils();
    const client = clientOf({ ...stores, catalog: { ...stores.catalog, publishedTehsils: async () => tehsils } });
    const views: readonly (readonly [box: string, kind: string, most: number])[] = [
      ['', 'Point', 400],
      ['?box=75,15,80,20', 'Polygon', 300],
      ['?box=75,15,76,16', 'Polygon', 60],
    ];
    for (const [box, kind, most] of views) {
      const { features } = await outlinesOf(client, box);
      const kinds = new Set(features.map(({ geometry }) => geometry.type));
      expect([box, [...kinds], features.length > 0 && features.length <= most]).toEqual([box, [kind], true]);
      const bytes = Buffer.byteLength(await client.page(`/places/outlines/${box}`));
      const times: number[] = [];
      for (let round = 0; round < 7; round++)
        times.push((await cpuTime(() => client.page(`/places/outlines/${box}`))).ms);
      console.log(
        `outlines of ${features.length} features ${box}: ${bytes} bytes, ${Math.min(...times).toFixed(1)} ms without the query`,
      );
      expect(bytes).toBeLessThanOrEqual(100_000);
      expect(Math.min(...times)).toBeLessThanOrEqual(25);
    }
    const whole = await outlinesOf(client);
    expect(whole.features.reduce((sum, { properties }) => sum + Number(properties['places']), 0)).toBe(5000);
    await client.close();
    await close();
  }, 120_000);
});

function corners([west, south, east, north]: readonly [number, number, number, number]) {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}
