import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { regionNextTo, startWorkHost, type WorkHost } from './work-host.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';

const EXPORT = '/api/export-asset';
const STATUS = '/api/export-status';

/**
 * Test cases of GET requests to the work service (`export-asset`, `export-status`), for clients that can only open a
 * URL.
 */
export function workServiceQueryCases(target: HttpTarget): void {
  describe('the work service with GET requests', () => {
    let work: WorkHost;
    beforeAll(async () => {
      work = await startWorkHost(target);
    });
    afterAll(() => work.close());

    defineCase(target, 'reports the state of an asset by its id', async () => {
      const { body: computed } = await work.post(EXPORT, { region: regionNextTo(6), year: 2021 });
      const statusOf = (id: string) => work.get(`${STATUS}?asset_id=${encodeURIComponent(id)}`);
      const there = await statusOf(String(computed['asset_id']));
      expect([there.status, there.body]).toEqual([
        200,
        {
          asset_id: computed['asset_id'],
          state: 'COMPLETED',
          done: true,
          success: true,
          type: 'raster',
          version: '1',
          destination: computed['destination'],
        },
      ]);
      for (const id of ['regions_custom_region_0', 'projects/x/assets/lulc_85_24_2021', '%', '💧']) {
        const absent = await statusOf(id);
        expect([absent.status, absent.body]).toMatchObject([
          200,
          { asset_id: id, state: 'PENDING', done: false, success: false, version: '', destination: null },
        ]);
      }
      // If both are sent, `task_id` is used, not `asset_id`. A blank `asset_id` is invalid.
      const both = await work.get(`${STATUS}?task_id=${String(computed['task_id'])}&asset_id=other`);
      expect([both.status, both.body['task_id']]).toEqual([200, computed['task_id']]);
      for (const query of ['asset_id=', `asset_id=${'x'.repeat(501)}`])
        expect([query, (await work.get(`${STATUS}?${query}`)).status]).toEqual([query, 400]);
    });

    defineCase(target, 'accepts the parameters of a POST as a query', async () => {
      const [west, south, east, north] = regionNextTo(7);
      const sides = `west=${west}&south=${south}&east=${east}&north=${north}`;
      const computed = await work.get(`${EXPORT}?${sides}&end_year=2021&state=x&execution_id=e-2`);
      expect([computed.status, computed.body]).toMatchObject([
        200,
        { status: 'success', version: '1', execution_id: 'e-2' },
      ]);
      const same = await work.post(`${EXPORT}?overwrite=false`, { region: [west, south, east, north], year: 2021 });
      expect([same.body['asset_id'], same.body['reused']]).toEqual([computed.body['asset_id'], true]);
      const release = work.hold();
      onTestFinished(release);
      const region = `region=${[west, south, east, north].join(',')}`;
      const submitted = await work.get(`${EXPORT}?${region}&year=2020&wait=false`);
      expect([submitted.status, submitted.body]).toMatchObject([202, { status: 'submitted', done: false }]);
      const refusals: readonly (readonly [string, string])[] = [
        ['year=2021', 'region'],
        [`${sides}&year=soon`, 'year'],
        [`${sides}&year=2021&wait=perhaps`, 'wait'],
        [`${sides}&year=2021&year=2020`, 'year'],
      ];
      for (const [query, field] of refusals) {
        const refused = await work.get(`${EXPORT}?${query}`);
        expect([query, refused.status, Object.keys(refused.body['errors'] ?? {})]).toEqual([query, 400, [field]]);
      }
    });
  });
}
