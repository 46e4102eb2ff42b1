import { isObject } from '@headwater/core/values';
import { validateItem } from '@headwater/stac';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { REGION, regionNextTo, startWorkHost, type WorkAnswer, type WorkHost } from './work-host.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';

const EXPORT = '/api/export-asset';
const STATUS = '/api/export-status';

/** Test cases of regions that an orchestrator requests. */
export function workServiceCases(target: HttpTarget): void {
  describe('the work service', () => {
    let work: WorkHost;
    beforeAll(async () => {
      work = await startWorkHost(target, { maxKm2: 100, waiting: 3 });
    });
    afterAll(() => work.close());

    const taskOf = (answer: WorkAnswer): string => String(answer.body['task_id']);
    const ended = (task: string) =>
      expect.poll(async () => (await work.get(`${STATUS}?task_id=${task}`)).body, { timeout: 20_000 });

    defineCase(target, 'publishes a region and a year, and returns the members that every client reads', async () => {
      const answer = await work.post(EXPORT, { region: REGION, year: 2021 });
      const { body } = answer;
      expect([answer.status, body]).toMatchObject([
        200,
        {
          status: 'success',
          state: 'COMPLETED',
          done: true,
          version: '1',
          hosting_platform: 'headwater',
          joined: false,
          classes: [{ value: 1, name: 'one', description: 'One', color_hint: 'FF0000' }],
        },
      ]);
      const [item] = body['stac_items'] as readonly Record<string, unknown>[];
      expect(validateItem(item ?? {}, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(String(body['asset_id'])).toMatch(/^regions_custom_region_[0-9a-f]{16}_squares_raster_2021$/);
      expect([body['asset_ids'], body['stac_spec'], item?.['id']]).toEqual([
        [body['asset_id']],
        item,
        body['asset_id'],
      ]);
      expect(isObject(item?.['assets']) && item['assets']['data']).toMatchObject({ href: body['destination'] });
      expect(body['execution_id']).toBe(body['task_id']);
      expect(typeof body['execution_time']).toBe('number');
      const block = String(body['asset_id']).slice('regions_custom_'.length, -'_squares_raster_2021'.length);
      const stored = await work.get(`/api/v1/stac/regions/custom/${block}/items/${String(body['asset_id'])}/`);
      expect([stored.status, stored.body['collection']]).toEqual([200, `regions_custom_${block}`]);
      expect(isObject(stored.body['assets']) && stored.body['assets']['data']).toMatchObject({ roles: ['data'] });
    });

    defineCase(
      target,
      'accepts parameters as texts, at the top level or in conf, and ignores unknown parameters',
      async () => {
        const [w, s, e, n] = REGION;
        const year = 2020;
        const first = await work.post(EXPORT, { region: REGION, year });
        const forms: readonly unknown[] = [
          {
            region: `[${REGION.join(', ')}]`,
            year: '2020',
            execution_type: 'fullexec',
            state: 'x',
            district: 7,
            hierarchy: [1],
          },
          { region: REGION.join(','), year: "'2020'", base_scheme: '"squares"' },
          { region: REGION.map(String), year: '2020-2021', base_scheme: null },
          {
            conf: { region: `(${REGION.join(',')})`, year: 2020.0, base_scheme: 'SQUARES' },
            region: 'not read',
            year: 1,
          },
          { conf: ` ${JSON.stringify({ region: REGION, year, run_token: 'x' })}`, year: 1 },
          { west: w, south: String(s), east: e, north: n, start_year: 2020 },
          { region: REGION.map((corner) => corner + 1e-8), end_year: '2020', start_year: 2018, year: 2019 },
          JSON.parse(`{"region":[${REGION.join()}],"year":2020.0,"__proto__":{"year":1},"constructor":1}`),
        ];
        for (const form of forms) {
          const again = await work.post(`${EXPORT}?overwrite=false`, form);
          expect([form, again.status, again.body['asset_id'], again.body['reused']]).toEqual([
            form,
            200,
            first.body['asset_id'],
            true,
          ]);
        }
        const other = await work.post(EXPORT, { region: REGION, year, base_scheme: 'circles' });
        expect(other.body['asset_id']).toBe(String(first.body['asset_id']).replace('squares', 'circles'));
      },
    );

    defineCase(
      target,
      'reads both conf and the top level; a parameter in conf takes precedence, in any form of conf',
      async () => {
        const region = regionNextTo(8);
        const [west, south, east, north] = region;
        const first = await work.post(EXPORT, { region, year: 2021 });
        const forms: readonly unknown[] = [
          { conf: {}, region, year: 2021 },
          { conf: '{}', region, year: 2021 },
          { conf: { base_scheme: null, region: '' }, region, year: 2021 },
          { region, conf: { year: '2021' } },
          { year: 2021, conf: { region } },
          { region: 'not read', end_year: 2019, conf: { west, south, east, north, start_year: 2021 } },
          { region, year: 2021, conf: null },
        ];
        for (const form of forms) {
          const same = await work.post(`${EXPORT}?overwrite=false`, form);
          expect([form, same.status, same.body['asset_id'], same.body['year']]).toEqual([
            form,
            200,
            first.body['asset_id'],
            2021,
          ]);
          expect(same.body).not.toHaveProperty('note');
        }
      },
    );

    defineCase(target, 'uses the newest year with scenes if no year is sent, and reports that year', async () => {
      const region = regionNextTo(9);
      const chosen = { year: 2022, note: expect.stringMatching(/^No year was sent, so 2022 is used/) };
      const done = await work.post(EXPORT, { region });
      expect([done.status, done.body]).toMatchObject([200, { status: 'success', ...chosen }]);
      expect(String(done.body['asset_id'])).toMatch(/_2022$/);
      const query = await work.get(`${EXPORT}?region=${region.join(',')}&overwrite=false`);
      expect([query.status, query.body]).toMatchObject([200, { asset_id: done.body['asset_id'], ...chosen }]);
      const release = work.hold();
      onTestFinished(release);
      const blank = { region: regionNextTo(9), year: '', conf: { end_year: null } };
      const task = await work.post(`${EXPORT}?wait=false`, blank);
      expect([task.status, task.body]).toMatchObject([202, chosen]);
    });

    defineCase(target, 'runs only one search for the newest year at a time for each client address', async () => {
      const release = work.searches.hold();
      onTestFinished(release);
      const began = work.searches.began();
      const first = work.post(EXPORT, { region: regionNextTo(40) });
      await expect.poll(() => work.searches.began()).toBe(began + 1);
      const refused = await work.post(EXPORT, { region: regionNextTo(41) });
      expect([refused.status, refused.body['detail']]).toEqual([429, expect.stringMatching(/send year/)]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await work.post(EXPORT, { region: regionNextTo(41), year: 2021 })).status).toBe(200);
      release();
      expect([(await first).status, work.searches.began()]).toEqual([200, began + 1]);
      expect((await work.post(EXPORT, { region: regionNextTo(41) })).status).toBe(200);
    });

    defineCase(target, 'responds 503 if the search for the newest year fails', async () => {
      const failed = await work.post(EXPORT, { region: [10, -61, 10.02, -60.98] });
      expect([failed.status, failed.body]).toMatchObject([
        503,
        { code: 'unavailable', detail: expect.stringMatching(/newest year; send year, or retry/) },
      ]);
      expect(Number(failed.headers.get('retry-after'))).toBeGreaterThan(0);
    });

    defineCase(target, 'refuses invalid parameters with a message that names them', async () => {
      const good = { region: REGION, year: 2021 };
      const cases: readonly (readonly [unknown, readonly string[], RegExp])[] = [
        [{ year: 2021 }, ['region'], /Send region as/],
        [{ roi_asset: 'projects/x', year: 2021 }, ['region'], /roi_asset/],
        [{ region: REGION, base_scheme: 'circles' }, ['year'], /required/],
        [{ region: [10, 61, 10.02, 61.02] }, ['year'], /no year with enough scenes/],
        [{}, ['region'], /Send region as/],
        [{ ...good, region: [1, 2, 3] }, ['region'], /four numbers/],
        [{ ...good, region: [85, 24, null, 25] }, ['region'], /four numbers/],
        [{ ...good, region: '85,24,86' }, ['region'], /four numbers/],
        [{ ...good, region: 'NaN,24,86,25' }, ['region'], /four numbers/],
        [{ ...good, region: '0x10,24,86,25' }, ['region'], /four numbers/],
        [{ ...good, region: { west: 1 } }, ['region'], /four numbers/],
        [{ ...good, region: '['.repeat(5000) }, ['region'], /four numbers/],
        [{ ...good, region: [85, 24, 85, 25] }, ['region'], /no area/],
        [{ ...good, region: [179.99, 24, -179.99, 24.01] }, ['region'], /antimeridian/],
        [{ ...good, region: [85, 95, 86, 96] }, ['region'], /latitude/],
        [{ ...good, region: [85, 24, 85.2, 24.2] }, ['region'], /the maximum is 100 km2/],
        [{ west: 85, south: 24, east: 'x', year: 2021 }, ['east', 'north'], /A valid number/],
        [{ ...good, year: 'soon' }, ['year'], /hydrological year.*"soon"/],
        [{ ...good, year: 2021.5 }, ['year'], /hydrological year/],
        [{ ...good, year: '2021-2023' }, ['year'], /hydrological year/],
        [{ ...good, year: [2021] }, ['year'], /hydrological year/],
        [{ ...good, year: true }, ['year'], /hydrological year/],
        [{ ...good, end_year: 'x' }, ['end_year'], /hydrological year/],
        [{ ...good, base_scheme: 'worldcover' }, ['base_scheme'], /squares, circles/],
        [{ ...good, base_scheme: 7 }, ['base_scheme'], /Not a valid string/],
        [{ ...good, wait: 'perhaps' }, ['wait'], /true or false/],
        [{ ...good, execution_id: 'x'.repeat(201) }, ['execution_id'], /200 characters/],
        [{ conf: {}, year: 2021 }, ['region'], /Send region as/],
        [{ conf: { year: 'soon' }, ...good }, ['year'], /hydrological year.*"soon"/],
        [{ conf: { region: [1, 2, 3] }, ...good }, ['region'], /four numbers/],
        [{ conf: { west: 85 }, ...good }, ['south', 'east', 'north'], /required/],
        [{ conf: "{'region': [1, 2, 3, 4]}" }, ['conf'], /send the object itself, or its JSON text/],
        [{ conf: `{"region":${'['.repeat(300)}${']'.repeat(300)}}` }, ['conf'], /send the object itself/],
        [[1], ['non_field_errors'], /list/],
        ['text', ['non_field_errors'], /string/],
      ];
      for (const [body, fields, message] of cases) {
        const answer = await work.post(EXPORT, body);
        expect([body, answer.status, Object.keys(answer.body['errors'] ?? {}).toSorted()]).toEqual([
          body,
          400,
          fields.toSorted(),
        ]);
        expect(answer.body['detail']).toMatch(message);
      }
      const query = await work.post(`${EXPORT}?wait=never`, good);
      expect([query.status, Object.keys(query.body['errors'] ?? {})]).toEqual([400, ['wait']]);
    });

    defineCase(
      target,
      'with wait=false responds immediately, and reports the state of the task until it is done',
      async () => {
        const release = work.hold();
        onTestFinished(release);
        const region = regionNextTo(1);
        const submitted = await work.post(`${EXPORT}?wait=false`, {
          region,
          year: 2021,
          wait: true,
          execution_id: 'e-1',
        });
        expect([submitted.status, submitted.body]).toMatchObject([
          202,
          { status: 'submitted', state: 'SUBMITTED', done: false, asset_id: '', stac_items: [], execution_id: 'e-1' },
        ]);
        const task = taskOf(submitted);
        expect(submitted.headers.get('location')).toContain(`${STATUS}?task_id=${task}`);
        for (const body of [{ wait: false }, { wait: 'False' }, { wait: 0 }])
          expect((await work.post(EXPORT, { region, year: 2021, ...body })).body).toMatchObject({
            task_id: task,
            joined: true,
          });
        const inConf = await work.post(EXPORT, { conf: { region, year: 2021 }, wait: 'false' });
        expect(inConf.body).toMatchObject({ task_id: task, joined: true });
        const during = await work.get(`${STATUS}?task_id=${task}`);
        expect([during.status, during.body]).toMatchObject([
          200,
          {
            task_id: task,
            state: expect.stringMatching(/^(READY|RUNNING)$/),
            done: false,
            success: false,
            error: null,
          },
        ]);
        expect(during.body).toMatchObject({ destination: null, classes: [] });
        release();
        const end = {
          done: true,
          success: true,
          status: 'success',
          state: 'COMPLETED',
          version: '1',
          stac_items: [{}],
        };
        await ended(task).toMatchObject(end);
      },
    );

    defineCase(target, 'finds tasks by their id, but no runs of accounts and no unknown ids', async () => {
      const missing = await work.get(STATUS);
      expect([missing.status, missing.body['errors']]).toEqual([400, { task_id: ['Send task_id or asset_id.'] }]);
      const { runs } = await work.service.stores.runs.list({ limit: 50, offset: 0 });
      const owned = runs.find(({ ownerId }) => ownerId !== null);
      for (const id of [owned?.id ?? '', '0190a000-0000-7000-8000-00000000dead', 'x', "';--", '%F0%9F%92%A7'])
        expect((await work.get(`${STATUS}?task_id=${id}`)).status).toBe(404);
    });

    defineCase(target, 'replaces the asset of the same region and year in one step by its next version', async () => {
      const region = regionNextTo(2);
      const first = await work.post(EXPORT, { region, year: 2021 });
      const id = String(first.body['asset_id']);
      const block = id.slice('regions_custom_'.length, -'_squares_raster_2021'.length);
      const readItem = () => work.get(`/api/v1/stac/regions/custom/${block}/items/${id}/`);
      const before = (await readItem()).body;
      const release = work.hold();
      onTestFinished(release);
      const began = work.began();
      const second = work.post(EXPORT, { region, year: 2021 });
      await expect.poll(() => work.began()).toBe(began + 1);
      expect([(await readItem()).status, (await readItem()).body]).toEqual([200, before]);
      release();
      expect((await second).body).toMatchObject({ asset_id: id, version: '2', reused: false });
      expect((await readItem()).body).not.toEqual(before);
    });

    defineCase(
      target,
      'computes identical calls only once, and continues if one of the callers disconnects',
      async () => {
        const release = work.hold();
        onTestFinished(release);
        const began = work.began();
        const body = { region: regionNextTo(3), year: 2021 };
        const staying = work.post(EXPORT, body);
        // The run has begun, so the next calls join this run.
        await expect.poll(() => work.began()).toBe(began + 1);
        const left = new AbortController();
        const leaving = work.post(EXPORT, body, { signal: left.signal }).catch(() => 'left');
        const others = await Promise.all(Array.from({ length: 8 }, () => work.post(`${EXPORT}?wait=false`, body)));
        left.abort();
        expect(await leaving).toBe('left');
        release();
        const answer = await staying;
        expect([answer.status, answer.body['status']]).toEqual([200, 'success']);
        expect(others.map((other) => [other.status, other.body['joined'], taskOf(other)])).toEqual(
          others.map(() => [202, true, taskOf(answer)]),
        );
        expect(work.began()).toBe(began + 1);
        const region = regionNextTo(4);
        const releaseAll = work.hold();
        onTestFinished(releaseAll);
        const atOnce = Array.from({ length: 10 }, () => work.post(`${EXPORT}?wait=false`, { region, year: 2021 }));
        const [task = '', ...more] = new Set((await Promise.all(atOnce)).map(taskOf));
        expect(more).toEqual([]);
        releaseAll();
        await ended(task).toMatchObject({ done: true, success: true });
      },
    );

    defineCase(
      target,
      'computes two regions at a time, queues some, and refuses more until the queue has space',
      async () => {
        const release = work.hold();
        onTestFinished(release);
        const calls = Array.from({ length: 10 }, (_, step) =>
          work.post(`${EXPORT}?wait=false`, { region: regionNextTo(10 + step), year: 2021 }),
        );
        const answers = await Promise.all(calls);
        const taken = answers.filter(({ status }) => status === 202);
        const refused = answers.filter(({ status }) => status === 429);
        expect([taken.length, refused.length]).toEqual([5, 5]);
        expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(refused[0]?.body).toMatchObject({ status: 'error', code: 'throttled' });
        await expect.poll(() => work.atWork().now).toBe(2);
        // Repeats the first call. If that call was accepted, this call joins its run and needs no place in the queue.
        // Otherwise, this call is also refused.
        const joined = await work.post(`${EXPORT}?wait=false`, { region: regionNextTo(10), year: 2021 });
        expect([joined.status, joined.status === 202 && joined.body['joined']]).toEqual(
          answers[0]?.status === 202 ? [202, true] : [429, false],
        );
        release();
        for (const answer of taken) await ended(taskOf(answer)).toMatchObject({ done: true, success: true });
        expect(work.atWork().most).toBe(2);
        expect((await work.post(EXPORT, { region: regionNextTo(30), year: 2021 })).status).toBe(200);
      },
    );
  });
}
