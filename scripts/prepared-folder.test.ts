import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cachedFolder } from './cached-folder.mjs';
import { childEnv } from './child-env.mjs';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-prepared-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('of several callers, one creates a cached folder; if this fails, the next caller creates the folder', async () => {
  let calls = 0;
  const create = async (draft: string): Promise<void> => {
    calls += 1;
    if (calls === 1) throw new Error('the disk is full');
    await writeFile(join(draft, 'content'), '');
  };
  const callers = ['new', 'new', 'new'].map((name) => cachedFolder(folder, name, create));
  const [first, ...others] = await Promise.allSettled(callers);
  expect(first).toMatchObject({ status: 'rejected', reason: { message: 'the disk is full' } });
  const created = { status: 'fulfilled', value: join(folder, 'new') };
  expect(others).toEqual([created, created]);
  expect(calls).toBe(2);
  await cachedFolder(folder, 'newer', create);
  expect(await readdir(folder)).toEqual(['newer']);
});

it('a script that creates a folder ends with its child processes when the process that needs the folder is killed', async () => {
  const name = `headwater-test-${process.pid}`;
  const cache = resolve(import.meta.dirname, '..', 'node_modules', '.cache', name);
  const module = pathToFileURL(join(import.meta.dirname, 'prepared-folder.mjs')).href;
  const script = join(folder, 'script.mjs');
  const server = `require('node:net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port); })`;
  await writeFile(
    script,
    `import { spawn } from 'node:child_process';
     import { once } from 'node:events';
     import ${JSON.stringify(module)};
     const args = ['-e', ${JSON.stringify(server)}];
     export const fill = () => once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');`,
  );
  const code = `
    import { preparedFolder } from ${JSON.stringify(module)};
    await preparedFolder(${JSON.stringify(name)}, ${JSON.stringify(script)}, []);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code], { env: childEnv() });
  try {
    const [port] = await once(parent.stdout, 'data');
    const socket = connect(Number(String(port)), '127.0.0.1');
    await once(socket, 'connect');
    // The connection closes or is reset when the child process ends.
    const closed = new Promise((done) => void socket.once('close', done));
    socket.once('error', () => {});
    parent.kill('SIGKILL');
    await closed;
  } finally {
    parent.kill('SIGKILL');
    await rm(cache, { recursive: true, force: true });
  }
});
