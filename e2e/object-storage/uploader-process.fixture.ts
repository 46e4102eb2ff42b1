import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { childEnv } from '../../scripts/child-env.mjs';

/** Storage of an uploader process. */
export interface UploaderStorage {
  readonly origin: string;
  readonly kind?: string;
  readonly prefix?: string;
}

/** A process that uploads the files of a folder. */
export interface Uploader {
  readonly kill: () => void;
  /** Resolves to the signal that ended the process, or to its exit code. */
  readonly ended: Promise<string>;
}

/** Starts a process that uploads the files of a folder. */
export function startUploader(base: string, { origin, kind = 's3', prefix = '' }: UploaderStorage): Uploader {
  const script = join(import.meta.dirname, 'uploader.fixture.ts');
  const args = ['--conditions=@headwater/source', script, base, origin, kind, prefix];
  const child = spawn(process.execPath, args, { env: childEnv(), stdio: ['ignore', 'inherit', 'ignore'] });
  return {
    kill: () => void child.kill('SIGKILL'),
    ended: new Promise((done) => child.once('exit', (code, signal) => done(signal ?? `exit code ${code}`))),
  };
}
