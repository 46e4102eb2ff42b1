import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** A folder of another host counts as unused if its last change is older than this: processes of other hosts cannot be checked. */
const IDLE_MS = 24 * 60 * 60 * 1000;
const NAME = /^(.+)-(\d+)-[0-9a-f]{8}$/;

/** Options for removing old scratch folders. */
export interface ScratchOptions {
  /**
   * True if no process of another host can use DATA_DIR, because this process has opened its embedded database. Commands on this host may
   * still use it through the socket of the service.
   */
  readonly exclusive: boolean;
}

/**
 * Returns the name of a scratch folder of this process under `root`, `{host}-{pid}-{random}`, without creating it. First it removes the
 * folders of killed processes; the folders of running processes stay. Never throws: folders that cannot be removed stay.
 */
export async function scratchFolder(root: string, { exclusive }: ScratchOptions): Promise<string> {
  const own = { host: hostname().replaceAll(/[^\w.-]/g, '_'), pid: process.pid };
  const entries = await readdir(root).catch(() => []);
  for (const entry of entries) {
    const [, host, pid] = NAME.exec(entry) ?? [];
    if (host === undefined || pid === undefined) continue;
    const dead = host === own.host ? !isAlive(Number(pid)) : exclusive || (await isIdle(join(root, entry)));
    if (dead) await rm(join(root, entry), { recursive: true, force: true }).catch(() => undefined);
  }
  return join(root, `${own.host}-${own.pid}-${randomBytes(4).toString('hex')}`);
}

/** True if another process with this id runs on this host. This process's own id counts as free, because it has no scratch folder yet. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function isIdle(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > IDLE_MS;
}
