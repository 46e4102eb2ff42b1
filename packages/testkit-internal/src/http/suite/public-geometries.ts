import { EXAMPLE_NAMES } from '@headwater/http-service';
import { expect, vi } from 'vitest';
import { SAMPLE_PLACE } from '../fixture/sample-place.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, type Harness } from './harness.ts';
import { API, type PublicClient } from './public-client.ts';

interface Layer {
  readonly features: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
}

/** Test cases of boundaries of micro-watersheds and villages. */
export function publicGeometryCases(target: HttpTarget, harness: () => Harness, { send }: PublicClient): void {
  defineCase(
    target,
    'geometries equal the layer of the map server, but have only the properties for joining rows; HEAD, ranges and conditions work',
    async () => {
      for (const [route, layer, properties, column] of [
        ['get_mws_geometries', 'mws:mws_sample_district_sample_tehsil', { uid: '12_100174' }, 'geom'],
        [
          'get_village_geometries',
          'panchayat_boundaries:sample_district_sample_tehsil',
          { vill_ID: 7, vill_name: 'Sample Village' },
          'the_geom',
        ],
      ] as const) {
        const path = `${route}/?${new URLSearchParams(EXAMPLE_NAMES).toString()}`;
        const answer = await send(path, { headers: { 'accept-encoding': 'identity' } });
        const text = await answer.text();
        const [workspace, name] = layer.split(':');
        const wfs = `service=WFS&version=1.0.0&request=GetFeature&typeName=${layer}&outputFormat=application/json`;
        const whole = (await (await harness().get(`/geoserver/${workspace}/ows?${wfs}`)).json()) as Layer;
        expect(whole.features[0]).toMatchObject({
          geometry_name: column,
          properties: { area_in_ha: expect.any(Number) },
        });
        const joinNames = Object.keys(properties);
        const features = whole.features.map((feature) => ({
          ...feature,
          properties: Object.fromEntries(
            Object.entries(feature.properties).filter(([name]) => joinNames.includes(name)),
          ),
        }));
        expect(text).toBe(JSON.stringify({ ...whole, features }));
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(answer.headers.get('cache-control')).toMatch(/^private/);
        expect(answer.headers.get('vary')).toContain('X-API-Key');
        expect(JSON.parse(text)).toMatchObject({
          type: 'FeatureCollection',
          features: expect.arrayContaining([
            expect.objectContaining({ id: `${name}.1`, geometry_name: column, properties }),
          ]),
        });
        const identity = { 'accept-encoding': 'identity' };
        const head = await send(path, { method: 'HEAD', headers: identity });
        expect([head.status, head.headers.get('content-length')]).toEqual([200, String(Buffer.byteLength(text))]);
        const known = { ...identity, 'if-none-match': answer.headers.get('etag') ?? '' };
        expect((await send(path, { headers: known })).status).toBe(304);
        const part = await send(path, { headers: { range: 'bytes=0-9' } });
        expect([part.status, await part.text()]).toEqual([206, text.slice(0, 10)]);
      }
    },
  );

  defineCase(
    target,
    'if no layer is published, geometries are the imported boundaries in the same format',
    async () => {
      const { places } = harness().service.stores;
      const names = { state: 'Sample State', district: 'Sample District', tehsil: 'Only Known' };
      const { tehsil } = await places.saveBundle({ ...SAMPLE_PLACE, ...names });
      const query = new URLSearchParams(names).toString();
      for (const [route, layer, properties, column] of [
        ['get_mws_geometries', 'mws_sample_district_only_known', SAMPLE_PLACE.mws.map(({ uid }) => ({ uid })), 'geom'],
        [
          'get_village_geometries',
          'sample_district_only_known',
          [{ vill_ID: 7, vill_name: 'Sample Village' }],
          'the_geom',
        ],
      ] as const) {
        const path = `${route}/?${query}`;
        const identity = { 'accept-encoding': 'identity' };
        const answer = await send(path, { headers: identity });
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
        expect(answer.headers.get('cache-control')).toBe('private, no-cache');
        expect(answer.headers.get('vary')?.split(', ')).toEqual(
          expect.arrayContaining(['X-API-Key', 'Accept-Encoding']),
        );
        const text = await answer.text();
        const form: unknown = JSON.parse(text);
        const features = properties.map((each, at) => ({
          type: 'Feature',
          id: `${layer}.${at + 1}`,
          geometry: { type: 'MultiPolygon', coordinates: [expect.any(Array)] },
          geometry_name: column,
          properties: each,
        }));
        const published = await (await send(`${route}/?${new URLSearchParams(EXAMPLE_NAMES).toString()}`)).json();
        expect(Object.keys(form as object)).toEqual(Object.keys(published as object));
        expect(form).toMatchObject({ features, totalFeatures: features.length, numberReturned: features.length });

        const etag = answer.headers.get('etag') ?? '';
        expect(etag).toMatch(/^"[\w-]+"$/);
        const known = { ...identity, 'if-none-match': `"other", ${etag}` };
        expect((await send(path, { headers: known })).status).toBe(304);
        expect((await harness().get(API + path, { headers: known })).status).toBe(401);
        const head = await send(path, { method: 'HEAD', headers: identity });
        const parts = [head.status, head.headers.get('etag'), head.headers.get('content-length'), await head.text()];
        expect(parts).toEqual([200, etag, String(Buffer.byteLength(text)), '']);
        const packed = await send(path, { headers: { 'accept-encoding': 'gzip' } });
        expect(packed.headers.get('content-encoding')).toBe('gzip');
        expect(await packed.json()).toMatchObject({ features });
        const part = await send(path, { headers: { range: 'bytes=0-9', 'if-range': etag } });
        expect([part.status, await part.text()]).toEqual([206, text.slice(0, 10)]);
        expect(await (await send(path, { headers: identity })).text()).toBe(text);
      }
      await places.removeTehsil(tehsil.id);
    },
  );

  defineCase(
    target,
    'imported boundaries are read only once per version, and are not read for HEAD or a 304; one query finds tehsil, layer and version',
    async () => {
      const { places, lookups, catalog } = harness().service.stores;
      const others = [
        vi.spyOn(lookups, 'tehsilNamed'),
        vi.spyOn(lookups, 'mwsVersion'),
        vi.spyOn(lookups, 'villagesVersion'),
        vi.spyOn(catalog, 'layersOf'),
      ];
      const reads = [vi.spyOn(lookups, 'mwsAfter'), vi.spyOn(lookups, 'villagesAfter')];
      const readsOf = (): number => reads.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      const names = { state: 'Sample State', district: 'Sample District', tehsil: 'Read Once' };
      const [mws, village] = [SAMPLE_PLACE.mws[0], SAMPLE_PLACE.villages[0]];
      if (mws === undefined || village === undefined)
        throw new Error('fixture: the sample lacks a micro-watershed or a village');
      const { tehsil } = await places.saveBundle({ ...SAMPLE_PLACE, ...names });
      const query = new URLSearchParams(names).toString();
      for (const [route, changed] of [
        ['get_mws_geometries', { mws: [{ ...mws, uid: 'another' }] }],
        ['get_village_geometries', { villages: [{ ...village, name: 'Another' }] }],
      ] as const) {
        const path = `${route}/?${query}`;
        const before = readsOf();
        const head = await send(path, { method: 'HEAD' });
        const tag = head.headers.get('etag') ?? '';
        expect([head.status, head.headers.get('content-length')]).toEqual([200, null]);
        expect((await send(path, { headers: { 'if-none-match': tag } })).status).toBe(304);
        expect(readsOf()).toBe(before);
        const all = [1, 2, 3].map(async () => await (await send(path)).json());
        expect(new Set((await Promise.all(all)).map((each) => JSON.stringify(each))).size).toBe(1);
        await (await send(path, { headers: { range: 'bytes=0-9' } })).text();
        expect(readsOf()).toBe(before + 1);

        await places.saveBundle({ ...SAMPLE_PLACE, ...names, ...changed });
        const updated = await send(path, { headers: { 'if-none-match': tag } });
        expect([updated.status, await updated.text()]).toEqual([200, expect.stringMatching(/nother"/)]);
        expect(readsOf()).toBe(before + 2);
      }
      for (const other of others) expect(other).not.toHaveBeenCalled();
      for (const read of [...reads, ...others]) read.mockRestore();
      await places.removeTehsil(tehsil.id);
    },
  );
}
