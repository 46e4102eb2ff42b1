import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Another host's process cannot be asked whether it lives; a folder that it left untouched for this long is not in use. */
const SILENT_MS = 24 * 60 * 60 * 1000;
const NAME = /^(.+)-(\d+)-[0-9a-f]{8}$/;

/** Whose scratch folders may be removed. */
export interface ScratchOptions {
  /**
   * True where no process of another host can be at work under DATA_DIR, because this one holds its database. On this host a command may be, which
   * goes through the socket of the service.
   */
  readonly exclusive: boolean;
}

/**
 * Name of a scratch folder of this process under `root`, not made yet; `{host}-{pid}-{random}`.
 * Folders that killed processes left there are removed first; those of processes that live stay. Never throws: what cannot be removed stays.
 */
export async function scratchFolder(root: string, { exclusive }: ScratchOptions): Promise<string> {
  const own = { host: hostname().replaceAll(/[^\w.-]/g, '_'), pid: process.pid };
  const entries = await readdir(root).catch(() => []);
  for (const entry of entries) {
    const [, host, pid] = NAME.exec(entry) ?? [];
    if (host === undefined || pid === undefined) continue;
    const dead = host === own.host ? !isAlive(Number(pid)) : exclusive || (await isSilent(join(root, entry)));
    if (dead) await rm(join(root, entry), { recursive: true, force: true }).catch(() => undefined);
  }
  return join(root, `${own.host}-${own.pid}-${randomBytes(4).toString('hex')}`);
}

/** A process of this number on this host; this process itself has made no folder yet. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, but belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function isSilent(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > SILENT_MS;
}
