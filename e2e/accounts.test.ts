import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from './client.ts';
import { runCommand, startServerProcess, type ServerProcess } from './server-process.ts';

let dataDir: string;
let server: ServerProcess;
let superuser: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-accounts-'));
  const env = { HEADWATER_CONTAINER_MARKER: join(dataDir, 'started') };
  server = await startServerProcess({ dataDir, env, args: ['--no-sample'] });
  [, superuser = ''] = await server.printed(/superuser {8}(test_user_\d{4})\n/, 60_000);
}, 120_000);
afterAll(async () => {
  await server.stop('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

const command = (name: string, input = '', username = superuser): ReturnType<typeof runCommand> =>
  runCommand({ dataDir, args: [name, '--username', username], input });
const runsWith = async (token: string): Promise<number> =>
  (await fetch(`${server.baseUrl}/api/v1/runs/`, { headers: { authorization: `Bearer ${token}` } })).status;

it('the superuser of a container gets 403 until the default password is changed', async () => {
  const { token: before } = await signIn(server.baseUrl, superuser, 'test_change_me');
  expect(await runsWith(before)).toBe(403);
  const { code, output } = await command('change-password', 'tall-river-42\n');
  expect([code, output]).toEqual([0, expect.stringContaining(`the password of ${superuser} is changed`)]);
  expect(output).not.toContain('tall-river-42');
  expect(await runsWith(before)).toBe(401);
  expect(await runsWith((await signIn(server.baseUrl, superuser, 'tall-river-42')).token)).toBe(200);
}, 60_000);

if (process.platform !== 'linux') console.log('skipped: number of threads of the server: only Linux has it in /proc');
it.skipIf(process.platform !== 'linux')(
  'a server starts eight libuv threads, so file reads do not wait for hashing and compression',
  async () => {
    const tasks = `/proc/${server.pid}/task`;
    const names = await Promise.all((await readdir(tasks)).map((task) => readFile(join(tasks, task, 'comm'), 'utf8')));
    expect(names.filter((name) => name.startsWith('libuv-worker'))).toHaveLength(8);
  },
);

it('disabling an account invalidates its tokens immediately, and enabling it again does not restore them', async () => {
  const { token } = await signIn(server.baseUrl, superuser, 'tall-river-42');
  expect(await runsWith(token)).toBe(200);
  expect(await command('disable-account')).toMatchObject({ code: 0 });
  expect(await runsWith(token)).toBe(401);
  expect(await command('enable-account')).toMatchObject({ code: 0 });
  expect(await runsWith(token)).toBe(401);
  const log = await readFile(join(dataDir, 'logs', 'headwater', 'headwater.log'), 'utf8');
  for (const event of ['password_reset', 'account_disabled', 'account_enabled']) expect(log).toContain(`"${event}"`);
  expect(await runsWith((await signIn(server.baseUrl, superuser, 'tall-river-42')).token)).toBe(200);
}, 60_000);

it('change-password prints a generated password, and refuses a weak typed password', async () => {
  const { output } = await command('change-password');
  const [, generated = ''] = /password: (\S+)\n$/.exec(output) ?? [];
  expect(await runsWith((await signIn(server.baseUrl, superuser, generated)).token)).toBe(200);
  expect((await command('change-password', '12345678\n')).output).toMatch(
    /password: This password is entirely numeric/,
  );
}, 60_000);

it('the commands reject a password among the arguments, and an unknown account', async () => {
  const { code, output } = await runCommand({ dataDir, args: ['create-superuser', '--password', 'tall-river-42'] });
  expect([code, output]).toEqual([2, expect.stringMatching(/--password: .*Leave it out/)]);
  expect(output).not.toContain('tall-river-42');
  expect(await command('enable-account', '', 'nobody')).toEqual({
    code: 2,
    output: expect.stringContaining('--username: there is no account nobody'),
  });
}, 60_000);
