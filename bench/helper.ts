import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { lineReader } from './peer.ts';

/** Process that runs a script of the bench. */
export interface Helper {
  readonly child: ChildProcessWithoutNullStreams;
  readonly next: () => Promise<string>;
}

/** Starts a script in `bench/`. */
export function startHelper(script: string, args: readonly string[]): Helper {
  const path = resolve(import.meta.dirname, script);
  const child = spawn(process.execPath, ['--conditions=@headwater/source', path, ...args]);
  child.stderr.pipe(process.stderr);
  return { child, next: lineReader(child, `bench/${script}`) };
}
