import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { writePlace } from '@headwater/ingest';
import { afterAll, assert, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from './server-process.ts';
import { smallPlace } from '../packages/server/src/small-world.fixture.ts';

const CASE_MS = 120_000;
const REGION = ['--region', '[85,24,85.02,24.02]'];
const OF_2021 = [...REGION, '--year', '2021'];
const PLACE = ['--state', 'Virtapradesh', '--district', 'Nirmalgarh', '--block', 'Rampur', '--eo_account_id', '1'];

describe('a posted result', () => {
  let dataDir: string;
  /** Server that accepts posted results; all other responses have the status `filesStatus`. */
  let service: Server;
  let url: string;
  let filesStatus = 200;
  const posted: unknown[] = [];
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'headwater-posted-'));
    await writePlace(join(dataDir, 'places', 'rampur'), smallPlace('Rampur'));
    service = createServer((request, response) => {
      const take = (body: string): unknown => {
        posted.push(JSON.parse(body));
        return response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      };
      if (request.method === 'POST') void text(request).then(take);
      else response.writeHead(filesStatus).end('x');
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const address = service.address();
    assert(address !== null && typeof address === 'object');
    url = `http://127.0.0.1:${address.port}`;
  });
  afterAll(async () => {
    service.closeAllConnections();
    service.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const ended = async (args: readonly string[], env: Readonly<Record<string, string>> = { PUBLIC_BASE_URL: url }) => {
    posted.length = 0;
    const all = ['run-algorithm', 'generate_mws_layer', '--job_id', 'j1', '--post', url, ...PLACE, ...args];
    const { code, output } = await runCommand({ dataDir, env, args: all });
    return { code, output, last: output.trim().split('\n').at(-1) };
  };

  it('is posted as a success if clients can fetch its files', { timeout: CASE_MS }, async () => {
    filesStatus = 200;
    const { code, output } = await ended([]);
    expect([code, output]).toEqual([0, expect.stringContaining('the result of job j1 is posted')]);
    expect(posted).toMatchObject([{ ok: true, result: { status: 'success' } }]);
  });

  it(
    'is replaced by a failure if clients cannot fetch its files; the failure names the folder to mount',
    { timeout: CASE_MS },
    async () => {
      filesStatus = 404;
      const { code, last, output } = await ended([]);
      const reason =
        /asset data of Item \S+ cannot be fetched: http.* answers with 404\. .*Mount the service's DATA_DIR and set DB_HOST/;
      expect([code, last]).toEqual([1, expect.stringMatching(reason)]);
      expect(output).not.toContain('RESULT_JSON_START');
      expect(posted).toEqual([{ ok: false, error: expect.stringMatching(reason) }]);
    },
  );

  it.each([
    { what: 'an unknown scheme', args: [...OF_2021, '--base_scheme', 'nope'], env: {}, reason: /base_scheme: .*nope/ },
    {
      what: 'a region larger than the limit of the service',
      args: OF_2021,
      env: { WORK_SERVICE_MAX_KM2: '1' },
      reason: /region: .*1 km2/,
    },
    { what: 'an impossible year', args: [...REGION, '--year', '1900'], env: {}, reason: /year: / },
  ])('is a failure for $what; nothing is computed', { timeout: CASE_MS }, async ({ args, env, reason }) => {
    const all = ['run-algorithm', 'lulc_for_tehsil', '--job_id', 'j1', '--post', url, ...args];
    posted.length = 0;
    const { code, output } = await runCommand({ dataDir, env: { PUBLIC_BASE_URL: url, ...env }, args: all });
    expect([code, output]).toEqual([1, expect.stringMatching(reason)]);
    expect(output).not.toContain('begins');
    expect(posted).toEqual([{ ok: false, error: expect.stringMatching(reason) }]);
  });

  it.each([
    {
      which: 'of a run of the service',
      args: ['--run_token', 'secret'],
      env: undefined,
      reason:
        /^headwater.UsageError: DATA_DIR: run j1 must be published in the database and the data folder of its service, and this process has neither. Mount/,
    },
    {
      which: 'without an address for its files',
      args: [],
      env: {},
      reason: /^headwater.UsageError: PUBLIC_BASE_URL: is not set, .*mount the service's DATA_DIR and set DB_HOST/,
    },
  ])('$which is refused, and nothing is computed', { timeout: CASE_MS }, async ({ args, env, reason }) => {
    const { code, last, output } = await ended(args, env);
    expect([code, last]).toEqual([2, expect.stringMatching(reason)]);
    expect(output).not.toContain('begins');
    expect(posted).toEqual([]);
  });
});
