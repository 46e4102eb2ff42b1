import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, assert, beforeAll, describe, expect, it } from 'vitest';
import { workflowFilesCommand } from './workflow-command.ts';
import { missingWorkflow, runWorkflowTask } from './workflow-task.fixture.ts';

const missing = missingWorkflow('the workflow of deploy/airflow');

const REGION = { region: [78.5, 17.48, 78.52, 17.5], year: 2022 };
const SUCCESS = '{"status":"success"}';
/** Constants in seconds. With the workflow's own values, the tests would take too long. */
const QUICK = { PAUSE_SECONDS: 0.05, HELD_SECONDS: 0.3 };
const PATIENCE = { HEADWATER_PATIENCE_SECONDS: '0.6' };
const HELD_MS = 1000;

type Behaviour = RequestListener;

const answers =
  (status: number, body: string, afterMs = 0): Behaviour =>
  (_request, response) =>
    void pause(afterMs).then(() => response.writeHead(status, { 'content-type': 'application/json' }).end(body));
const breaks =
  (afterMs: number): Behaviour =>
  (request) =>
    void pause(afterMs).then(() => request.socket.destroy());
const noResponse: Behaviour = () => {};

describe.skipIf(missing !== undefined)('the workflow of deploy/airflow', () => {
  let workflows: string;
  let server: Server;
  let bodies: unknown[];
  beforeAll(async () => {
    workflows = await mkdtemp(join(tmpdir(), 'headwater-workflow-'));
    const service = 'http://headwater.test';
    await workflowFilesCommand(['--out', workflows, '--service', service], { service: undefined, print: () => {} });
  });
  afterAll(() => rm(workflows, { recursive: true }));
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function listen(...behaviours: readonly Behaviour[]): Promise<string> {
    bodies = [];
    server = createServer((request, response) => {
      void text(request).then((body) => {
        const sent: unknown = body === '' ? request.url : JSON.parse(body);
        const behaviour = behaviours[Math.min(bodies.push(sent), behaviours.length) - 1];
        assert(behaviour !== undefined);
        return behaviour(request, response);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert(address !== null && typeof address === 'object');
    return `http://127.0.0.1:${address.port}`;
  }

  const call = (
    base: string,
    conf: Readonly<Record<string, unknown>> = REGION,
    more: Readonly<Record<string, string>> = {},
  ): Promise<unknown> => {
    const env = { HEADWATER_WORKFLOWS: workflows, SERVICE_API_BASE: base, ...PATIENCE, ...more };
    return runWorkflowTask({ task: 'call_service', conf, runId: 'r1', env, constants: QUICK });
  };

  it.each([
    ['a region and a year', REGION, REGION],
    [
      'the sides of a region',
      { west: 1, south: 2, east: 3, north: 4, year: 2022 },
      { region: [1, 2, 3, 4], year: 2022 },
    ],
    [
      'the sides of a region, and a blank region',
      { region: ' ', west: 1, south: 2, east: 3, north: 4, year: 2022 },
      { region: [1, 2, 3, 4], year: 2022 },
    ],
    ['a scheme as text', { ...REGION, base_scheme: " 'IndiaSAT' " }, { ...REGION, base_scheme: " 'IndiaSAT' " }],
    ['unknown keys', { ...REGION, further: { nested: 1 }, wait: false }, REGION],
  ])('computes land cover for a conf that names no pipeline and has %s', async (_what, conf, body) => {
    const base = await listen(answers(200, SUCCESS));
    expect(await call(base, conf)).toEqual({ status: 'success' });
    expect(bodies).toEqual([{ ...body, execution_id: 'r1' }]);
  });

  it('sends the region with the token, in case the token is no longer valid', async () => {
    const conf = { ...REGION, base_scheme: 'indiasat', pipeline: 'lulc_for_tehsil', job_id: 'j', run_token: 't' };
    await call(await listen(answers(200, SUCCESS)), { ...conf, start_year: null, private: 1 });
    const { pipeline: _, ...sent } = conf;
    expect(bodies).toEqual([{ ...sent, execution_id: 'r1' }]);
  });

  it('reports a base_scheme that no algorithm has', async () => {
    const response = call(await listen(noResponse), { ...REGION, base_scheme: 'other' });
    await expect(response).rejects.toThrow(
      /conf.pipeline: is missing, and no algorithm computes regions by the scheme 'other'; algorithms in the workflow files:/,
    );
    expect(bodies).toEqual([]);
  });

  it.each([
    ['breaks', breaks(HELD_MS)],
    ['is answered with 503 because the service stops', answers(503, '{"status":"error"}', HELD_MS)],
  ])('retries a call that takes longer than the patience and then %s', async (_how, behaviour) => {
    const base = await listen(behaviour, breaks(0), behaviour, breaks(0), answers(200, SUCCESS));
    expect(await call(base)).toEqual({ status: 'success' });
    expect(bodies).toHaveLength(5);
  });

  it('retries a call that got no response', async () => {
    const base = await listen(noResponse, noResponse, noResponse, answers(200, SUCCESS));
    expect(await call(base, REGION, { HEADWATER_CALL_SECONDS: '0.4' })).toEqual({ status: 'success' });
    expect(bodies).toHaveLength(4);
  });

  it.each([
    ['accepts calls and drops them immediately', breaks(0), /the connection to .* broke: /],
    ['is behind a gateway that gets no response', answers(504, '<html>', 400), /returned 504: <html>$/],
    ['answers that it is unavailable', answers(503, '{"detail":"starting"}'), /returned 503: starting$/],
  ])('stops calling a service that %s', async (_what, behaviour, reason) => {
    await expect(call(await listen(behaviour))).rejects.toThrow(reason);
    expect(bodies.length).toBeGreaterThan(1);
  });

  it('waits for a place in a full queue for as long as Retry-After demands', async () => {
    const at: number[] = [];
    const queueIsFull: Behaviour = (_request, response) => {
      at.push(performance.now());
      response.writeHead(429, { 'retry-after': '1' }).end('{"status":"error","detail":"2 runs wait"}');
    };
    const succeeds: Behaviour = (request, response) => {
      at.push(performance.now());
      answers(200, SUCCESS)(request, response);
    };
    const base = await listen(queueIsFull, queueIsFull, succeeds);
    expect(await call(base, REGION, { HEADWATER_PATIENCE_SECONDS: '30' })).toEqual({ status: 'success' });
    const [first = 0, second = 0, third = 0] = at;
    expect(Math.min(second - first, third - second)).toBeGreaterThan(950);
  });

  const SUBMITTED = '{"status":"submitted","state":"SUBMITTED","task_id":"0190a-7","done":false}';
  const PENDING = '{"status":"running","state":"RUNNING","task_id":"0190a-7","done":false}';

  it('if the service returns a task instead of waiting, requests the state of this task until the task ends', async () => {
    const ended = '{"status":"success","task_id":"0190a-7","done":true,"stac_items":[]}';
    const base = await listen(
      answers(202, SUBMITTED),
      answers(200, PENDING),
      breaks(0),
      answers(200, PENDING),
      answers(200, ended),
    );
    expect(await call(base)).toEqual(JSON.parse(ended));
    const statusPath = '/api/export-status?task_id=0190a-7';
    expect(bodies.slice(1)).toEqual([statusPath, statusPath, statusPath, statusPath]);
  });

  it('fails with the reason of a task that failed', async () => {
    const failed = '{"status":"failed","task_id":"0190a-7","done":true,"error":"no scenes"}';
    const base = await listen(answers(202, SUBMITTED), answers(200, failed));
    await expect(call(base)).rejects.toThrow(/no scenes$/);
  });

  it('stops calling if the queue stays full', async () => {
    const queueIsFull: Behaviour = (_request, response) => void response.writeHead(429).end('{"detail":"2 runs wait"}');
    await expect(call(await listen(queueIsFull))).rejects.toThrow(/returned 429: 2 runs wait$/);
    expect(bodies.length).toBeGreaterThan(1);
  });

  it('reports a service that cannot be reached', async () => {
    const base = await listen(noResponse);
    server.close();
    await once(server, 'close');
    await expect(call(base)).rejects.toThrow(/cannot be reached from this worker: .*refused/);
  });

  it.each(['headwater:8000', 'ftp://headwater:8000', 'http://', '/'])(
    'refuses the address %s immediately',
    async (base) => {
      await listen(noResponse);
      await expect(call(base)).rejects.toThrow(
        /SERVICE_API_BASE: .* is not an http or https address; write it as http:/,
      );
    },
  );

  it('does not retry a run that the service reports as failed', async () => {
    const failed = JSON.stringify({ status: 'failed', code: 'unavailable', detail: 'the scenes do not respond' });
    await expect(call(await listen(answers(503, failed)))).rejects.toThrow(/returned 503: the scenes do not respond$/);
    expect(bodies).toHaveLength(1);
  });

  it.each(['soon', '0', '-1', 'nan', 'inf'])('refuses a patience of %s', async (HEADWATER_PATIENCE_SECONDS) => {
    await expect(call(await listen(noResponse), REGION, { HEADWATER_PATIENCE_SECONDS })).rejects.toThrow(
      /HEADWATER_PATIENCE_SECONDS: '.*' is not a number of seconds; set one above 0/,
    );
  });

  it('refuses two folders with the same algorithm', async () => {
    const twice = await mkdtemp(join(tmpdir(), 'headwater-twice-'));
    for (const name of ['new', 'old'])
      await cp(join(workflows, 'lulc_for_tehsil'), join(twice, name), { recursive: true });
    const base = await listen(answers(200, SUCCESS));
    await expect(call(base, REGION, { HEADWATER_WORKFLOWS: twice })).rejects.toThrow(
      /the algorithm lulc_for_tehsil is in .*new and in .*old; remove one of them/,
    );
    expect(bodies).toEqual([]);
    await rm(twice, { recursive: true });
  });
});
