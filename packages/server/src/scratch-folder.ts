import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Time without a change after which the folder of another host counts as idle, ms: its process cannot be checked. */
const IDLE_MS = 24 * 60 * 60 * 1000;
const NAME = /^(.+)-(\d+)-[0-9a-f]{8}$/;

/** Options for removing old scratch folders. */
export interface ScratchOptions {
  /** True if this process has opened the embedded database, so no other host uses DATA_DIR. */
  readonly exclusive: boolean;
}

/**
 * Returns a path for a new scratch folder, `{host}-{pid}-{random}`. First removes the folders of killed processes.
 * Never throws.
 */
export async function scratchFolder(root: string, options: ScratchOptions): Promise<string> {
  for (const folder of await deadScratchFolders(root, options))
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  const folder = join(root, `${ownHost()}-${process.pid}-${randomBytes(4).toString('hex')}`);
  ownFolders.add(folder);
  return folder;
}

const ownFolders = new Set<string>();

/** Name of this host in names of scratch folders. */
export const ownHost = (): string => hostname().replaceAll(/[^\w.-]/g, '_');

/** Process that created a scratch folder; undefined for other names. `isAlive` is valid only for this host. */
export function processOf(
  entry: string,
): { readonly host: string; readonly pid: number; readonly isAlive: boolean } | undefined {
  const [, host, pid] = NAME.exec(entry) ?? [];
  return host === undefined || pid === undefined
    ? undefined
    : { host, pid: Number(pid), isAlive: isAlive(Number(pid)) };
}

/**
 * Paths of the scratch folders of killed processes. A process of another host counts as killed if its folder is idle,
 * or if `exclusive` is true.
 */
export async function deadScratchFolders(root: string, { exclusive }: ScratchOptions): Promise<readonly string[]> {
  const dead: string[] = [];
  for (const entry of await readdir(root).catch(() => [])) {
    const creator = processOf(entry);
    if (creator === undefined) continue;
    const path = join(root, entry);
    if (ownFolders.has(path)) continue;
    if (creator.host === ownHost() ? !creator.isAlive : exclusive || (await isIdle(path))) dead.push(path);
  }
  return dead;
}

/** False for the id of this process, because in a container an earlier process may have had the same id. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function isIdle(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > IDLE_MS;
}
