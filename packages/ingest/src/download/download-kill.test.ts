import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline, Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { listenOnLoopback, type Loopback } from '../../../../scripts/loopback.mjs';
import { packageBytes } from './file-server.fixture.ts';

/** The server sends this block 300 times, so that the whole file is never in memory. */
const BLOCK = packageBytes(1_000_000);
const BLOCKS = 300;
const TOTAL = BLOCK.length * BLOCKS;
const WAIT_MS = 300_000;

const children: ChildProcess[] = [];
const starts: number[] = [];
let server: Loopback;
let folder: string;

function send(request: IncomingMessage, response: ServerResponse): void {
  const from = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0);
  starts.push(from);
  const range = from === 0 ? {} : { 'content-range': `bytes ${from}-${TOTAL - 1}/${TOTAL}` };
  response.writeHead(from === 0 ? 200 : 206, { etag: '"one"', 'content-length': TOTAL - from, ...range });
  pipeline(Readable.from(blocks(from, response)), response, () => {});
}

async function* blocks(from: number, response: ServerResponse): AsyncGenerator<Buffer> {
  for (let at = from; at < TOTAL;) {
    if (from === 0 && at >= 200 * BLOCK.length) await once(response, 'close');
    const piece = BLOCK.subarray(at % BLOCK.length);
    yield piece;
    at += piece.length;
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-download-'));
  server = await listenOnLoopback((request, response) => {
    if (request.url === '/mws.gpkg') send(request, response);
    else response.writeHead(404).end();
  });
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function begin() {
  const script = join(import.meta.dirname, 'download-process.fixture.ts');
  const child = spawn(
    process.execPath,
    ['--conditions=@headwater/source', script, `${server.origin}/mws.gpkg`, folder],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  children.push(child);
  return { child, lines: createInterface({ input: child.stdout }) };
}

it('continues the download of a killed process, with limited memory', { timeout: WAIT_MS }, async () => {
  const first = begin();
  for await (const line of first.lines) if (Number(JSON.parse(line).received) >= 150_000_000) break;
  first.child.kill('SIGKILL');
  await once(first.child, 'close');
  const second = begin();
  const lines: Record<string, unknown>[] = [];
  for await (const line of second.lines) lines.push(JSON.parse(line));
  const hash = createHash('sha256');
  for (let i = 0; i < BLOCKS; i++) hash.update(BLOCK);
  expect(lines.at(-1)).toMatchObject({ bytes: TOTAL, sha256: hash.digest('hex') });
  // The first run was killed after 150 MB. Bytes are synced every 64 MB, so the second run begins at 128 MB or later.
  expect(starts).toEqual([0, expect.any(Number)]);
  expect(starts[1]).toBeGreaterThanOrEqual(128_000_000);
  // Node and modules need about 90 MB; the whole file in memory would need 300 MB more.
  expect(Number(lines.at(-1)?.['peakBytes'])).toBeLessThan(220e6);
});
