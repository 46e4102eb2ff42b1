import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { childEnv } from '../../../../scripts/child-env.mjs';
import { serverBundle } from '../../../../scripts/server-bundle.mjs';

const ROOT = resolve(import.meta.dirname, '..', '..', '..', '..');
/** Folder with `headwater_algorithms`. */
export const SHIM_HOME = resolve(ROOT, 'deploy', 'airflow');
export const SHIM = resolve(SHIM_HOME, 'headwater_algorithms', 'cli.py');
/** Command that runs this checkout, for HEADWATER_COMMAND. */
export const HEADWATER = `'${process.execPath}' --conditions=@headwater/source '${await serverBundle()}'`;

/** Reason why Python cannot be used; undefined if it can be used. */
export function missingPython(): string | undefined {
  const old = 'import sys; sys.exit(sys.version_info < (3, 8))';
  return spawnSync('python3', ['-c', old]).status === 0
    ? undefined
    : 'python3 3.8 or newer is missing (Debian: python3)';
}

/** Output and exit code of a program. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs python3 until it ends. The environment has only `childEnv`, two settings of Python, and `env`. */
export async function python(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = spawn('python3', args, {
    env: { ...childEnv(), PYTHONPATH: SHIM_HOME, PYTHONDONTWRITEBYTECODE: '1', ...env },
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}
