import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isFolderHeld, lockFolder } from './folder-lock.ts';
import { identityOf, lifeOf, ownIdentity, type ProcessIdentity } from './process-identity.ts';
import { takeFolder } from './take-folder.ts';

const hasProc = existsSync('/proc/self/stat');
if (!hasProc) console.warn('skipped: the lock of a zombie: there is no /proc here that tells of one');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Leaves the lock of some process, as a crash would. */
function leave(record: object): string {
  const path = join(folder, 'headwater.lock');
  writeFileSync(path, JSON.stringify({ ...ownIdentity(), nonce: 'left-behind', ...record }));
  return path;
}

/** A process that was killed and that its parent, which lives on, never asks about. */
async function zombie(): Promise<{ readonly identity: ProcessIdentity; readonly end: () => void }> {
  const parent = spawn('sh', ['-c', 'sleep 60 >/dev/null & echo $!; exec sleep 60 >/dev/null'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pid = Number(String((await once(parent.stdout, 'data'))[0]));
  const identity = identityOf(pid);
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z '), {
    interval: 2,
    timeout: 30_000,
  });
  return { identity, end: () => void parent.kill('SIGKILL') };
}

/** Number of a process that has just ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

const code = `
  import { lockFolder } from ${JSON.stringify(fileURLToPath(new URL('folder-lock.ts', import.meta.url)))};
  process.stdin.once('data', () => {
    try { lockFolder(process.argv[1]); console.log('won'); } catch (error) { console.log(error.code + ': ' + error.message); }
    process.stdin.on('end', () => process.exit());
  });
  console.log('ready');`;

interface Contender {
  readonly go: () => Promise<string>;
  readonly end: () => Promise<void>;
  /** Kills it outright and waits for nothing. */
  readonly kill: () => void;
}

/** A process that tries to take the folder when told, then lives until its input ends. */
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
  it('is refused to a second holder, naming process and folder, and free after release', () => {
    const lock = lockFolder(folder);
    expect(isFolderHeld(folder)).toBe(true);
    expect(() => lockFolder(folder)).toThrow(new RegExp(`${folder}.*process ${process.pid}`));
    lock.release();
    lock.release();
    expect(isFolderHeld(folder)).toBe(false);
    lockFolder(folder).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of a dead process is taken over', async () => {
    leave({ pid: await deadPid() });
    expect(isFolderHeld(folder)).toBe(false);
    const lock = lockFolder(folder);
    expect(JSON.parse(readFileSync(join(folder, 'headwater.lock'), 'utf8'))).toMatchObject({ pid: process.pid });
    expect(readdirSync(folder)).toEqual(['headwater.lock']);
    lock.release();
  });

  it('whose number another process has by now is taken over', () => {
    expect(lifeOf(ownIdentity())).toBe(hasProc ? 'alive' : 'unknown');
    if (ownIdentity().started === null) return; // No /proc here: a number is all that can be compared.
    leave({ started: 'an-earlier-boot:1234' });
    lockFolder(folder).release();
  });

  it.skipIf(!hasProc)('of a zombie that nobody has reaped is taken over', async () => {
    const { identity, end } = await zombie();
    leave({ ...identity });
    expect(isFolderHeld(folder)).toBe(false);
    lockFolder(folder).release();
    end();
  });

  it('of a process that was killed a moment ago is waited for, and one of a living process is refused at once', async () => {
    for (let kill = 0; kill < 8; kill += 1) {
      const holder = await contender();
      expect(await holder.go()).toBe('won');
      await expect(takeFolder(folder)).rejects.toMatchObject({ code: 'unavailable' });
      holder.kill();
      (await takeFolder(folder)).release();
    }
  });

  it('that was damaged on disk is taken over', () => {
    writeFileSync(join(folder, 'headwater.lock'), '{"pid": 1');
    const lock = lockFolder(folder);
    expect(isFolderHeld(folder)).toBe(true);
    lock.release();
  });

  it('of another host counts while it is touched, and not after a long silence', () => {
    const path = leave({ host: `not-${hostname()}` });
    expect(() => lockFolder(folder)).toThrow(/on host not-/);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(path, longAgo, longAgo);
    lockFolder(folder).release();
  });

  it('that several processes take over at once goes to one of them', async () => {
    leave({ pid: await deadPid() });
    const contenders = await Promise.all(Array.from({ length: 6 }, contender));
    const outcomes = await Promise.all(contenders.map(async ({ go }) => await go()));
    expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.startsWith('unavailable: '))).toHaveLength(5);
    await Promise.all(contenders.map(async ({ end }) => await end()));
    lockFolder(folder).release();
  });
});
