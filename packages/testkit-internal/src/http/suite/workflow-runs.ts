import { DomainError, invalidField } from '@headwater/core';
import type { Workflow, WorkflowFailure, WorkflowRun } from '@headwater/core/runs';
import type { Headwater, HeadwaterOptions } from '@headwater/http-service';
import { describe, expect, onTestFinished } from 'vitest';
import { createSampleService, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, jsonInit } from './harness.ts';

const RUN = '/api/dag/run';
const STATUS = '/api/dag/status';
const CONF = { conf: { year: 2021, further: [1] } };

/** Fake workflow. A run ends when a test case sets the state. */
class HeldWorkflow implements Workflow {
  readonly runs = new Map<string, WorkflowRun['state']>();
  /** `conf` of each started run. */
  readonly confs: unknown[] = [];
  /** If set, `run` and `failure` throw this error. A call of `run` also removes the error. */
  refuse: DomainError | undefined;
  /** Called while a run is being started. */
  starting: () => Promise<void> = async () => {};

  async run(conf: Readonly<Record<string, unknown>>): Promise<WorkflowRun> {
    const { refuse } = this;
    this.refuse = undefined;
    if (refuse !== undefined) throw refuse;
    const dagRunId = `manual__2026-01-01T00:00:0${this.runs.size}+00:00`;
    this.runs.set(dagRunId, 'queued');
    this.confs.push(conf);
    await this.starting();
    return { dagRunId, state: 'queued' };
  }

  async status(dagRunId: string): Promise<WorkflowRun> {
    // `~` is an example of an id with a special meaning in addresses.
    if (dagRunId === '~') throw invalidField('runId', 'has a meaning of its own in addresses; give an id');
    const state = this.runs.get(dagRunId);
    if (state === undefined) throw new DomainError('not_found', 'There is no such run.');
    return { dagRunId, state };
  }

  async failure(dagRunId: string): Promise<WorkflowFailure | undefined> {
    if (this.refuse !== undefined) throw this.refuse;
    return this.runs.get(dagRunId) === 'failed'
      ? { task: 'execute', reason: 'KeyError: pipeline', excerpt: 'Traceback: it is not there' }
      : undefined;
  }
}

interface Started {
  readonly service: Headwater;
  readonly workflow: HeldWorkflow;
  readonly url: string;
  readonly ask: (path: string, init?: RequestInit) => Promise<Answer>;
  readonly run: (headers?: Readonly<Record<string, string>>) => Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

async function start(target: HttpTarget, options: Partial<HeadwaterOptions>): Promise<Started> {
  const workflow = new HeldWorkflow();
  const service = await createSampleService({
    compute: { backend: () => ({ name: 'orchestrator', start: () => {}, stop: async () => {}, workflow }) },
    ...options,
  });
  await service.start();
  const host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
  onTestFinished(async () => {
    await service.close();
    await host.close();
  });
  const ask: Started['ask'] = async (path, init) => {
    const answer = await fetch(host.url + path, init);
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer['body'] };
  };
  return { service, workflow, url: host.url, ask, run: (headers = {}) => ask(RUN, jsonInit(CONF, headers)) };
}

/** Test cases of the orchestrator's workflow: permissions and limits. */
export function workflowRunCases(target: HttpTarget): void {
  describe('access to the workflow', () => {
    const PASSWORD = 'tall-river-42';
    const tokensOf = async ({ ask }: Started, user: { readonly username: string; readonly password: string }) => {
      const { body } = await ask('/api/v1/auth/login/', jsonInit(user));
      return { access: String(body['access']), refresh: String(body['refresh']) };
    };
    const reader = async (started: Started) => {
      const username = 'asha';
      const newcomer = { username, email: 'asha@example.org', password: PASSWORD, password_confirm: PASSWORD };
      expect((await started.ask('/api/v1/auth/register/', jsonInit(newcomer))).status).toBe(201);
      return await tokensOf(started, { username, password: PASSWORD });
    };
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

    const PASSED_ON = { 'x-forwarded-for': '203.0.113.9' };

    defineCase(target, 'is by default open to private addresses and signed-in users', async () => {
      const started = await start(target, {});
      expect((await started.run()).status).toBe(200);
      expect((await started.run(bearer('nonsense'))).status).toBe(200);
      const refused = await started.run(PASSED_ON);
      expect([refused.status, refused.body['detail']]).toEqual([401, expect.stringMatching(/Authorization: Bearer/)]);
      expect((await started.ask(`${STATUS}?run_id=x`, { headers: PASSED_ON })).status).toBe(401);
      expect((await started.run({ ...PASSED_ON, ...bearer('nonsense') })).status).toBe(401);
      const { access } = await reader(started);
      const owner = await tokensOf(started, SAMPLE_USERS.owner);
      for (const token of [access, owner.access])
        expect((await started.run({ ...PASSED_ON, ...bearer(token) })).status).toBe(200);
      expect(started.workflow.runs.size).toBe(4);
    });

    defineCase(target, 'is by default closed to pages of other sites, and open to pages of the service', async () => {
      const started = await start(target, {
        corsOrigins: ['https://maps.example.org'],
        workService: { perAddress: 9 },
      });
      const { access } = await reader(started);
      for (const credentials of [{}, bearer(access)]) {
        for (const foreign of [{ origin: 'https://elsewhere.example' }, { 'sec-fetch-site': 'cross-site' }])
          expect((await started.run({ ...foreign, ...credentials })).status).toBe(403);
        for (const origin of [started.url, 'http://headwater.example', 'https://maps.example.org'])
          expect([origin, (await started.run({ origin, ...credentials })).status]).toEqual([origin, 200]);
      }
      expect(started.workflow.runs.size).toBe(6);
    });

    defineCase(target, 'can be opened to all callers, and can be restricted', async () => {
      const open = await start(target, { workService: { workflowAccess: 'public' } });
      expect((await open.run(PASSED_ON)).status).toBe(200);
      expect((await open.run({ ...PASSED_ON, ...bearer('nonsense') })).status).toBe(200);
      for (const workflowAccess of ['bearer', 'session'] as const) {
        const closed = await start(target, { workService: { workflowAccess } });
        expect([(await closed.run()).status, (await closed.ask(`${STATUS}?run_id=x`)).status]).toEqual([401, 401]);
        expect(closed.workflow.runs.size).toBe(0);
      }
    });

    defineCase(target, 'with `bearer` requires an account that may compute', async () => {
      const started = await start(target, { workService: { workflowAccess: 'bearer' } });
      const refused = await started.run(bearer((await reader(started)).access));
      expect([refused.status, refused.body['code']]).toEqual([403, 'computing_not_allowed']);
      expect((await started.run(bearer((await tokensOf(started, SAMPLE_USERS.owner)).access))).status).toBe(200);
    });

    defineCase(target, 'with `session` requires a signed-in user, until the session ends', async () => {
      const started = await start(target, { workService: { workflowAccess: 'session' } });
      const { access, refresh } = await reader(started);
      const run = await started.run(bearer(access));
      expect(run.status).toBe(200);
      const path = `${STATUS}?run_id=${encodeURIComponent(String(run.body['dag_run_id']))}`;
      expect((await started.ask(path, { headers: bearer(access) })).status).toBe(200);
      const leave = { method: 'POST', ...jsonInit({ refresh_token: refresh }, bearer(access)) };
      expect((await started.ask('/api/v1/auth/logout/', leave)).status).toBe(200);
      expect([(await started.run(bearer(access))).status, started.workflow.runs.size]).toEqual([401, 1]);
    });

    defineCase(target, 'with `session` accepts no other credentials', async () => {
      const secret = 'a shared secret of some length';
      const started = await start(target, { workService: { workflowAccess: 'session', secret } });
      const { access, refresh } = await tokensOf(started, SAMPLE_USERS.owner);
      const { body } = await started.ask('/api/v1/generate_api_key/', jsonInit({}, bearer(access)));
      const key = (body['data'] as { readonly api_key: string }).api_key;
      const others: readonly Readonly<Record<string, string>>[] = [
        bearer(secret),
        { 'x-work-service-secret': secret },
        bearer(key),
        { 'x-api-key': key },
        bearer(refresh),
        { cookie: `session=${access}; sessionid=${access}` },
      ];
      for (const headers of others) expect([headers, (await started.run(headers)).status]).toEqual([headers, 401]);
      expect(started.workflow.runs.size).toBe(0);
    });
  });

  describe('runs of the workflow', () => {
    const few = { workService: { workflowRuns: 2, lookMs: 10 } };
    const statuses = (answers: readonly Answer[]): readonly number[] =>
      answers.map(({ status }) => status).toSorted((a, b) => a - b);

    defineCase(
      target,
      'are refused above the limit of unfinished runs, also if they arrive at the same time',
      async () => {
        const { workflow, run } = await start(target, few);
        const answers = await Promise.all([run(), run(), run(), run(), run()]);
        expect([statuses(answers), workflow.runs.size]).toEqual([[200, 200, 429, 429, 429], 2]);
        const refused = answers.find(({ status }) => status === 429);
        expect(refused?.body).toMatchObject({
          status: 'error',
          code: 'throttled',
          detail: expect.stringContaining('2'),
        });
        expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      },
    );

    defineCase(target, 'are limited to five per address; runs of accounts that may compute do not count', async () => {
      const { ask, run, workflow } = await start(target, { workService: { lookMs: 3_600_000 } });
      const answers = await Promise.all(Array.from({ length: 7 }, () => run()));
      expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 429, 429]);
      const { body } = await ask('/api/v1/auth/login/', jsonInit(SAMPLE_USERS.owner));
      const own = { authorization: `Bearer ${String(body['access'])}` };
      for (let at = 0; at < 6; at += 1) expect((await run(own)).status).toBe(200);
      workflow.runs.set(String(answers.find(({ status }) => status === 200)?.body['dag_run_id']), 'success');
      expect((await run()).status).toBe(429);
    });

    defineCase(target, 'are refused if their `conf` has members that are not in the list of the operator', async () => {
      const { ask, workflow } = await start(target, { workService: { confMembers: ['region', 'year'] } });
      const refused = await ask(RUN, jsonInit({ conf: { year: 2021, api_base: 'http://x', further: [1] } }));
      expect([refused.status, Object.keys(refused.body['errors'] ?? {})]).toEqual([400, ['api_base', 'further']]);
      expect(refused.body['detail']).toMatch(/only the members region, year;/);
      expect(workflow.runs.size).toBe(0);
      expect((await ask(RUN, jsonInit({ year: 2021 }))).status).toBe(200);
    });

    defineCase(target, 'take their parameters from the body if `conf` is null or empty', async () => {
      const { ask, workflow } = await start(target, { workService: { workflowRuns: 9 } });
      const bodies = [{ conf: null }, { conf: {} }, { conf: {}, year: 2021 }, { conf: { year: 2020 }, year: 2021 }];
      for (const body of bodies) expect((await ask(RUN, jsonInit(body))).status).toBe(200);
      expect(workflow.confs).toEqual([{}, {}, { year: 2021 }, { year: 2020 }]);
      const refused = await ask(RUN, jsonInit({ conf: null, year: 'soon' }));
      expect([refused.status, refused.body['detail']]).toEqual([400, expect.stringMatching(/year/)]);
    });

    defineCase(target, 'release their place when they end, without a status request', async () => {
      const { workflow, run } = await start(target, few);
      const [first] = [await run(), await run()];
      expect((await run()).status).toBe(429);
      workflow.runs.set(String(first?.body['dag_run_id']), 'failed');
      await expect.poll(async () => (await run()).status).toBe(200);
      expect([(await run()).status, workflow.runs.size]).toEqual([429, 3]);
    });

    defineCase(target, 'release their place immediately when a status request finds that they have ended', async () => {
      const { workflow, ask, run } = await start(target, { workService: { workflowRuns: 1, lookMs: 3_600_000 } });
      const id = String((await run()).body['dag_run_id']);
      const statusOf = () => ask(`${STATUS}?run_id=${encodeURIComponent(id)}`);
      expect([(await statusOf()).body['done'], (await run()).status]).toEqual([false, 429]);
      workflow.runs.set(id, 'success');
      expect((await statusOf()).body).toEqual({ dag_run_id: id, state: 'success', done: true, success: true });
      expect([(await run()).status, (await run()).status]).toEqual([200, 429]);
    });

    defineCase(target, 'release their place if starting fails, and keep it if the caller disconnects', async () => {
      const { workflow, run, ask } = await start(target, { workService: { workflowRuns: 1, lookMs: 3_600_000 } });
      workflow.refuse = new DomainError('upstream_failed', 'The workflow is not there.');
      expect((await run()).status).toBe(502);
      const left = new AbortController();
      const begun = new Promise<void>((resolve) => {
        workflow.starting = async () => resolve();
      });
      const leaving = ask(RUN, { ...jsonInit(CONF), signal: left.signal }).catch(() => 'left');
      await begun;
      left.abort();
      await leaving;
      expect([(await run()).status, workflow.runs.size]).toEqual([429, 1]);
    });

    defineCase(target, 'keep their place if it is unknown whether they were started', async () => {
      const { workflow, run } = await start(target, { workService: { workflowRuns: 1, lookMs: 10 } });
      workflow.refuse = new DomainError('upstream_timeout', 'The orchestrator did not answer.');
      expect([(await run()).status, (await run()).status]).toEqual([504, 429]);
    });

    defineCase(target, 'report their error, also if its cause is unknown', async () => {
      const { workflow, ask, run } = await start(target, { workService: { lookMs: 3_600_000 } });
      const id = String((await run()).body['dag_run_id']);
      const statusOf = () => ask(`${STATUS}?run_id=${encodeURIComponent(id)}`);
      workflow.runs.set(id, 'failed');
      const failed = { dag_run_id: id, state: 'failed', done: true, success: false };
      expect((await statusOf()).body).toEqual({
        ...failed,
        error: 'Task execute: KeyError: pipeline',
        details: { task: 'execute', excerpt: 'Traceback: it is not there' },
      });
      workflow.refuse = new DomainError('upstream_timeout', 'The orchestrator did not answer.');
      expect((await statusOf()).body).toEqual({
        ...failed,
        error: 'The reason is unknown: The orchestrator did not answer.',
        details: { task: null, excerpt: '' },
      });
    });

    defineCase(
      target,
      'are found by their ids, with an escaped or unescaped plus sign; invalid ids are refused',
      async () => {
        const { run, ask } = await start(target, { workService: { lookMs: 3_600_000 } });
        const id = String((await run()).body['dag_run_id']);
        expect(id).toContain('+00:00');
        for (const written of [id, encodeURIComponent(id), id.replace('+', '%20')])
          expect((await ask(`${STATUS}?run_id=${written}`)).body).toMatchObject({ dag_run_id: id, state: 'queued' });
        for (const bad of ['~', '%7E', '', 'x'.repeat(251), '%00']) {
          const { status, body } = await ask(`${STATUS}?run_id=${bad}`);
          expect([bad, status, Object.keys(body)]).toEqual([bad, 400, expect.arrayContaining(['run_id'])]);
        }
        const unknown = await ask(`${STATUS}?run_id=manual__none`);
        expect([unknown.status, unknown.body['code']]).toEqual([404, 'not_found']);
      },
    );

    defineCase(target, 'are not jobs, so the routes of jobs can neither read nor end them', async () => {
      const { run, ask } = await start(target, { workService: { workflowRuns: 1, lookMs: 3_600_000 } });
      const path = `/api/jobs/${encodeURIComponent(String((await run()).body['dag_run_id']))}`;
      const ended = await ask(`${path}/result`, jsonInit({ ok: false, error: 'mine' }));
      expect([(await ask(path)).status, ended.status, (await run()).status]).toEqual([404, 404, 429]);
    });
  });
}
