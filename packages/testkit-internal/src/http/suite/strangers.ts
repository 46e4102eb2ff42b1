import { DomainError } from '@headwater/core';
import { describe, expect, onTestFinished } from 'vitest';
import { SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, jsonInit } from './harness.ts';
import { REGION, regionNextTo, startWorkHost, type WorkAnswer, type WorkHost } from './work-host.ts';

const EXPORT = '/api/export-asset';
const LATER = `${EXPORT}?wait=false`;
const CALL = { region: REGION, year: 2021 };
const QUERY = `${EXPORT}?region=${REGION.join()}&year=2021&overwrite=false`;
/** Headers of a request through a proxy that the host does not trust. */
const PASSED_ON = { 'x-forwarded-for': '203.0.113.9' };
const ALL_ADDRESSES = ['0.0.0.0/0', '::/0'];
/** Region of 700 km2: too large for callers at public addresses without a secret or token. */
const LARGE = [85, 24, 85.25, 24.25];

/** Test cases of callers without an account: public addresses, limits, and pages of other sites. */
export function strangerCases(target: HttpTarget): void {
  const startHost = async (options: Parameters<typeof startWorkHost>[1] = {}): Promise<WorkHost> => {
    const work = await startWorkHost(target, options);
    onTestFinished(() => work.close());
    return work;
  };
  const tokenOf = async (work: WorkHost, user: { readonly username: string; readonly password: string }) =>
    String((await work.post('/api/v1/auth/login/', user)).body['access']);
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const statuses = (answers: readonly WorkAnswer[]): readonly number[] =>
    answers.map(({ status }) => status).toSorted((a, b) => a - b);

  describe('callers at public addresses', () => {
    defineCase(target, 'are refused by default on every route; the message says what to configure', async () => {
      const work = await startHost();
      const refusals = [
        await work.post(EXPORT, CALL, { headers: PASSED_ON }),
        await work.get(QUERY, { headers: PASSED_ON }),
        await work.get('/api/export-status?asset_id=x', { headers: PASSED_ON }),
        await work.post('/api/jobs', { op: 'export', params: CALL }, { headers: PASSED_ON }),
        await work.get('/api/jobs/x', { headers: PASSED_ON }),
        await work.post('/api/jobs/x/result', { ok: false, error: 'no' }, { headers: PASSED_ON }),
        await work.post(EXPORT, CALL, { headers: { forwarded: 'for=203.0.113.9' } }),
        await work.post(EXPORT, CALL, { headers: { via: '1.1 proxy' } }),
        await work.post(EXPORT, CALL, { headers: { 'x-real-ip': '127.0.0.1' } }),
        await work.post(EXPORT, CALL, { headers: { 'x-forwarded-for': '127.0.0.1' } }),
      ];
      for (const { status, body } of refusals) {
        expect([status, body['code']]).toEqual([403, 'forbidden']);
        expect(body['detail']).toMatch(
          /bearer token .* The operator of this service can allow the address, or give you a shared secret/,
        );
      }
      expect(work.began()).toBe(0);
      expect((await work.post(EXPORT, CALL)).status).toBe(200);
    });

    defineCase(
      target,
      'may call with the bearer token of an account that may compute, whichever options are set',
      async () => {
        for (const options of [{}, { secret: 'a shared secret of some length' }, { addresses: ['198.51.100.7'] }]) {
          const work = await startHost(options);
          const call = (token: string) => work.post(EXPORT, CALL, { headers: { ...PASSED_ON, ...bearer(token) } });
          expect((await call(await tokenOf(work, SAMPLE_USERS.owner))).status).toBe(200);
          const username = 'asha';
          const password = 'tall-river-42';
          const newcomer = { username, email: 'asha@example.org', password, password_confirm: password };
          expect((await work.post('/api/v1/auth/register/', newcomer)).status).toBe(201);
          const reader = await call(await tokenOf(work, { username, password }));
          expect([reader.status, reader.body['code']]).toEqual([403, 'computing_not_allowed']);
          expect((await call('not.a.token')).status).toBe(401);
          expect(work.began()).toBe(1);
        }
      },
    );

    defineCase(
      target,
      'are recognized by the header of a trusted proxy, as are callers at private addresses',
      async () => {
        const behindProxy: HttpTarget = { ...target, start: (host) => target.start({ ...host, trustsProxy: true }) };
        const work = await startWorkHost(behindProxy);
        onTestFinished(() => work.close());
        const statusFor = async (forwarded: string): Promise<number> =>
          (await work.get('/api/export-status?asset_id=x', { headers: { 'x-forwarded-for': forwarded } })).status;
        expect([await statusFor('10.0.0.7'), await statusFor('127.0.0.1')]).toEqual([200, 200]);
        // 10.0.0.7 is a second proxy, which the host does not trust: the address of the caller is then unknown.
        expect([await statusFor('203.0.113.9'), await statusFor('203.0.113.9, 10.0.0.7')]).toEqual([403, 403]);
        onTestFinished(work.hold());
        const call = (at: number, from: string) =>
          work.post(LATER, { ...CALL, region: regionNextTo(at) }, { headers: { 'x-forwarded-for': from } });
        for (let at = 0; at < 5; at += 1) expect((await call(at, '10.0.0.7')).status).toBe(202);
        expect([(await call(5, '10.0.0.7')).status, (await call(5, '10.0.0.8')).status]).toEqual([429, 202]);
      },
    );

    defineCase(
      target,
      'are allowed or refused by their own public address, never by the address of their proxy',
      async () => {
        const here = await startHost({ addresses: ['127.0.0.0/8', '::1'] });
        expect((await here.post(EXPORT, CALL, { headers: PASSED_ON })).status).toBe(403);
        const open = await startHost({ addresses: ALL_ADDRESSES });
        expect((await open.post(EXPORT, CALL, { headers: PASSED_ON })).status).toBe(200);
      },
    );

    defineCase(
      target,
      'may compute only smaller regions than callers at private addresses, or callers with a secret or token',
      async () => {
        const work = await startHost({ addresses: ALL_ADDRESSES });
        const large = { region: LARGE, year: 2021 };
        const refused = await work.post(LATER, large, { headers: PASSED_ON });
        expect([refused.status, refused.body['detail']]).toEqual([
          400,
          expect.stringMatching(/the maximum is 500 km2/),
        ]);
        const asJob = await work.post('/api/jobs', { op: 'export', params: large }, { headers: PASSED_ON });
        expect([asJob.status, asJob.body['detail']]).toEqual([400, expect.stringMatching(/the maximum is 500 km2/)]);
        expect((await work.post(LATER, large)).status).toBe(202);
        const token = bearer(await tokenOf(work, SAMPLE_USERS.owner));
        expect((await work.post(LATER, { ...large, year: 2020 }, { headers: { ...PASSED_ON, ...token } })).status).toBe(
          202,
        );
        const secret = 'a shared secret of some length';
        const closed = await startHost({ secret });
        const headers = { ...PASSED_ON, 'x-work-service-secret': secret };
        expect((await closed.post(LATER, large, { headers })).status).toBe(202);
      },
    );
  });

  describe('places in the queue of the work service', () => {
    const called = (work: WorkHost, count: number, headers = {}): Promise<readonly WorkAnswer[]> =>
      Promise.all(
        Array.from({ length: count }, (_, at) => work.post(LATER, { ...CALL, region: regionNextTo(at) }, { headers })),
      );

    defineCase(target, 'are at most five per address, unless the caller has the secret or a token', async () => {
      const secret = 'a shared secret of some length';
      const work = await startHost();
      onTestFinished(work.hold());
      const answers = await called(work, 8);
      expect(statuses(answers)).toEqual([202, 202, 202, 202, 202, 429, 429, 429]);
      const refused = answers.find(({ status }) => status === 429);
      expect(refused?.body['detail']).toMatch(/^5 runs are queued or running for calls from this address/);
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      const token = bearer(await tokenOf(work, SAMPLE_USERS.owner));
      expect(statuses(await called(work, 8, token))).toEqual(Array.from({ length: 8 }, () => 202));
      const closed = await startHost({ secret });
      onTestFinished(closed.hold());
      expect(statuses(await called(closed, 8, { 'x-work-service-secret': secret }))).toEqual(
        Array.from({ length: 8 }, () => 202),
      );
    });

    defineCase(target, 'are given to the smallest region first', async () => {
      const work = await startHost({ atOnce: 1 });
      const release = work.hold();
      onTestFinished(release);
      await work.post(LATER, CALL);
      await expect.poll(() => work.began()).toBe(1);
      const tasks: string[] = [];
      for (const side of [0.9, 0.2, 1.4, 0.02]) {
        const answer = await work.post(LATER, { region: [80, 20, 80 + side, 20 + side], year: 2021 });
        tasks.push(String(answer.body['task_id']));
      }
      release();
      const runs = async () => await Promise.all(tasks.map((id) => work.service.stores.runs.get(id)));
      await expect.poll(async () => (await runs()).map((run) => run?.state)).toEqual(tasks.map(() => 'success'));
      const started = (await runs()).map((run) => run?.startedAt ?? '');
      // Equal times are allowed, because two runs may start in the same millisecond.
      const bySize = [3, 1, 0, 2].map((at) => started[at] ?? '');
      expect(bySize).toEqual(bySize.toSorted((a, b) => a.localeCompare(b)));
    });
  });

  describe('waiting responses to callers without an account', () => {
    defineCase(target, 'are limited to five per address; further calls get their task immediately', async () => {
      const work = await startHost();
      const release = work.hold();
      onTestFinished(release);
      const waiting: Promise<WorkAnswer>[] = [];
      const late: WorkAnswer[] = [];
      for (let at = 0; at < 12; at += 1) waiting.push(work.post(EXPORT, CALL));
      for (const each of waiting) void each.then((answer) => late.push(answer));
      await expect.poll(() => late.length).toBe(7);
      for (const { status, body, headers } of late) {
        expect([status, body]).toMatchObject([202, { status: 'submitted', done: false }]);
        expect(headers.get('location')).toContain(`task_id=${String(body['task_id'])}`);
      }
      // Calls of an account do not count towards the limit of an address.
      const own = work.post(EXPORT, CALL, { headers: bearer(await tokenOf(work, SAMPLE_USERS.owner)) });
      release();
      expect((await own).status).toBe(200);
      const answers = await Promise.all(waiting);
      expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, ...Array.from({ length: 7 }, () => 202)]);
      expect(new Set(answers.map(({ body }) => body['task_id'])).size).toBe(1);
      // A new call may wait, because the waiting calls have ended.
      const again = work.hold();
      const began = work.began();
      const next = work.post(EXPORT, CALL);
      await expect.poll(() => work.began()).toBe(began + 1);
      again();
      expect((await next).status).toBe(200);
    });
  });

  describe('pages of other sites', () => {
    const FOREIGN = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://elsewhere.example' }, { origin: 'null' }];
    const OWN = [
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' },
    ];

    defineCase(target, 'cannot cause a browser to request a computation by GET, HEAD or POST', async () => {
      const secret = 'a shared secret of some length';
      for (const work of [
        await startHost(),
        await startHost({ addresses: ALL_ADDRESSES }),
        await startHost({ secret }),
      ]) {
        for (const foreign of FOREIGN) {
          const headers = { ...foreign, 'x-work-service-secret': secret };
          for (const refused of [await work.get(QUERY, { headers }), await work.post(EXPORT, CALL, { headers })]) {
            expect([headers, refused.status]).toEqual([headers, 403]);
            expect(refused.body['detail']).toMatch(/A page of another site/);
          }
          const head = await fetch(work.host.url + QUERY, { method: 'HEAD', headers });
          expect([headers, head.status]).toEqual([headers, 403]);
        }
        expect(work.began()).toBe(0);
        for (const own of [...OWN, { origin: work.host.url }]) {
          const headers = { ...own, 'x-work-service-secret': secret };
          expect([headers, (await work.get(QUERY, { headers })).status]).toEqual([headers, 200]);
        }
      }
    });
  });

  describe('jobs of callers at public addresses', () => {
    defineCase(target, 'are refused before the orchestrator is called', async () => {
      const work = await startWorkHost(target, {}, async () => {
        throw new DomainError('internal', 'never called');
      });
      onTestFinished(() => work.close());
      const answer = await fetch(`${work.host.url}/api/jobs`, jsonInit({ op: 'export', params: CALL }, PASSED_ON));
      expect([answer.status, work.jobs]).toEqual([403, []]);
    });
  });
}
