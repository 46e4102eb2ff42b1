import { setTimeout } from 'node:timers/promises';
import type { Stores } from '@headwater/identity';
import { DRAINING_UNTIL } from '@headwater/core/runs';
import { countOf } from '@headwater/core/values';
import { type CommandSyntax, usageOf } from '../command.ts';
import { type Config, ConfigError } from '../config/read-config.ts';
import { openStoresBeside } from '../database.ts';
import { DRAIN_CACHE_MS } from '../draining.ts';
import { readArguments } from '../read-arguments.ts';

/** Syntax of `headwater drain`. */
export const DRAIN: CommandSyntax = { name: 'drain', options: ['[--minutes N]', '--end'] };

/** Lines of `headwater drain --help` after its usage. */
export const DRAIN_DETAILS: readonly string[] = [
  'From now on no server or worker of this database starts a run: requests for runs get 503 with Retry-After, queued runs wait. Published data are',
  'still served. The command waits until no worker computes a run. Exit code 0: no worker computes a run; 1: a worker still computes a run when the drain ends.',
  '--minutes N   ends the drain after N minutes (1 to 1440; default 60), so that a drain ends even if --end is never called',
  '--end         ends the drain now',
  'Example, before a restart: npx headwater drain && systemctl restart headwater && npx headwater drain --end',
];

const OPTIONS = { minutes: { type: 'string', default: '60' }, end: { type: 'boolean', default: false } } as const;
const MINUTE_MS = 60_000;
const MOST_MINUTES = 1440;
const POLL_MS = 500;

/** Returns the length of the drain in minutes; 0: the drain ends now. Throws `ConfigError` for a wrong argument. */
export function readDrainOptions(args: readonly string[]): number {
  const usage = usageOf(DRAIN);
  const { minutes, end } = readArguments({ args, options: OPTIONS }, usage).values;
  if (end) return 0;
  const count = Number(minutes);
  if (!/^\d+$/.test(minutes) || count < 1 || count > MOST_MINUTES)
    throw new ConfigError(`--minutes: ${JSON.stringify(minutes)} is not a number from 1 to ${MOST_MINUTES}.\n${usage}`);
  return count;
}

/** Drains the servers and workers of an installation (no run is started until the drain ends), or ends the drain. */
export async function drainCommand(config: Config, args: readonly string[]): Promise<void> {
  const minutes = readDrainOptions(args);
  const stores = await openStoresBeside(config);
  try {
    const end = new Date(Date.now() + minutes * MINUTE_MS);
    await stores.installation.write(DRAINING_UNTIL, end.toISOString());
    if (minutes === 0) return print('the drain has ended; runs are started again');
    print(`no run is started until ${end.toISOString()}; waiting for the runs that are computed now`);
    const left = await waitForWorkers(stores, end);
    if (left === 0) return print('drained: no worker computes a run');
    print(`the drain has ended, and ${countOf(left, 'worker')} did not finish in time`);
    process.exitCode = 1;
  } finally {
    await stores.close();
  }
}

/**
 * Waits until no worker computes a run, or until the drain ends. Returns the number of workers that compute. Parked
 * runs and runs of dead workers do not count.
 */
async function waitForWorkers({ operatorLists }: Pick<Stores, 'operatorLists'>, end: Date): Promise<number> {
  // Processes cache DRAINING_UNTIL. During this pause, a process with the old value may still claim a run.
  await setTimeout(2 * DRAIN_CACHE_MS);
  for (let shown = 0; ;) {
    const { workers } = await operatorLists.runCounts(0);
    if (workers === 0 || Date.now() >= end.getTime()) return workers;
    if (workers !== shown) print(`${countOf(workers, 'worker')} at work`);
    shown = workers;
    await setTimeout(POLL_MS);
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
