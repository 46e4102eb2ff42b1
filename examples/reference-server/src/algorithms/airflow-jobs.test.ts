import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, assert, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Ended, missingPython, python, SHIM_HOME } from './python.fixture.ts';

// The task of deploy/airflow/headwater_dag.py that does jobs, called as Airflow calls it; `npm run test:airflow` runs it on a real one.

const missing = missingPython();
if (missing !== undefined) console.warn(`skipped: jobs of the workflow: ${missing}`);

/** As much of Airflow and PyYAML as the file names when it is read. */
const MODULES: Readonly<Record<string, string>> = {
  'airflow/__init__.py': `
class DAG:
    def __init__(self, *_, **__): pass
    def __enter__(self): return self
    def __exit__(self, *_): return False
`,
  'airflow/models.py': `
class Variable:
    get = staticmethod(lambda name, default: default)
`,
  'airflow/exceptions.py': 'class AirflowFailException(Exception): pass',
  'airflow/operators/__init__.py': `
class Operator:
    def __init__(self, **_): pass
    def __rshift__(self, other): return other
`,
  'airflow/operators/bash.py': 'from airflow.operators import Operator as BashOperator',
  'airflow/operators/python.py': `
from airflow.operators import Operator as BranchPythonOperator
from airflow.operators import Operator as PythonOperator
`,
  'yaml.py': `
class SafeLoader:
    add_multi_constructor = classmethod(lambda *_: None)
`,
};

const TASK = `
import json, os, types
import headwater_dag
context = {"dag_run": types.SimpleNamespace(conf=json.loads(os.environ["CONF"])), "run_id": "manual__1"}
print("branch", headwater_dag.choose_mode(**context))
print("returned", json.dumps(headwater_dag.do_job(**context)))
`;

const ID = '0190a000-0000-7000-8000-000000000001';
const PARAMS = { region: '78.5,17.5,78.52,17.52', year: '2021', other: { kept: [1] } };

describe.skipIf(missing !== undefined)('a job of the work service in the workflow for a bare Airflow', () => {
  let modules: string;
  let url: string;
  let called: { readonly path: string | undefined; readonly body: unknown; readonly secret: unknown }[];
  /** Answers by path; 404 for any other. */
  let answers: Record<string, { readonly status: number; readonly body: unknown }>;
  const server = createServer((request, response) => {
    const reply = (body: string): unknown => {
      const { url: path, headers } = request;
      called.push({ path, body: JSON.parse(body), secret: headers['x-work-service-secret'] });
      const answer = answers[path ?? ''] ?? { status: 404, body: { detail: 'not here' } };
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    };
    void text(request).then(reply);
  });
  beforeAll(async () => {
    modules = await mkdtemp(join(tmpdir(), 'headwater-airflow-'));
    for (const [path, source] of Object.entries(MODULES)) {
      await mkdir(dirname(join(modules, path)), { recursive: true });
      await writeFile(join(modules, path), source);
    }
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert(address !== null && typeof address === 'object');
    url = `http://127.0.0.1:${address.port}`;
  });
  afterAll(async () => {
    server.close();
    await rm(modules, { recursive: true });
  });
  beforeEach(() => {
    called = [];
    answers = {
      '/api/export-asset': { status: 200, body: { status: 'success', stac_items: [{ id: 'x' }] } },
      [`/api/jobs/${ID}/result`]: { status: 200, body: { done: true } },
    };
  });

  const task = (conf: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
    python(['-c', TASK], {
      PYTHONPATH: `${SHIM_HOME}:${modules}`,
      HEADWATER_PATIENCE_SECONDS: '0.1',
      CONF: JSON.stringify(conf),
      ...env,
    });
  const job = (): Readonly<Record<string, unknown>> => ({ op: 'export', params: PARAMS, run_id: ID, api_base: url });
  const lastLine = ({ stderr }: Ended): string => stderr.trim().split('\n').at(-1) ?? '';

  it('sends the bare parameters to export-asset and posts the answer', async () => {
    const ended = await task(job());
    expect([ended.code, ended.stdout.split('\n')[0], lastLine(ended)]).toEqual([0, 'branch do_job', '']);
    expect(called).toEqual([
      { path: '/api/export-asset', body: PARAMS, secret: undefined },
      {
        path: `/api/jobs/${ID}/result`,
        body: { ok: true, result: { status: 'success', stac_items: [{ id: 'x' }] } },
        secret: undefined,
      },
    ]);
  });

  it('calls the service where it is told to, with the secret of the service, and not where the conf says', async () => {
    const env = { SERVICE_API_BASE: `${url}/`, WORK_SERVICE_SECRET: 'a shared secret' };
    expect((await task({ ...job(), api_base: 'http://stranger.invalid' }, env)).code).toBe(0);
    expect(called.map(({ path, secret }) => [path, secret])).toEqual([
      ['/api/export-asset', 'a shared secret'],
      [`/api/jobs/${ID}/result`, 'a shared secret'],
    ]);
  });

  it('posts why it failed in the words of the service, and fails', async () => {
    answers['/api/export-asset'] = { status: 422, body: { detail: 'no_scenes: there are none' } };
    const ended = await task(job());
    expect([ended.code, lastLine(ended)]).toEqual([1, expect.stringMatching(/ServiceError: .* 422: no_scenes: there/)]);
    expect(called[1]).toMatchObject({
      path: `/api/jobs/${ID}/result`,
      body: { ok: false, error: expect.stringMatching(/export-asset answered 422: no_scenes: there are none$/) },
    });
  });

  it.each([
    [{ op: 'classify' }, /conf\.op: is 'classify', which is not known; this workflow knows export/],
    [{ params: [1] }, /conf\.params: give an object/],
  ])('of %j, which it cannot do, says so to the service', async (wrong, told) => {
    const ended = await task({ ...job(), ...wrong });
    expect([ended.code, called]).toMatchObject([
      1,
      [{ path: `/api/jobs/${ID}/result`, body: { ok: false, error: expect.stringMatching(told) } }],
    ]);
  });

  it('takes a result that is there already for the one that it posted', async () => {
    answers[`/api/jobs/${ID}/result`] = { status: 409, body: { detail: 'The job has its result already.' } };
    expect((await task(job())).code).toBe(0);
  });

  it('fails where its result is refused', async () => {
    answers[`/api/jobs/${ID}/result`] = { status: 400, body: { detail: 'result.stac_items.0: assets are missing' } };
    const ended = await task(job());
    expect([ended.code, lastLine(ended)]).toEqual([1, expect.stringMatching(/answered 400: .*assets are missing$/)]);
  });

  it.each([
    [{ run_id: '../dag/run' }, /conf\.run_id: '\.\.\/dag\/run' is no id of a job/],
    [{ run_id: null }, /conf\.run_id: None is no id of a job/],
    [{ api_base: null }, /conf\.api_base: is missing, and SERVICE_API_BASE is not set/],
  ])('calls nobody with %j', async (wrong, told) => {
    const ended = await task({ ...job(), ...wrong });
    expect([ended.code, lastLine(ended), called]).toEqual([1, expect.stringMatching(told), []]);
  });
});
