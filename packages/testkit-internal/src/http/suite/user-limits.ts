import type { Headwater } from '@headwater/http-service';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { createSampleService, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget, RunningHost } from '../targets/target.ts';
import { outlinePipeline } from '../../pipelines/outline-pipeline.ts';
import { defineCase, jsonInit } from './harness.ts';

const BODY = { state: 'Sample State', district: 'Sample District', block: 'Sample Tehsil', eo_account_id: 1 };
const LIMITS = { openRuns: 2, eventStreams: 2 };

interface Limited {
  readonly host: RunningHost;
  readonly service: Headwater;
  readonly ask: (user: keyof typeof SAMPLE_USERS, path: string, init?: RequestInit) => Promise<Response>;
  /** Requests a computation. Different labels start different runs. */
  readonly compute: (user: keyof typeof SAMPLE_USERS, label: string, query?: string) => Promise<Response>;
}

/** Test cases of the limits of an account. No worker is started, so the runs stay queued. */
export function userLimitCases(target: HttpTarget): void {
  describe('limits of an account', () => {
    let limited: Limited;
    beforeAll(async () => {
      limited = await start(target);
    });
    afterAll(async () => {
      await limited.service.close();
      await limited.host.close();
    });

    defineCase(
      target,
      'many concurrent requests for runs are accepted up to the limit; all further requests get 429 with Retry-After',
      async () => {
        const { ask, compute } = limited;
        const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((label) => compute('owner', label)));
        expect(answers.filter(({ status }) => status === 202)).toHaveLength(LIMITS.openRuns);
        expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
        const refused = answers.find(({ status }) => status === 429);
        expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(await refused?.json()).toMatchObject({
          code: 'throttled',
          message: expect.stringMatching(/^2 runs are queued or running for this account.* cancel one\.$/),
        });
        const taken = (await Promise.all(
          answers.filter(({ status }) => status === 202).map((answer) => answer.json()),
        )) as readonly { run_id: string }[];
        const run = await limited.service.stores.runs.get(taken[0]?.run_id ?? '');
        const again = await compute('owner', String(run?.params['label']));
        expect([again.status, await again.json()]).toMatchObject([202, { joined: true, run_id: run?.id }]);
        expect((await compute('other', 'a')).status).toBe(202);
        await ask('owner', `/api/v1/runs/${run?.id}/cancel/`, { method: 'POST' });
        expect((await compute('owner', 'f')).status).toBe(202);
      },
    );

    defineCase(target, 'event streams beyond the limit are refused until one closes', async () => {
      const { ask, compute } = limited;
      const { run_id: id } = (await (await compute('operator', 'followed')).json()) as { run_id: string };
      const follow = (init?: RequestInit): Promise<Response> => ask('operator', `/api/v1/runs/${id}/events/`, init);
      const first = new AbortController();
      onTestFinished(() => first.abort());
      const open = await Promise.all([follow({ signal: first.signal }), follow({ signal: first.signal })]);
      expect(open.map(({ status }) => status)).toEqual([200, 200]);
      // The limit includes waiting responses, so this request immediately gets 202.
      const waiting = await compute('operator', 'followed', '?wait=true');
      expect([waiting.status, await waiting.json()]).toMatchObject([202, { run_id: id, joined: true }]);
      const refused = await follow();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({
        detail: expect.stringMatching(/^2 event streams or waiting calls are open/),
      });
      expect((await follow({ method: 'HEAD' })).status).toBe(200);
      first.abort();
      await expect.poll(async () => (await follow({ method: 'HEAD' })).status).toBe(200);
      const later = new AbortController();
      onTestFinished(() => later.abort());
      await expect.poll(async () => (await follow({ signal: later.signal })).status).toBe(200);
    });

    defineCase(target, 'a stream that ended no longer counts', async () => {
      const { ask, compute } = limited;
      const { run_id: id } = (await (await compute('other', 'ended')).json()) as { run_id: string };
      await ask('other', `/api/v1/runs/${id}/cancel/`, { method: 'POST' });
      for (let round = 0; round < 2 * LIMITS.eventStreams; round += 1) {
        const answer = await ask('other', `/api/v1/runs/${id}/events/`);
        expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"state":"failed"')]);
      }
    });
  });
}

async function start(target: HttpTarget): Promise<Limited> {
  const service = await createSampleService({ pipelines: [outlinePipeline], limits: LIMITS });
  const host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
  const tokens = new Map<string, Promise<string>>();
  const signIn = async (user: keyof typeof SAMPLE_USERS): Promise<string> => {
    const answer = await fetch(`${host.url}/api/v1/auth/login/`, jsonInit(SAMPLE_USERS[user]));
    return ((await answer.json()) as { access: string }).access;
  };
  const ask: Limited['ask'] = async (user, path, init = {}) => {
    const token = tokens.get(user) ?? signIn(user);
    tokens.set(user, token);
    const headers = { ...init.headers, authorization: `Bearer ${await token}` };
    return fetch(host.url + path, { ...init, headers });
  };
  const compute: Limited['compute'] = (user, label, query = '') =>
    ask(user, `/api/v1/generate_outline_layer/${query}`, jsonInit({ ...BODY, label }));
  return { host, service, ask, compute };
}
