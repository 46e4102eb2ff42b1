import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/**
 * A scratch folder that another host created counts as unused if its last change is older than this. This process
 * cannot check the processes of other hosts.
 */
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
 * Removes the scratch folders of killed processes under `root`; the folders of running processes stay. Then returns the path of a scratch folder
 * for this process, `{host}-{pid}-{random}`, without creating the folder. Never throws: folders that cannot be removed stay.
 */
export async function scratchFolder(root: string, options: ScratchOptions): Promise<string> {
  for (const folder of await deadScratchFolders(root, options))
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  const folder = join(root, `${ownHost()}-${process.pid}-${randomBytes(4).toString('hex')}`);
  ownFolders.add(folder);
  return folder;
}

/** Paths of the scratch folders of this process. */
const ownFolders = new Set<string>();

/** Name of this host in the names of scratch folders. */
export const ownHost = (): string => hostname().replaceAll(/[^\w.-]/g, '_');

/** Process that created a scratch folder, by the folder's name; undefined for other names. `isAlive` is valid only for processes of this host. */
export function processOf(
  entry: string,
): { readonly host: string; readonly pid: number; readonly isAlive: boolean } | undefined {
  const [, host, pid] = NAME.exec(entry) ?? [];
  return host === undefined || pid === undefined
    ? undefined
    : { host, pid: Number(pid), isAlive: isAlive(Number(pid)) };
}

/** Paths of the scratch folders of killed processes. */
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

/**
 * True if another process with this id runs on this host. False for the id of this process: an earlier process had this
 * id, because in a container each process may have the id 1.
 */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function isIdle(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > IDLE_MS;
}
