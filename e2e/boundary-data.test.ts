import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listenOnLoopback, type Loopback } from '../scripts/loopback.mjs';
import { runCommand, type ServerProcess, startServerProcess } from './server-process.ts';

/** Timeout of a step, which takes minutes on a busy machine. */
const WAIT_MS = 240_000;
/** While `isSilent` is true, the file server sends the file only up to this position, bytes. */
const SILENT_AT = 8000;

/** A file of boundaries, padded with blanks so that the client receives several chunks. */
const FILE = Buffer.from(
  JSON.stringify({
    type: 'Feature',
    properties: { state: 'Telangana', district: 'Nalgonda', tehsil: 'Munugode' },
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [79, 17],
          [79.1, 17],
          [79.1, 17.1],
          [79, 17.1],
          [79, 17],
        ],
      ],
    },
  }).padEnd(20_000),
);

let dataDir: string;
let upstream: Loopback;
let isSilent = true;
const ranges: (string | undefined)[] = [];
const servers: ServerProcess[] = [];

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (request.url !== '/tehsils.geojson?key=s3cret') return void response.writeHead(404).end();
  const { range } = request.headers;
  ranges.push(range);
  const from = Number(/\d+/.exec(range ?? '')?.[0] ?? 0);
  const headers = { etag: '"one"', 'content-length': FILE.length - from };
  const span = { 'content-range': `bytes ${from}-${FILE.length - 1}/${FILE.length}` };
  response.writeHead(from === 0 ? 200 : 206, from === 0 ? headers : { ...headers, ...span });
  if (isSilent) response.write(FILE.subarray(from, SILENT_AT));
  else response.end(FILE.subarray(from));
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-boundaries-'));
  upstream = await listenOnLoopback(answer);
});
afterAll(async () => {
  for (const server of servers) await server.stop('SIGKILL');
  await upstream.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

const env = () => ({ BOUNDARY_DATA_URL: `${upstream.origin}/tehsils.geojson?key=s3cret`, HEADWATER_SAMPLE: 'off' });
async function start(): Promise<ServerProcess> {
  const server = await startServerProcess({ dataDir, env: env() });
  servers.push(server);
  return server;
}
const command = (...args: string[]) => runCommand({ dataDir, env: env(), args: ['download-boundaries', ...args] });
const stateOf = async ({ baseUrl }: ServerProcess): Promise<unknown> => {
  const health: unknown = await (await fetch(`${baseUrl}/api/health`)).json();
  return Reflect.get(Object(Reflect.get(Object(health), 'parts')), 'boundaries');
};
const requested = (count: number) => vi.waitFor(() => expect(ranges).toHaveLength(count), { timeout: WAIT_MS });

describe('the download of boundary data', { timeout: 2 * WAIT_MS }, () => {
  it('does not delay the first start, and is aborted immediately when the service stops', async () => {
    const server = await start();
    await requested(1);
    expect(await stateOf(server)).toEqual({ state: 'starting' });
    expect((await fetch(server.baseUrl)).status).toBe(200);
    const concurrent = await command();
    expect(concurrent).toEqual({
      code: 2,
      output: expect.stringMatching(new RegExp(`the boundary data are being downloaded by process ${server.pid}`)),
    });
    const { code, ms } = await server.stop('SIGTERM');
    // If the download were not aborted, the server would end its process only after 9 s.
    expect([code, ms < 4000]).toEqual([0, true]);
    expect(server.output()).not.toMatch(/boundary data could not be downloaded/);
    expect(ranges).toEqual([undefined]);
  });

  it('is continued by the command after the service was killed; the boundary data are then stored', async () => {
    const server = await start();
    await requested(2);
    await server.stop('SIGKILL');
    isSilent = false;
    const { code, output } = await command();
    expect(output).toMatch(/boundary data are downloaded: .* not checked: no checksum is known/);
    expect(output).toMatch(/tehsils.geojson: 1 stored, 0 unchanged, 0 refused/);
    expect(code).toBe(0);
    expect(ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true);
    expect((await readdir(join(dataDir, 'boundary-data'))).toSorted()).toEqual(['import-report.csv', 'state.json']);
  });

  it('is not repeated by the next start; the command repeats the download with --again', async () => {
    const before = ranges.length;
    const server = await start();
    await vi.waitFor(async () => expect(await stateOf(server)).toEqual({ state: 'ok' }), { timeout: WAIT_MS });
    expect(await (await fetch(`${server.baseUrl}/api/v1/get_states/`)).text()).toMatch(/Telangana/i);
    // The imported tehsil is not listed, because the service lists only tehsils with published data (decision 116).
    expect(await (await fetch(`${server.baseUrl}/api/v1/proposed_blocks/`)).json()).toEqual([]);
    expect((await command()).output).toMatch(/stored already; --again downloads them again/);
    expect(ranges).toHaveLength(before);
    const again = await command('--again');
    expect(again.output).toMatch(/tehsils.geojson: 0 stored, 1 unchanged, 0 refused/);
    expect([again.code, ranges.length]).toEqual([0, before + 1]);
    await server.stop('SIGTERM');
  });

  it('logs a warning if it fails; the warning contains the command that continues it, but not the secret in the URL', async () => {
    await rm(join(dataDir, 'boundary-data'), { recursive: true });
    const url = `${upstream.origin}/gone.gpkg?key=s3cret`;
    const server = await startServerProcess({ dataDir, env: { ...env(), BOUNDARY_DATA_URL: url } });
    servers.push(server);
    const [line] = await server.printed(/.*boundary data could not be downloaded.*/, WAIT_MS);
    expect(line).toMatch(
      /responded with HTTP 404; correct the address.*Continue with: DATA_DIR=.* npx headwater download-boundaries/s,
    );
    expect(await stateOf(server)).toEqual({ state: 'warning' });
    await server.stop('SIGTERM');
    expect(server.output()).not.toContain('s3cret');
  });
});
