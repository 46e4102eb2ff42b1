import { constants, cpSync } from 'node:fs';
import { join } from 'node:path';
import { preparedFolder } from '../scripts/prepared-folder.mjs';
import { type ServerProcess, type StartOptions, startServerProcess } from './server-process.ts';

/** Password of the superuser in the copied data. */
export const PASSWORD = 'tall-river-42';

/** A server with the sample and its published layers. */
export interface SampleServer extends ServerProcess {
  /** Name of the superuser. */
  readonly superuser: string;
}

const OPEN = /\n {2}Open http/;

/**
 * Starts a server on a copy of the data of a first start. These data are created once for each version of the sources.
 */
export async function startSampleServer(options: StartOptions): Promise<SampleServer> {
  const folder = await preparedFolder('headwater-first-start', import.meta.filename, ['server']);
  const copied = { recursive: true, errorOnExist: true, force: false, mode: constants.COPYFILE_FICLONE };
  cpSync(join(folder, 'data'), options.dataDir, copied);
  const server = await startServerProcess(options);
  await server.printed(OPEN, 300_000);
  const [, superuser = ''] = await server.printed(/superuser +(\S+)/, 1000);
  return { ...server, superuser };
}

/** Creates the data of a first start in a temporary folder. */
export async function fill(draft: string): Promise<void> {
  const server = await startServerProcess({ dataDir: join(draft, 'data'), env: { SUPERUSER_PASSWORD: PASSWORD } });
  await server.printed(OPEN, 300_000);
  const { code } = await server.stop('SIGTERM');
  if (code !== 0) throw new Error(`the server with the sample ended with ${code}:\n${server.output()}`);
}
