import { createServer } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { isOrchestratorError, type OrchestratorError, type RunHandle } from '@headwater/orchestrator-client';
import { afterAll, assert, beforeAll, describe, expect, it } from 'vitest';
import { workflowFilesCommand } from '../packages/server/src/algorithms/workflow-command.ts';
import type { AirflowTarget } from './airflow-target.fixture.ts';

interface RecordingService {
  readonly url: string;
  readonly bodies: unknown[];
  answer: { readonly status: number; readonly body: string };
  close(): Promise<void>;
}

async function listen(): Promise<RecordingService> {
  const recorded: Pick<RecordingService, 'bodies' | 'answer'> = { bodies: [], answer: { status: 200, body: '{}' } };
  const server = createServer((request, response) => {
    const answer = (body: string): unknown => {
      recorded.bodies.push({ path: request.url, body: JSON.parse(body) });
      return response
        .writeHead(recorded.answer.status, { 'content-type': 'application/json' })
        .end(recorded.answer.body);
    };
    void text(request).then(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  const close = async (): Promise<void> => {
    server.close();
    await once(server, 'close');
  };
  return Object.assign(recorded, { url: `http://127.0.0.1:${address.port}`, close });
}

const RUN_MS = 120_000;
const CONF = { state: 'Nadi', district: 'East', block: 'Jal', start_year: 2022, end_year: 2022, eo_account_id: 1 };

/** Test cases of the workflow of deploy/airflow, with a recording server instead of Headwater. */
export function describeWorkflow(name: string, open: () => Promise<AirflowTarget>): void {
  describe(name, () => {
    workflowCases(open);
  });
}

function workflowCases(open: () => Promise<AirflowTarget>): void {
  let target: AirflowTarget;
  let service: RecordingService;
  beforeAll(async () => {
    target = await open();
    service = await listen();
    // Only 3 s, because the workflow retries requests with the response 503 for this time.
    await target.setPatience(3);
    const print = (): void => {};
    const image = ['--mode', 'container', '--image', 'registry.example/headwater:0.2.0'];
    const to = ['--out', target.workflows, '--service', service.url];
    await workflowFilesCommand([...to, '--pipeline', 'lulc_for_tehsil'], { service: undefined, print });
    await workflowFilesCommand([...to, '--pipeline', 'stream_order', ...image], { service: undefined, print });
  });
  afterAll(async () => {
    await target.setPatience(undefined);
    await service.close();
    await target.close();
  });

  const start = (conf: Readonly<Record<string, unknown>>): Promise<RunHandle> =>
    target.client.trigger(target.dagId, conf);
  const failure = async (run: RunHandle): Promise<OrchestratorError<'run_failed'>> => {
    const error: unknown = await run.wait().catch((each: unknown) => each);
    assert(isOrchestratorError(error, 'run_failed'), String(error));
    return error;
  };

  it('is imported without an error, and is not paused', async () => {
    const faults = await target.client.importErrors();
    expect(faults.filter(({ filename }) => !filename.endsWith('broken.py'))).toEqual([]);
    expect(await target.client.dag(target.dagId)).toMatchObject({ isPaused: false });
  });

  it('calls the service with the declared parameters and returns its response', { timeout: RUN_MS }, async () => {
    service.answer = { status: 200, body: JSON.stringify({ status: 'success', stac_items: [], n: 1 }) };
    const keys = { job_id: 'a1', run_token: 'secret' };
    const run = await start({ pipeline: 'lulc_for_tehsil', ...CONF, ...keys, private: 'not declared', nothing: null });
    await run.wait();
    expect(service.bodies).toEqual([
      { path: '/api/export-asset', body: { ...CONF, ...keys, execution_id: run.runId } },
    ]);
    expect(await run.result({ taskId: 'call_service' })).toEqual({ status: 'success', stac_items: [], n: 1 });
  });

  it(
    'runs a job: sends the parameters of the job to export-asset, and the result to the job',
    { timeout: RUN_MS },
    async () => {
      service.answer = { status: 200, body: JSON.stringify({ status: 'success', n: 2 }) };
      const params = { region: [1, 2, 3, 4], year: 2021 };
      const run = await start({ op: 'export', params, run_id: 'a-job', api_base: service.url });
      await run.wait();
      expect(service.bodies.slice(-2)).toEqual([
        { path: '/api/export-asset', body: params },
        { path: '/api/jobs/a-job/result', body: { ok: true, result: { status: 'success', n: 2 } } },
      ]);
      expect(await run.result({ taskId: 'do_job' })).toEqual({ run_id: 'a-job', ok: true });
    },
  );

  it.each([
    [503, '{"detail":"the service is starting"}', /ServiceError: http:.* returned 503: the service is starting$/],
    [400, '{"error":"block: is missing"}', /ServiceError: .* returned 400: block: is missing$/],
    [200, '{"status":"failed","message":"no scenes"}', /ServiceError: .* did not succeed: no scenes$/],
    [200, '<html>', /ServiceError: .* did not return a JSON object: check that SERVICE_API_BASE/],
  ])('fails with the message of the response, status %d: %s', { timeout: RUN_MS }, async (status, body, reason) => {
    service.answer = { status, body };
    const error = await failure(await start({ pipeline: 'lulc_for_tehsil', ...CONF }));
    expect(error.details).toMatchObject({ reason: expect.stringMatching(reason), task: { taskId: 'call_service' } });
  });

  it('names an unknown algorithm', { timeout: RUN_MS }, async () => {
    const error = await failure(await start({ pipeline: "no'thing" }));
    expect(error.details.reason).toMatch(
      /AirflowFailException: conf.pipeline: is "no'thing", which is not known; .*lulc_for_tehsil/,
    );
  });

  it('runs the container shim and reports its last log line', { timeout: RUN_MS }, async () => {
    const error = await failure(await start({ pipeline: 'stream_order', state: '$(id)', run_token: 'secret' }));
    expect(error.details).toMatchObject({
      task: { taskId: 'run_container' },
      reason: expect.stringMatching(/^headwater.UsageError: DATA_DIR: it contains no database/),
    });
  });
}
