import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { childEnv } from '../../../../scripts/child-env.mjs';
import { serverBundle } from '../../../../scripts/server-bundle.mjs';

const ROOT = resolve(import.meta.dirname, '..', '..', '..', '..');
/** Folder that `headwater_algorithms` lies in. */
export const SHIM_HOME = resolve(ROOT, 'deploy', 'airflow');
export const SHIM = resolve(SHIM_HOME, 'headwater_algorithms', 'cli.py');
/** The command of this checkout, as HEADWATER_COMMAND names it. */
export const HEADWATER = `'${process.execPath}' --conditions=@headwater/source '${serverBundle()}'`;

/** Why no Python can be asked; undefined where there is one. */
export function missingPython(): string | undefined {
  const old = 'import sys; sys.exit(sys.version_info < (3, 8))';
  return spawnSync('python3', ['-c', old]).status === 0 ? undefined : 'python3 from 3.8 is not there (Debian: python3)';
}

/** What a program printed, and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs python3 to its end; of this process's environment PATH and the folder of compiled modules are passed on. */
export async function python(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = spawn('python3', args, {
    env: { ...childEnv(), PYTHONPATH: SHIM_HOME, PYTHONDONTWRITEBYTECODE: '1', ...env },
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}
