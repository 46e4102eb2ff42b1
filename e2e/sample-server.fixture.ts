import { execFile, execFileSync } from 'node:child_process';
import { constants, cpSync, existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { childEnv } from '../scripts/child-env.mjs';
import { cachedFolder } from '../scripts/cached-folder.mjs';
import { databaseDigest } from '../scripts/database-template.mjs';
import { serverBundle } from '../scripts/server-bundle.mjs';
import { type ServerProcess, type StartOptions, startServerProcess } from './server-process.ts';

/** Password of the superuser in the copied data. */
export const PASSWORD = 'tall-river-42';

/** A server with the sample and its published layers. */
export interface SampleServer extends ServerProcess {
  /** Name of the superuser. */
  readonly superuser: string;
}

const OPEN = /\n {2}Open http/;
const ROOT = resolve(import.meta.dirname, '..');
const SAMPLES = join(ROOT, 'node_modules', '.cache', 'headwater-samples');
const ARGUMENTS = ['--conditions=@headwater/source', import.meta.filename];

/**
 * Starts a server on a copy of the data that a server has after its first start: the sample, its published layers and a superuser. The data
 * are created once for the current sources. `startServerProcess` copies only the scenes of the sample, and its server computes the layers.
 */
export async function startSampleServer(options: StartOptions): Promise<SampleServer> {
  const folder = join(SAMPLES, sampleName());
  // Another process creates the data or waits for them, because a blocked process of vitest cannot report to its parent.
  if (!existsSync(folder)) await promisify(execFile)(process.execPath, ARGUMENTS, { env: childEnv() });
  const copied = { recursive: true, errorOnExist: true, force: false, mode: constants.COPYFILE_FICLONE };
  cpSync(join(folder, 'data'), options.dataDir, copied);
  const server = await startServerProcess(options);
  await server.printed(OPEN, 300_000);
  const [, superuser = ''] = await server.printed(/superuser +(\S+)/, 1000);
  return { ...server, superuser };
}

/** Name of the folder with the data of a first start: a digest of the sources. */
const sampleName = (): string => `${basename(dirname(serverBundle()))}-${databaseDigest()}`;

async function createData(dataDir: string): Promise<void> {
  const server = await startServerProcess({ dataDir, env: { SUPERUSER_PASSWORD: PASSWORD } });
  await server.printed(OPEN, 300_000).catch(async (error: unknown) => {
    await server.stop('SIGKILL');
    throw error;
  });
  const { code } = await server.stop('SIGTERM');
  if (code !== 0) throw new Error(`the server with the sample ended with ${code}:\n${server.output()}`);
}

if (import.meta.main) {
  const [, , dataDir] = process.argv;
  if (dataDir !== undefined) await createData(dataDir);
  else
    cachedFolder(SAMPLES, sampleName(), (draft) => {
      execFileSync(process.execPath, [...ARGUMENTS, join(draft, 'data')], { stdio: ['ignore', 'inherit', 'inherit'] });
    });
}
