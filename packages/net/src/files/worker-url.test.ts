import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { workerUrl } from './worker-url.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-worker-url-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts a process that starts one thread of the fixture. Returns V8's log of the code that V8 compiled in this process. */
async function compiledCode(url: string): Promise<string> {
  const program = join(folder, 'program.mjs');
  const log = join(folder, 'v8.log');
  await writeFile(
    program,
    `import { Worker } from 'node:worker_threads';
    import { workerUrl } from ${JSON.stringify(new URL('worker-url.ts', import.meta.url).href)};
    new Worker(${url});`,
  );
  const flags = ['--no-warnings', '--log-code', '--no-logfile-per-isolate', `--logfile=${log}`];
  await promisify(execFile)(process.execPath, [...flags, program]);
  return readFile(log, 'latin1');
}

const FIXTURE = JSON.stringify(new URL('strips-types.fixture.ts', import.meta.url).href);

it('returns the TypeScript file next to a source, and the JavaScript file next to a built file', () => {
  expect(workerUrl('./a-worker', 'file:///x/src/a.ts').href).toBe('file:///x/src/a-worker.ts');
  expect(workerUrl('./a-worker', 'file:///x/dist/a.js').href).toBe('file:///x/dist/a-worker.js');
});

it.each([
  ['does not share a compiled wrapper', `workerUrl('./strips-types.fixture', ${FIXTURE})`, false],
  ['shares a compiled wrapper if it is started by a plain URL', `new URL(${FIXTURE})`, true],
])('a thread from source %s', { timeout: 120_000 }, async (_, url, shared) => {
  expect((await compiledCode(url)).includes('wasm-to-js')).toBe(shared);
});
