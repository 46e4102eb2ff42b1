import { EXAMPLE_NAMES, EXAMPLE_POINT } from '@headwater/http-service';
import { describe, expect } from 'vitest';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, useHarness } from './harness.ts';
import { API, publicClient } from './public-client.ts';
import { publicGeometryCases } from './public-geometries.ts';
import { publicTableCases } from './public-tables.ts';

const ADMIN = { State: 'Sample State', District: 'Sample District', Tehsil: 'Sample Tehsil' };
const OTHER_ROUTES = [
  'get_admin_details_by_latlon',
  'get_mwsid_by_latlon',
  'get_active_locations',
  'get_mws_data',
  'get_mws_kyl_indicators',
  'get_mws_report',
];
const PLACE_ROUTES = ['get_generated_layer_urls', 'get_mws_geometries', 'get_village_geometries', 'get_tehsil_data'];

/** Test cases of the public data routes, called as by existing clients. */
export function publicDataCases(target: HttpTarget): void {
  describe('public data', () => {
    const harness = useHarness(target);
    const client = publicClient(harness);
    const { send, ask } = client;
    publicTableCases(target, harness, client);
    publicGeometryCases(target, harness, client);

    defineCase(target, 'every route returns 401 without a key, also with If-None-Match', async () => {
      for (const route of [...PLACE_ROUTES, ...OTHER_ROUTES]) {
        const headers = { authorization: `Bearer ${await harness().token('owner')}`, 'if-none-match': '*' };
        const answer = await harness().get(`${API}${route}/`, { headers });
        expect([answer.status, await answer.json()]).toMatchObject([
          401,
          { error: 'Authentication failed', details: 'API key required in X-API-Key header' },
        ]);
        const posted = await harness().get(`${API}${route}/`, { method: 'POST' });
        expect([posted.status, await posted.json()]).toMatchObject([405, { error: 'Method POST not allowed' }]);
      }
    });

    defineCase(
      target,
      'returns the tehsil of a point, borders included, and the micro-watershed as mws_id and as uid',
      async () => {
        expect(await ask('get_admin_details_by_latlon', EXAMPLE_POINT)).toMatchObject({ status: 200, body: ADMIN });
        for (const corner of [
          { latitude: '24', longitude: '85' },
          { latitude: '+24.1', longitude: ' 8.51e1' },
        ]) {
          expect((await ask('get_admin_details_by_latlon', corner)).body).toEqual(ADMIN);
        }
        const ids = { mws_id: '12_100174', uid: '12_100174' };
        expect((await ask('get_mwsid_by_latlon', EXAMPLE_POINT)).body).toEqual({ ...ADMIN, ...ids });
        // This point is a corner of two micro-watersheds.
        const corner = { latitude: '24.05', longitude: '85.05' };
        expect((await ask('get_mwsid_by_latlon', corner)).body).toEqual({ ...ADMIN, ...ids });
      },
    );

    defineCase(target, 'a point without a result gets 404 with the fixed texts of the API', async () => {
      const error = async (route: string, longitude: string): Promise<unknown> =>
        await ask(route, { latitude: '24.01', longitude });
      const nowhere = { error: 'Latitude and longitude is not in SOI boundary.' };
      expect(await error('get_admin_details_by_latlon', '84')).toMatchObject({ status: 404, body: nowhere });
      expect(await error('get_mwsid_by_latlon', '84')).toMatchObject({ status: 404, body: nowhere });
      for (const route of ['get_admin_details_by_latlon', 'get_mwsid_by_latlon'])
        expect(await ask(route, { latitude: '85.01', longitude: '24.02' })).toMatchObject({
          status: 404,
          body: {
            error: `${nowhere.error} Sample Tehsil is at latitude 24.02, longitude 85.01: the two seem to be swapped.`,
          },
        });
      const none = { error: 'No MWS feature found for the given lat lon location.' };
      expect(await error('get_mwsid_by_latlon', '85.09')).toMatchObject({ status: 404, body: none });
      const { places } = harness().service.stores;
      const { tehsil } = await places.saveBundle({
        state: 'Sample State',
        district: 'Sample District',
        tehsil: 'Without Watersheds',
        geometry: BARE,
        mws: [],
        villages: [],
      });
      const missing = {
        error:
          'Mws Layer is not generated for the given lat lon location. A superuser can import the missing boundaries of Without Watersheds: POST /api/v1/import/mws/.',
      };
      expect(await error('get_mwsid_by_latlon', '86')).toMatchObject({ status: 404, body: missing });
      await places.removeTehsil(tehsil.id);
    });

    for (const [query, parameter] of [
      ['longitude=85', 'latitude'],
      ['latitude=24', 'longitude'],
      ['latitude=&longitude=85', 'latitude'],
      ['latitude=NaN&longitude=85', 'latitude'],
      ['latitude=24&longitude=Infinity', 'longitude'],
      ['latitude=24&longitude=-1e400', 'longitude'],
      ['latitude=0x10&longitude=85', 'latitude'],
      ['latitude=24,5&longitude=85', 'latitude'],
      ['latitude=90.0001&longitude=85', 'latitude'],
      ['latitude=24&longitude=-180.0001', 'longitude'],
      ['latitude=24&longitude=85&latitude=24', 'latitude'],
      ["latitude=24'%20or%201=1&longitude=85", 'latitude'],
      [`latitude=${'1'.repeat(10_000)}&longitude=85`, 'latitude'],
    ] as const) {
      defineCase(target, `?${query.slice(0, 50)} gets 400 with an error that names ${parameter}`, async () => {
        for (const route of ['get_admin_details_by_latlon', 'get_mwsid_by_latlon']) {
          const { status, body } = await ask(route, query);
          expect({ status, body }).toMatchObject({
            status: 400,
            body: { error: expect.stringContaining(parameter), errors: { [parameter]: [expect.any(String)] } },
          });
        }
      });
    }

    defineCase(
      target,
      'active locations are a tree that dashboards read; proposed_blocks returns this tree without a key',
      async () => {
        const { body } = await ask('get_active_locations');
        const district = { label: 'Sample District', district_id: '1' };
        const blocks = [{ label: 'Sample Tehsil', block_id: '1', tehsil_id: '1' }];
        expect(body).toEqual([{ label: 'Sample State', state_id: '1', district: [{ ...district, blocks }] }]);
        const open = await harness().get(`${API}proposed_blocks/`);
        expect(await open.json()).toEqual(body);
      },
    );

    defineCase(target, 'place names match by slug, and the tehsil parameter may be called block', async () => {
      const { state, district } = EXAMPLE_NAMES;
      for (const query of [
        { state: 'SAMPLE STATE', district: '_sample district', tehsil: 'Sample_Tehsil_' },
        { state, district, block: 'Sample Tehsil' },
        { ...EXAMPLE_NAMES, block: EXAMPLE_NAMES.tehsil, file_type: 'json' },
      ]) {
        for (const route of PLACE_ROUTES) expect((await ask(route, query)).status).toBe(200);
      }
    });

    defineCase(target, 'an invalid place is refused with the name of its parameter', async () => {
      const { state, district } = EXAMPLE_NAMES;
      for (const route of PLACE_ROUTES) {
        const nothing = await ask(route);
        expect(nothing).toMatchObject({ status: 400 });
        expect(nothing.body).toHaveProperty('errors', {
          state: ['This field is required.'],
          district: ['This field is required.'],
          tehsil: ['This field is required.'],
        });
        const both = await ask(route, { ...EXAMPLE_NAMES, block: 'other' });
        expect(both).toMatchObject({ status: 400, body: { tehsil: [expect.stringContaining('different values')] } });
        for (const parameter of ['tehsil', 'block']) {
          const path = await ask(route, { state, district, [parameter]: '../sample_tehsil' });
          expect(path).toMatchObject({ status: 400, body: { errors: { [parameter]: [expect.any(String)] } } });
          const unknown = await ask(route, { state, district, [parameter]: 'Sample Tehsill' });
          expect(unknown).toMatchObject({
            status: 404,
            body: {
              error: `${parameter}: "Sample Tehsill" is not a known ${parameter} in Sample District. Did you mean Sample Tehsil?`,
            },
          });
        }
      }
    });

    defineCase(target, 'addresses in layer records need no key', async () => {
      const { body } = await ask('get_generated_layer_urls', EXAMPLE_NAMES);
      const records = body as readonly Record<string, string>[];
      expect(records.map(({ layer_name: name, layer_type: type }) => [name, type])).toEqual([
        ['mws_sample_district_sample_tehsil', 'vector'],
        ['sample_district_sample_tehsil', 'vector'],
        ['sample_raster_sample_district_sample_tehsil', 'raster'],
        ['sample_vector_sample_district_sample_tehsil', 'vector'],
      ]);
      for (const { layer_url: url = '', style_url: style, layer_version: version, ...rest } of records) {
        expect(url).toMatch(/^http:\/\/headwater\.example\/geoserver\/[!-~]+$/);
        const answer = await harness().get(url.replace('http://headwater.example', ''), { method: 'HEAD' });
        expect(answer.status).toBe(200);
        expect([version, rest['eo_asset_path']]).toEqual(['1.0', rest['gee_asset_path']]);
        const isStyled = rest['layer_name']?.startsWith('sample_vector') === true;
        expect(style).toMatch(isStyled ? /^http:\/\/headwater\.example\/api\/v1\/assets\/.*\.qml$/ : /^$/);
        expect([rest['start_year'], rest['end_year']]).toEqual([2021, 2021]);
      }
    });

    defineCase(
      target,
      'layers and active places have ETags, and are compressed only if the client accepts it',
      async () => {
        const place = `?${new URLSearchParams(EXAMPLE_NAMES).toString()}`;
        for (const path of [`get_generated_layer_urls/${place}`, 'get_active_locations/', `get_tehsil_data/${place}`]) {
          const plain = await send(path, { headers: { 'accept-encoding': 'identity' } });
          const headers = Object.fromEntries(plain.headers);
          expect(headers).toMatchObject({
            'cache-control': 'private, no-cache',
            etag: expect.stringMatching(/^"[^"]+"$/),
          });
          expect(headers['vary']?.split(', ')).toEqual(expect.arrayContaining(['X-API-Key', 'Accept-Encoding']));
          expect(headers).not.toHaveProperty('content-encoding');
          const { byteLength } = await plain.arrayBuffer();
          const known = { 'accept-encoding': 'identity', 'if-none-match': headers['etag'] ?? '' };
          const again = await send(path, { headers: known });
          expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', headers['etag']]);
          expect((await harness().get(API + path, { headers: known })).status).toBe(401);
          const packed = await send(path, { headers: { 'accept-encoding': 'gzip' } });
          const isWorthIt = byteLength >= 256;
          expect([path, packed.headers.get('content-encoding')]).toEqual([path, isWorthIt ? 'gzip' : null]);
          expect(packed.headers.get('etag') !== headers['etag']).toBe(isWorthIt);
          expect((await send(path, { headers: { 'if-none-match': '"another"' } })).status).toBe(200);
        }
        const open = await harness().get(`${API}proposed_blocks/`, { headers: { 'accept-encoding': 'identity' } });
        expect(open.headers.get('cache-control')).toBe('no-cache');
        expect(open.headers.get('vary')).not.toContain('X-API-Key');
        const same = { 'accept-encoding': 'identity', 'if-none-match': open.headers.get('etag') ?? '' };
        expect((await harness().get(`${API}proposed_blocks/`, { headers: same })).status).toBe(304);
      },
    );

    defineCase(target, 'the ETag of active places changes with the places', async () => {
      const { places } = harness().service.stores;
      const tagOf = async (path: string): Promise<string | null> =>
        (await send(path, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } })).headers.get('etag');
      const before = await tagOf('get_active_locations/');
      const names = { state: 'Sample State', district: 'Sample District', tehsil: 'Newly Active' };
      const { tehsil } = await places.saveBundle({ ...names, geometry: null, mws: [], villages: [] });
      const after = await tagOf('get_active_locations/');
      await places.removeTehsil(tehsil.id);
      expect(after).not.toBe(before);
      expect(await tagOf('get_active_locations/')).toBe(before);
    });

    defineCase(
      target,
      'a known tehsil without layers gets an empty list; the 404 for missing boundaries names the request that adds them',
      async () => {
        const { places } = harness().service.stores;
        const names = { state: 'Sample State', district: 'Sample District', tehsil: 'Bare' };
        const { tehsil } = await places.saveBundle({ ...names, geometry: null, mws: [], villages: [] });
        expect(await ask('get_generated_layer_urls', names)).toMatchObject({ status: 200, body: [] });
        const error = async (route: string): Promise<unknown> => await ask(route, names);
        expect(await error('get_mws_geometries')).toMatchObject({
          status: 404,
          body: {
            error:
              'No features found in layer: no micro-watersheds of Bare are imported. A superuser can import the missing boundaries of Bare: POST /api/v1/import/mws/.',
          },
        });
        expect(await error('get_village_geometries')).toMatchObject({
          status: 404,
          body: {
            error:
              'No village boundaries of Bare are imported. A superuser can import the missing boundaries of Bare: POST /api/v1/import/villages/.',
          },
        });
        const message = expect.stringMatching(
          /^Data not found for this state, district, tehsil: no table of Bare is published; POST \/api\/v1\/.* computes it/,
        );
        expect(await error('get_tehsil_data')).toMatchObject({
          status: 404,
          body: { error: message, Message: message },
        });
        await places.removeTehsil(tehsil.id);
      },
    );
  });
}

/** A square around (86, 24), lon/lat. */
const BARE = {
  type: 'Polygon' as const,
  coordinates: [
    [
      [85.9, 23.9],
      [86.1, 23.9],
      [86.1, 24.1],
      [85.9, 24.1],
      [85.9, 23.9],
    ],
  ],
};
