import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isFolderHeld, lockFolder } from './folder-lock.ts';
import { identityOf, lifeOf, ownIdentity, type ProcessIdentity } from './process-identity.ts';
import { awaitFolder } from './open.ts';

const hasProc = existsSync('/proc/self/stat');
if (!hasProc) console.warn('skipped: the lock of a zombie process, because this machine has no /proc');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function leave(record: object): string {
  const path = join(folder, 'headwater.lock');
  writeFileSync(path, JSON.stringify({ ...ownIdentity(), nonce: 'left-behind', ...record }));
  return path;
}

/** Kills a process whose parent never collects the exit status, which leaves a zombie. */
async function zombie(): Promise<{ readonly identity: ProcessIdentity; readonly end: () => void }> {
  const parent = spawn('sh', ['-c', 'sleep 60 >/dev/null & echo $!; exec sleep 60 >/dev/null'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pid = Number(String((await once(parent.stdout, 'data'))[0]));
  const identity = identityOf(pid);
  const often = { interval: 2, timeout: 30_000 };
  // Waits until `sleep` has replaced the shell, because a shell would collect the exit status.
  await vi.waitFor(() => expect(readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n'), often);
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z '), often);
  return { identity, end: () => void parent.kill('SIGKILL') };
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

const LOCK = fileURLToPath(new URL('folder-lock.ts', import.meta.url));
const code = `
  import { lockFolder } from ${JSON.stringify(LOCK)};
  process.stdin.once('data', () => {
    try { lockFolder(process.argv[1]); console.log('won'); } catch (error) { console.log(error.code + ': ' + error.message); }
    process.stdin.on('end', () => process.exit());
  });
  console.log('ready');`;

interface Contender {
  readonly go: () => Promise<string>;
  readonly end: () => Promise<void>;
  readonly kill: () => void;
}

async function contender(): Promise<Contender> {
  const child = spawn(process.execPath, ['--conditions=@headwater/source', '--input-type=module', '-e', code, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const line = async (): Promise<string> => String((await once(child.stdout, 'data'))[0]).trim();
  await line();
  const go = async (): Promise<string> => {
    child.stdin.write('go\n');
    return await line();
  };
  const end = async (): Promise<void> => {
    const exited = once(child, 'exit');
    child.stdin.end();
    await exited;
  };
  return { go, end, kill: () => void child.kill('SIGKILL') };
}

describe('the lock of a folder', () => {
  it('is refused a second time, with an error that names process and folder, and is free after its release', () => {
    const lock = lockFolder(folder);
    expect(isFolderHeld(folder)).toBe(true);
    expect(() => lockFolder(folder)).toThrow(new RegExp(`${folder}.*process ${process.pid}`));
    lock.release();
    lock.release();
    expect(isFolderHeld(folder)).toBe(false);
    lockFolder(folder).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves no draft on a full disk', async () => {
    // A file size limit of 0 acts as a full disk.
    const script = `import { lockFolder } from ${JSON.stringify(LOCK)};
      process.on('SIGXFSZ', () => {});
      try { lockFolder(process.argv[1]); } catch (error) { console.log(error.code); }`;
    const node = [process.execPath, '--conditions=@headwater/source', '--input-type=module', '-e', script, folder];
    const child = spawn('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...node], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(String((await once(child.stdout, 'data'))[0]).trim()).toBe('EFBIG');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('removes the drafts of earlier starts, and keeps the draft of a start that runs at the same time', () => {
    const [old, fresh] = ['old', 'fresh'].map((nonce) => join(folder, `headwater.lock.${nonce}.new`));
    for (const path of [old ?? '', fresh ?? '']) writeFileSync(path, '');
    const longAgo = new Date(Date.now() - 3_600_000);
    utimesSync(old ?? '', longAgo, longAgo);
    lockFolder(folder).release();
    expect(readdirSync(folder)).toEqual(['headwater.lock.fresh.new']);
  });

  it('is taken over if its process has died', async () => {
    leave({ pid: await deadPid() });
    expect(isFolderHeld(folder)).toBe(false);
    const lock = lockFolder(folder);
    expect(JSON.parse(readFileSync(join(folder, 'headwater.lock'), 'utf8'))).toMatchObject({ pid: process.pid });
    expect(readdirSync(folder)).toEqual(['headwater.lock']);
    lock.release();
  });

  it('is taken over if its process has ended, even if another process now has the same id', () => {
    expect(lifeOf(ownIdentity())).toBe(hasProc ? 'alive' : 'unknown');
    if (ownIdentity().started === null) return; // Without /proc, only process ids can be compared.
    leave({ started: 'an-earlier-boot:1234' });
    lockFolder(folder).release();
  });

  it.skipIf(!hasProc)('is taken over if its process is a zombie', async () => {
    const { identity, end } = await zombie();
    leave({ ...identity });
    expect(isFolderHeld(folder)).toBe(false);
    lockFolder(folder).release();
    end();
  });

  it('is awaited if its process was just killed, and refused immediately if its process is alive', async () => {
    for (let kill = 0; kill < 8; kill += 1) {
      const holder = await contender();
      expect(await holder.go()).toBe('won');
      await expect(awaitFolder(folder)).rejects.toMatchObject({ code: 'unavailable' });
      holder.kill();
      (await awaitFolder(folder)).release();
    }
  });

  it('is taken over if its file is damaged', () => {
    writeFileSync(join(folder, 'headwater.lock'), '{"pid": 1');
    const lock = lockFolder(folder);
    expect(isFolderHeld(folder)).toBe(true);
    lock.release();
  });

  it('of another host is valid while its file is touched, and not after a long pause', () => {
    const path = leave({ host: `not-${hostname()}` });
    expect(() => lockFolder(folder)).toThrow(/on host not-/);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(path, longAgo, longAgo);
    lockFolder(folder).release();
  });

  it('goes to only one process if several processes take it over at the same time', async () => {
    leave({ pid: await deadPid() });
    const contenders = await Promise.all(Array.from({ length: 6 }, contender));
    const outcomes = await Promise.all(contenders.map(async ({ go }) => await go()));
    expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.startsWith('unavailable: '))).toHaveLength(5);
    await Promise.all(contenders.map(async ({ end }) => await end()));
    lockFolder(folder).release();
  });
});
