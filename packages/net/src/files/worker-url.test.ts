import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { workerUrl } from './worker-url.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-worker-url-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

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

it('workerUrl returns the TypeScript file relative to a source, and the JavaScript file next to a built file', async () => {
  expect(workerUrl('../a-worker', 'file:///x/src/b/a.ts', '@x/y').href).toBe('file:///x/src/a-worker.ts');
  await writeFile(join(folder, 'a-worker.js'), '');
  const built = pathToFileURL(join(folder, 'a-worker.js')).href;
  expect(workerUrl('./b/a-worker', pathToFileURL(join(folder, 'chunk.js')).href, '@x/y').href).toBe(built);
});

it.each([pathToFileURL('/no-such-folder/app.js').href, undefined])(
  'throws an error that names the package to leave out of a bundle, for the importer %s',
  (importer) => {
    expect(() => workerUrl('./a-worker', importer, '@x/y')).toThrow(
      /^@x\/y does not find its file a-worker\.js .*--external:@x\/y$/,
    );
  },
);

it.each([
  [
    'with a URL from workerUrl has no compiled WebAssembly wrapper, which threads would share (decision 123)',
    `workerUrl('./strips-types.fixture', ${FIXTURE}, '@x/y')`,
    false,
  ],
  ['with another URL has a compiled WebAssembly wrapper', `new URL(${FIXTURE})`, true],
])('a thread that runs a TypeScript file %s', { timeout: 120_000 }, async (_, url, shared) => {
  expect((await compiledCode(url)).includes('wasm-to-js')).toBe(shared);
});
