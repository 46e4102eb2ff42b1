import { EXAMPLE_NAMES, EXAMPLE_UID } from '@headwater/http-service';
import { expect } from 'vitest';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, type Harness } from './harness.ts';
import { API, type PublicClient } from './public-client.ts';

/** Test cases of sheets, time series and indicators. */
export function publicTableCases(target: HttpTarget, harness: () => Harness, { send, ask }: PublicClient): void {
  defineCase(
    target,
    'the tables of a tehsil are lists of rows by sheet, contain no NaN, and have an ETag',
    async () => {
      const { status, headers, body } = await ask('get_tehsil_data', { ...EXAMPLE_NAMES, regenerate: 'true' });
      expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
      expect(headers.get('vary')).toContain('X-API-Key');
      expect(body).toEqual({
        sample_annual: [
          { uid: '12_100174', area_in_ha: 812.4, note: '=1+1', 'village ids': [7] },
          { uid: '12_100175', area_in_ha: null, note: null, 'village ids': [] },
        ],
        terrain: [{ uid: '12_100174', terrain_cluster_id: 2 }],
        mws_intersect_swb: expect.arrayContaining([expect.objectContaining({ uid: '12_100175', swb_uid: '4' })]),
      });
      const path = `get_tehsil_data/?${new URLSearchParams(EXAMPLE_NAMES).toString()}`;
      const known = { 'if-none-match': headers.get('etag') ?? '' };
      expect((await send(path, { headers: known })).status).toBe(304);
      expect((await harness().get(API + path, { headers: known })).status).toBe(401);
    },
  );

  defineCase(
    target,
    'the series of a micro-watershed have an entry per date; its id is requested as mws_id or as uid',
    async () => {
      const at = (date: string, precipitation: number, ndvi: number | ''): object => ({
        date,
        et: 0,
        runoff: 0,
        precipitation,
        ndvi_crop: ndvi,
        ndvi_shrub: '',
        ndvi_tree: '',
      });
      const entries = [at('2021-07-01', 0, 0.31), at('2021-07-15', 66.13, ''), at('2021-07-29', 0, -0.2)];
      for (const parameter of ['mws_id', 'uid']) {
        const { body } = await ask('get_mws_data', { ...EXAMPLE_NAMES, [parameter]: EXAMPLE_UID });
        expect(body).toEqual({ mws_id: EXAMPLE_UID, time_series: entries });
      }
      const askFor = async (query: Record<string, string>): Promise<unknown> =>
        await ask('get_mws_data', { ...EXAMPLE_NAMES, ...query });
      const none = (why: string): object => ({
        status: 404,
        body: { error: `Data not found for the given mws_id: ${why}` },
      });
      const bare =
        '12_100175 is known, but no time series of it is published; POST /api/v1/lulc_for_tehsil/ computes it, or an import can add it.';
      expect(await askFor({ mws_id: '12_100175' })).toMatchObject(none(bare));
      expect(await askFor({ mws_id: '12_1' })).toMatchObject(none(UNKNOWN('12_1')));
      expect(await askFor({})).toMatchObject({ status: 400, body: { mws_id: ['This field is required.'] } });
      for (const parameter of ['mws_id', 'uid']) {
        const hostile = await askFor({ [parameter]: "12_1' or 1=1" });
        expect(hostile).toMatchObject({ status: 400, body: { [parameter]: [expect.any(String)] } });
      }
    },
  );

  defineCase(target, 'the indicators are a list of one record, computed from the tables', async () => {
    const askFor = async (uid: string): Promise<unknown> =>
      await ask('get_mws_kyl_indicators', { ...EXAMPLE_NAMES, uid });
    const at = (swbId: string, swbName: string, latitude: number) => ({ swbId, swbName, latitude, longitude: 85.01 });
    const bodies = [at('2', 'Sample Tank', 24.02), at('1', '', 24.01)];
    expect(await askFor(EXAMPLE_UID)).toMatchObject({
      status: 200,
      body: [{ mws_id: EXAMPLE_UID, terraincluster_id: 2, trend_swb: '-1', mws_intersect_swb: bodies }],
    });
    const none = (why: string): object => ({
      status: 404,
      body: { error: `Data not found for the given mws_id: ${why}` },
    });
    // This micro-watershed has water bodies, but no row in the tables from which indicators are computed.
    const bare =
      '12_100175 is known, but no table with its indicators is published; POST /api/v1/lulc_for_tehsil/ computes it, or an import can add it.';
    expect(await askFor('12_100175')).toMatchObject(none(bare));
    expect(await askFor('12_10017')).toMatchObject(none(UNKNOWN('12_10017')));
  });
}

const UNKNOWN = (uid: string): string =>
  `Sample Tehsil has no micro-watershed ${uid}; GET /api/v1/get_mws_geometries/ lists them.`;
