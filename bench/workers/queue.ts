import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { NewRun } from '@headwater/core/ports';
import type { Run } from '@headwater/core';
import type { Stores } from '@headwater/identity';

const OWNERS = 50;
const POLL_MS = 100;

/** Number and kind of the runs to queue, and a function that starts a worker. */
export interface Load {
  readonly runs: number;
  readonly run: Pick<NewRun, 'pipeline' | 'params'>;
  readonly start: () => ChildProcess;
}

/** Returns the runs per second of `workers` processes, from the first claim to the end of the last run. */
export async function throughput({ runs }: Stores, load: Load, workers: number): Promise<number> {
  const stamp = Date.now();
  const ids = Array.from({ length: load.runs }, (_, index) => `bench-${stamp}-${workers}-${index}`);
  for (const [index, id] of ids.entries())
    await runs.enqueue({ ...load.run, id, fingerprint: id, ownerId: 1 + (index % OWNERS) });
  const children = Array.from({ length: workers }, load.start);
  try {
    for (;;) {
      const { waiting, working } = await runs.queueState('nrm');
      if (waiting + working === 0) break;
      const ended = children.find(({ exitCode }) => exitCode !== null);
      if (ended !== undefined) throw new Error(`a worker ended with ${ended.exitCode}`);
      await new Promise((settle) => setTimeout(settle, POLL_MS));
    }
  } finally {
    await Promise.all(children.map(stop));
  }
  const done = await Promise.all(ids.map((id) => runs.get(id)));
  const failed = done.find((run) => run?.state !== 'success');
  if (failed !== undefined) throw new Error(`run ${failed.id} ended as ${failed.state}: ${failed.error?.message}`);
  const times = (of: (run: Run) => string | null): readonly number[] =>
    done.flatMap((run) => Date.parse((run === undefined ? null : of(run)) ?? ''));
  const from = times(({ startedAt }) => startedAt).reduce((a, b) => Math.min(a, b));
  const to = times(({ finishedAt }) => finishedAt).reduce((a, b) => Math.max(a, b));
  return (load.runs * 1000) / (to - from);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Starts a program of this repository in a child process, with the standard error of this process. */
export function startProgram(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  return spawn(process.execPath, ['--conditions=@headwater/source', path, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
}
