import { DomainError } from '@headwater/core';
import { newRunId } from '@headwater/core/runs';
import { sha256 } from '@headwater/core/values';
import { describe, expect, onTestFinished } from 'vitest';
import { REGION, regionNextTo, startWorkHost, type WorkHost } from './work-host.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';

const EXPORT = '/api/export-asset';
const CALL = { region: REGION, year: 2021 };
const ROWS = [
  'POST /api/export-asset',
  'GET /api/export-asset?year=2021',
  'GET /api/export-status?task_id=x',
  'POST /api/jobs',
  'GET /api/jobs/x',
] as const;

/** Test cases of permissions: work service, jobs of an orchestrator, and callbacks. */
export function workServiceAccessCases(target: HttpTarget): void {
  const startHost = async (...options: Parameters<typeof startWorkHost> extends [unknown, ...infer R] ? R : never) => {
    const work = await startWorkHost(target, ...options);
    onTestFinished(() => work.close());
    return work;
  };

  describe('access to the work service', () => {
    defineCase(target, 'a shared secret is required in its header or as a bearer token, on every route', async () => {
      const work = await startHost({ secret: 'a shared secret of some length' });
      const right = { 'x-work-service-secret': 'a shared secret of some length' };
      for (const headers of [{}, { 'x-work-service-secret': 'a shared secret' }, { authorization: 'Bearer x' }]) {
        for (const row of ROWS) {
          const [method = '', path = ''] = row.split(' ');
          const refused = await (method === 'GET' ? work.get(path, { headers }) : work.post(path, CALL, { headers }));
          expect([row, refused.status]).toEqual([row, 401]);
          expect(JSON.stringify(refused.body)).not.toContain('of some length');
        }
      }
      expect((await work.post(EXPORT, CALL, { headers: right })).status).toBe(200);
      const bearer = { authorization: `bearer ${right['x-work-service-secret']}` };
      expect((await work.post(EXPORT, CALL, { headers: bearer })).status).toBe(200);
    });

    defineCase(target, 'without a secret, Authorization headers are ignored', async () => {
      const work = await startHost();
      expect((await work.post(EXPORT, CALL, { headers: { authorization: 'Bearer anything' } })).status).toBe(200);
    });

    defineCase(target, 'only calls from the configured addresses are accepted', async () => {
      const elsewhere = await startHost({ addresses: ['203.0.113.0/24', '2001:db8::/32'] });
      expect([(await elsewhere.post(EXPORT, CALL)).status, (await elsewhere.get('/api/jobs/x')).status]).toEqual([
        403, 403,
      ]);
      const here = await startHost({ addresses: ['203.0.113.7', '127.0.0.0/8', '::1'] });
      expect((await here.post(EXPORT, CALL)).status).toBe(200);
    });
  });

  describe('jobs of an orchestrator', () => {
    const job = { op: 'export', params: { region: REGION.join(','), year: '2021' } };
    const begin = async (work: WorkHost): Promise<string> => String((await work.post('/api/jobs', job)).body['run_id']);
    /** Path for posting the result of a job. It contains a secret id, which only the workflow of the job receives. */
    const resultOf = (work: WorkHost, id: string): string =>
      `/api/jobs/${String(work.jobs.find((each) => each.id === id)?.secretId)}/result`;

    defineCase(
      target,
      'are sent to the orchestrator with the id that the service returned to the caller, and end with the first result that is posted',
      async () => {
        const work = await startHost();
        const texts = await work.post('/api/jobs', { ...job, params: 'region' });
        expect([texts.status, texts.body['params']]).toEqual([400, ['An object is required.']]);
        const accepted = await work.post('/api/jobs', job);
        const id = String(accepted.body['run_id']);
        expect([accepted.status, accepted.body]).toMatchObject([
          202,
          { done: false, state: 'running', success: false },
        ]);
        expect(work.jobs).toEqual([{ id, secretId: expect.stringMatching(/^[0-9a-f]{64}$/), ...job }]);
        expect(JSON.stringify(accepted.body)).not.toContain(work.jobs[0]?.secretId);
        // The next calls do what the task of the orchestrator does: send the job's parameters, then post the whole
        // response as the result.
        const computed = await work.post(EXPORT, work.jobs[0]?.params);
        const path = resultOf(work, id);
        const posted = await Promise.all([1, 2, 3].map(() => work.post(path, { ok: true, result: computed.body })));
        expect(posted.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
        const found = await work.get(`/api/jobs/${id}`);
        expect([found.status, found.body]).toMatchObject([
          200,
          { done: true, success: true, result: { asset_id: computed.body['asset_id'] } },
        ]);
        expect((await work.post(path, { ok: false, error: 'late' })).status).toBe(409);
      },
    );

    defineCase(target, 'cannot be ended by their caller', async () => {
      const work = await startHost();
      const id = await begin(work);
      const own = await work.post(`/api/jobs/${id}/result`, { ok: false, error: 'mine' });
      expect([own.status, JSON.stringify(own.body)]).toEqual([404, expect.stringContaining('run_id of the workflow')]);
      expect((await work.get(`/api/jobs/${id}`)).body).toMatchObject({ done: false });
      // The secret id must not allow reading the job.
      expect((await work.get(resultOf(work, id).replace(/\/result$/, ''))).status).toBe(404);
    });

    defineCase(
      target,
      'have the same id for reading and for posting their result if an earlier version created them',
      async () => {
        const work = await startHost();
        const id = newRunId(new Date());
        const { jobs } = work.service.stores;
        await jobs.add({ id, op: 'export', params: {} }, { mostOpen: 9, mostEnded: 9, keepMs: 60_000 });
        expect((await work.get(`/api/jobs/${id}`)).body).toMatchObject({ run_id: id, done: false });
        expect((await work.post(`/api/jobs/${id}/result`, { ok: false, error: 'it failed' })).status).toBe(200);
        expect((await work.get(`/api/jobs/${id}`)).body).toMatchObject({ done: true, error: 'it failed' });
      },
    );

    defineCase(target, 'are limited per address and period, also if many are sent at the same time', async () => {
      const work = await startHost({ jobsPerAddress: 3 });
      const sent = await Promise.all(Array.from({ length: 12 }, () => work.post('/api/jobs', job)));
      expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        202,
        202,
        202,
        ...Array(9).fill(429),
      ]);
      for (const { id } of work.jobs)
        expect((await work.post(resultOf(work, id), { ok: false, error: 'it failed' })).status).toBe(200);
      const refused = await work.post('/api/jobs', job);
      expect([refused.status, refused.body['detail']]).toEqual([429, expect.stringMatching(/from this address; try/)]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500);
      expect(work.jobs).toHaveLength(3);
    });

    defineCase(target, 'are refused above the limit of their address, before the newest year is searched', async () => {
      const work = await startHost({ jobsPerAddress: 1 });
      const noYear = { op: 'export', params: { region: REGION } };
      const answers = [await work.post('/api/jobs', noYear), await work.post('/api/jobs', noYear)];
      expect([answers.map(({ status }) => status), work.searches.began()]).toEqual([[202, 429], 1]);
    });

    defineCase(
      target,
      'use the newest year if they name no year; their parameters and their response contain this year',
      async () => {
        const work = await startHost();
        const chosen = await work.post('/api/jobs', { op: 'export', params: { region: REGION, year: '' } });
        const note = expect.stringMatching(/^No year was sent, so 2022 is used/);
        expect([chosen.status, chosen.body]).toMatchObject([202, { year: 2022, note }]);
        const sent = await work.post('/api/jobs', job);
        expect([sent.status, sent.body['year']]).toEqual([202, 2021]);
        expect(sent.body).not.toHaveProperty('note');
        expect(work.jobs.map(({ params }) => params)).toEqual([{ region: REGION, year: 2022 }, job.params]);
      },
    );

    defineCase(target, 'are refused if their parameters are too large', async () => {
      const work = await startHost();
      const large = { ...job, params: { ...job.params, note: 'x'.repeat(70_000) } };
      expect([(await work.post('/api/jobs', large)).status, work.jobs]).toEqual([413, []]);
    });

    defineCase(target, 'report their error if they fail', async () => {
      const work = await startHost();
      const id = await begin(work);
      expect((await work.post(resultOf(work, id), { ok: false, error: 'quota exceeded' })).status).toBe(200);
      expect((await work.get(`/api/jobs/${id}`)).body).toMatchObject({
        done: true,
        success: false,
        state: 'failed',
        error: 'quota exceeded',
      });
    });

    defineCase(target, 'are returned as submitted, even if their result was posted before the response', async () => {
      const work = await startHost({}, async ({ secretId }) => {
        const posted = await work.post(`/api/jobs/${secretId}/result`, { ok: false, error: 'a fast workflow' });
        expect(posted.status).toBe(200);
      });
      const { status, body } = await work.post('/api/jobs', job);
      expect([status, body]).toMatchObject([202, { done: false, state: 'running', success: false }]);
      const found = await work.get(`/api/jobs/${String(body['run_id'])}`);
      expect(found.body).toMatchObject({ done: true, error: 'a fast workflow' });
    });

    defineCase(
      target,
      'stay open if the response to their trigger is lost, because the run may still post a result; if the trigger is refused, they end',
      async () => {
        const sent: string[] = [];
        const codes = ['upstream_timeout', 'upstream_failed'] as const;
        const work = await startHost({}, async ({ secretId }) => {
          sent.push(secretId);
          throw new DomainError(codes[sent.length - 1] ?? 'internal', 'The orchestrator did not answer.');
        });
        const post = async () => (await work.post('/api/jobs', job)).status;
        expect([await post(), await post()]).toEqual([504, 502]);
        const result = async (secretId = '') =>
          (await work.post(`/api/jobs/${secretId}/result`, { ok: false, error: 'it failed' })).status;
        expect([await result(sent[0]), await result(sent[1])]).toEqual([200, 409]);
      },
    );

    defineCase(target, 'fail with a reason if their runs end without a result', async () => {
      const work = await startHost();
      const [ended, running] = [await begin(work), await begin(work)];
      work.ended.set(ended, 'run 7 failed in task work: RuntimeError: quota exceeded');
      const jobBody = async (id: string) => (await work.get(`/api/jobs/${id}`)).body;
      await expect
        .poll(() => jobBody(ended))
        .toMatchObject({
          state: 'failed',
          done: true,
          success: false,
          error: 'run 7 failed in task work: RuntimeError: quota exceeded',
        });
      expect((await work.post(resultOf(work, ended), { ok: false, error: 'late' })).status).toBe(409);
      expect(await jobBody(running)).toMatchObject({ state: 'running', done: false });
    });

    defineCase(target, 'keep a posted result when their runs end', async () => {
      const work = await startHost();
      const [id, other] = [await begin(work), await begin(work)];
      await work.post(resultOf(work, id), { ok: false, error: 'quota exceeded' });
      for (const each of [id, other]) work.ended.set(each, 'the run ended without a result');
      // When the second job is done, the watcher has checked both jobs.
      await expect.poll(async () => (await work.get(`/api/jobs/${other}`)).body).toMatchObject({ done: true });
      expect((await work.get(`/api/jobs/${id}`)).body).toMatchObject({ error: 'quota exceeded' });
    });

    defineCase(target, 'refuse an invalid result and stay unfinished', async () => {
      const work = await startHost();
      const id = await begin(work);
      const path = resultOf(work, id);
      const { body: computed } = await work.post(EXPORT, CALL);
      const [item] = computed['stac_items'] as readonly Record<string, unknown>[];
      const { assets: _, ...noAssets } = item ?? {};
      const nested: unknown = JSON.parse(`${'[{"bands":'.repeat(500)}0${'}]'.repeat(500)}`);
      const broken: readonly unknown[] = [
        {},
        { ok: 'yes' },
        { ok: true },
        { ok: true, result: {} },
        { ok: true, result: { stac_items: [] } },
        { ok: true, result: { stac_items: 'none' } },
        { ok: true, result: { stac_items: [null] } },
        { ok: true, result: { stac_items: [noAssets] } },
        { ok: true, result: { stac_spec: { type: 'Feature' } } },
        { ok: true, result: { stac_items: [{ ...item, bands: nested, 'constructor:x': 1 }] } },
        { ok: true, result: { stac_items: [{ ...item, properties: { bands: nested, 'toString:x': 1 } }] } },
        { ok: true, result: { stac_items: [item], stac_spec: noAssets } },
        { ok: false },
        { ok: false, error: 7 },
        [],
      ];
      for (const body of broken) {
        const refused = await work.post(path, body);
        expect([JSON.stringify(body).slice(0, 60), refused.status]).toEqual([JSON.stringify(body).slice(0, 60), 400]);
      }
      expect((await work.post(path, { ok: false, error: 'x'.repeat(5_000_000) })).status).toBe(413);
      expect((await work.get(`/api/jobs/${id}`)).body).toMatchObject({ done: false });
      const assets = (item?.['assets'] ?? {}) as Readonly<Record<string, { readonly href: string }>>;
      const href = assets['data']?.href.replace(/[^/]*$/, 'gone') ?? '';
      const gone = { ...item, assets: { ...assets, data: { ...assets['data'], href } } };
      const missing = await work.post(path, { ok: true, result: { stac_items: [gone] } });
      expect([missing.status, JSON.stringify(missing.body)]).toEqual([
        400,
        expect.stringMatching(/result.stac_items.0.assets.data.href.*no such file/),
      ]);
      expect((await work.post(path, { ok: true, result: { stac_spec: item } })).status).toBe(200);
    });

    defineCase(target, 'are refused if they do not exist or have invalid parameters', async () => {
      const work = await startHost();
      for (const id of ['0190a000-0000-7000-8000-00000000dead', 'x', '%2e%2e%2f', '%00'])
        expect([400, 404]).toContain((await work.get(`/api/jobs/${id}`)).status);
      expect((await work.post('/api/jobs/x/result', { ok: false, error: 'no' })).status).toBe(404);
      for (const body of [
        {},
        { op: 'classify', params: {} },
        { op: 'export' },
        { op: 'export', params: [] },
        { op: 'export', params: { year: 2021 } },
      ])
        expect([body, (await work.post('/api/jobs', body)).status]).toEqual([body, 400]);
      expect(work.jobs).toEqual([]);
    });

    defineCase(target, 'fail if the orchestrator does not accept them', async () => {
      const work = await startHost({}, async () => {
        throw new DomainError('upstream_failed', 'The workflow is not there.');
      });
      const refused = await work.post('/api/jobs', job);
      expect([refused.status, refused.body]).toMatchObject([502, { detail: 'The workflow is not there.' }]);
    });
  });

  describe('callbacks of an orchestrator', () => {
    const TOKEN = 'f'.repeat(64);

    /** Stores a run that is marked as sent to the orchestrator. Returns its id, the `job_id` of its callbacks. */
    async function dispatchedRun({ service }: WorkHost): Promise<string> {
      const { runs } = service.stores;
      const id = newRunId(new Date());
      const params = { region: regionNextTo(5), year: 2019 };
      await runs.enqueue({
        id,
        pipeline: 'empty_squares',
        params,
        fingerprint: id,
        ownerId: 1,
        requestId: 'request of the job',
        backend: 'orchestrator',
      });
      const claimed = await runs.claim({
        workerId: 'watcher',
        leaseMs: 60_000,
        maxAttempts: 3,
        pipelines: ['empty_squares'],
        backend: 'orchestrator',
      });
      await runs.dispatch(id, claimed?.token ?? 0, { dagId: 'd', runTokenHash: await sha256(TOKEN) });
      return id;
    }

    defineCase(
      target,
      'with a run token compute the run of the token only once, and ignore other parameters',
      async () => {
        const work = await startHost({ atOnce: 1, waiting: 0 });
        const job = await dispatchedRun(work);
        const call = { ...CALL, region: 'anything', job_id: job, run_token: TOKEN, execution_id: 'try 1' };
        const answers = await Promise.all([work.post(EXPORT, call), work.post(EXPORT, { conf: call })]);
        for (const { status, body } of answers)
          expect([status, body]).toMatchObject([200, { status: 'success', execution_id: 'try 1', version: '1' }]);
        expect(String(answers[0]?.body['asset_id'])).toMatch(/_squares_raster_2019$/);
        expect(new Set(answers.map(({ body }) => body['task_id'])).size).toBe(1);
        expect(work.began()).toBe(1);
        // The log line of a callback has the request ids of the callback and of the request that created the job.
        const [run] = (await work.service.stores.runs.list({ parentId: job, limit: 2, offset: 0 })).runs;
        const startedBy = 'request of the job';
        expect(run?.requestId).toBe(startedBy);
        const text = 'callback of an orchestrated run';
        const ids = { jobId: job, runId: run?.id, startedBy, requestId: expect.any(String) };
        expect(work.lines).toContainEqual({ ...ids, text });
        // A repeated call gets the same result, and nothing is computed again.
        expect((await work.post(EXPORT, call)).body).toMatchObject({
          version: '1',
          asset_id: answers[0]?.body['asset_id'],
        });
        expect(work.began()).toBe(1);
      },
    );

    defineCase(target, 'with a run token do not count towards the limit of calls without a token', async () => {
      const work = await startHost({ atOnce: 1, waiting: 0 });
      const release = work.hold();
      onTestFinished(release);
      const job = await dispatchedRun(work);
      expect((await work.post(`${EXPORT}?wait=false`, CALL)).status).toBe(202);
      expect((await work.post(`${EXPORT}?wait=false`, { ...CALL, year: 2020 })).status).toBe(429);
      // The service waits for the result in spite of wait=false, because the orchestrator's task ends with the
      // response.
      const called = work.post(`${EXPORT}?wait=false`, { job_id: job, run_token: TOKEN });
      await expect.poll(() => work.began()).toBe(2);
      release();
      const { status, body } = await called;
      expect([status, body]).toMatchObject([200, { status: 'success' }]);
      const found = await work.get(`/api/export-status?task_id=${String(body['task_id'])}`);
      expect([found.status, found.body]).toMatchObject([
        200,
        { done: true, success: true, asset_id: body['asset_id'] },
      ]);
      expect((await work.get(`/api/export-status?task_id=${job}`)).status).toBe(404);
    });

    defineCase(target, 'ignore a token in the address', async () => {
      const work = await startHost();
      const job = await dispatchedRun(work);
      const refused = await work.get(`${EXPORT}?job_id=${job}&run_token=${TOKEN}`);
      expect([refused.status, Object.keys(refused.body['errors'] ?? {})]).toEqual([400, ['region']]);
    });

    defineCase(
      target,
      'with a forged or old token compute the requested region, like calls without a token',
      async () => {
        const work = await startHost();
        const job = await dispatchedRun(work);
        const plain = await work.post(EXPORT, CALL);
        for (const token of ['e'.repeat(64), '', TOKEN.slice(1), `${TOKEN}0`, TOKEN.toUpperCase()]) {
          const forged = await work.post(EXPORT, { ...CALL, job_id: job, run_token: token, overwrite: false });
          expect([forged.status, forged.body['asset_id']]).toEqual([200, plain.body['asset_id']]);
        }
        for (const other of ['x', "';--", '0190a000-0000-7000-8000-00000000dead', String(plain.body['task_id'])])
          expect((await work.post(EXPORT, { job_id: other, run_token: TOKEN })).status).toBe(400);
        await work.service.stores.runs.requestCancel(job);
        const stale = await work.post(EXPORT, { ...CALL, job_id: job, run_token: TOKEN, overwrite: false });
        expect([stale.status, stale.body['asset_id']]).toEqual([200, plain.body['asset_id']]);
        expect((await work.service.stores.runs.get(job))?.state).toBe('running');
      },
    );
  });
}
