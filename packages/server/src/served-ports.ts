import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownHost, processOf, scratchFolder } from './scratch-folder.ts';

const NAME = 'ports';

const rootOf = (dataDir: string): string => join(dataDir, 'scratch');

/** Writes the ports of this process to a file. Returns a function that removes the file. */
export async function notePorts(dataDir: string, ports: readonly number[]): Promise<() => Promise<void>> {
  const folder = await scratchFolder(rootOf(dataDir), { exclusive: false });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, NAME), ports.join('\n'));
  return () => rm(folder, { recursive: true, force: true });
}

/** Ports of this host's running services on DATA_DIR, each with the process id. */
export async function servedPorts(dataDir: string): Promise<ReadonlyMap<number, number>> {
  const root = rootOf(dataDir);
  const found = new Map<number, number>();
  for (const entry of await readdir(root).catch(() => [])) {
    const creator = processOf(entry);
    if (creator === undefined || creator.host !== ownHost()) continue;
    const { pid, isAlive } = creator;
    // `isAlive` is false for this process, but the service may run in this process.
    if (!isAlive && pid !== process.pid) continue;
    const text = await readFile(join(root, entry, NAME), 'utf8').catch(() => '');
    for (const port of text.split('\n').map(Number)) if (port > 0) found.set(port, pid);
  }
  return found;
}
