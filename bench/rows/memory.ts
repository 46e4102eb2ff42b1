import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startServerProcess } from '../../e2e/server-process.ts';
import { findPostgres } from '../../scripts/postgres-cluster.mjs';
import { BENCH_FOLDER } from '../inputs.ts';
import { isWanted } from '../options.ts';
import { judge } from '../table.ts';
import type { BenchResult } from '../table.ts';
import type { RowContext, RowGroup } from './context.ts';

/** Largest allowed memory of an idle service, MiB, by row; null for no limit. */
const BARS = {
  memory_embedded_first_start: 500,
  memory_embedded_reopened: 500,
  memory_embedded_after_job: 500,
  memory_postgres_idle: 180,
  memory_postgres_after_job: null,
} as const;
type Row = keyof typeof BARS;
const NAMES = Object.keys(BARS) as readonly Row[];

/** Pause before the measurement, in which Node collects the garbage of the start, ms. */
const IDLE_MS = 10_000;
const START_MS = 600_000;

/** Resident memory of an idle reference server with all its processes. */
export const memoryRows: RowGroup = { names: NAMES, run };

type Environment = Readonly<Record<string, string>>;

async function run({ options }: RowContext): Promise<BenchResult[]> {
  if (!existsSync('/proc/self/smaps_rollup')) {
    console.log('memory skipped: this system has no /proc/self/smaps_rollup');
    return [];
  }
  mkdirSync(BENCH_FOLDER, { recursive: true });
  const figures = new Map<Row, number>();
  const wanted = (name: Row): boolean => isWanted(name, options);
  if (NAMES.some((name) => name.startsWith('memory_embedded') && wanted(name)))
    await measureStarts(
      {},
      ['memory_embedded_first_start', 'memory_embedded_reopened', 'memory_embedded_after_job'],
      figures,
    );
  if (NAMES.some((name) => name.startsWith('memory_postgres') && wanted(name))) await measurePostgresMemory(figures);
  return NAMES.filter(wanted).flatMap((name) => {
    const mib = figures.get(name);
    if (mib === undefined) return [];
    return [judge({ name, unit: 'MiB', better: 'less', bar: BARS[name], ceiling: true, ours: [mib], peer: undefined })];
  });
}

async function measurePostgresMemory(figures: Map<Row, number>): Promise<void> {
  const found = findPostgres();
  if (found.make === undefined) {
    console.log(`memory_postgres skipped: ${found.missing}`);
    return;
  }
  const cluster = found.make();
  try {
    const env = { DB_HOST: cluster.folder, DB_NAME: 'postgres', DB_USER: cluster.role };
    await measureStarts(env, [undefined, 'memory_postgres_idle', 'memory_postgres_after_job'], figures);
  } finally {
    cluster.remove();
  }
}

async function measureStarts(
  env: Environment,
  rows: readonly (Row | undefined)[],
  figures: Map<Row, number>,
): Promise<void> {
  const dataDir = mkdtempSync(join(BENCH_FOLDER, 'memory-'));
  try {
    for (const [start, row] of rows.entries()) {
      const mib = await measureMemory(env, dataDir, start < 2 ? ['--no-sample'] : []);
      if (row !== undefined) figures.set(row, mib);
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measureMemory(env: Environment, dataDir: string, args: readonly string[]): Promise<number> {
  const server = await startServerProcess({ dataDir, env, args, makesSample: true });
  try {
    await server.printed(/Open http/, START_MS);
    await pause(IDLE_MS);
    return residentMib(server.pid);
  } finally {
    await server.stop('SIGTERM');
  }
}

function residentMib(root: number): number {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [Number(pid), parentOf(Number(pid))]),
  );
  const isOurs = (pid: number): boolean => pid === root || (pid > 1 && isOurs(parents.get(pid) ?? 0));
  const kib = [...parents.keys()].filter(isOurs).map((pid) => statusOf(pid, 'VmRSS'));
  return kib.reduce((a, b) => a + b, 0) / 1024;
}

const parentOf = (pid: number): number => statusOf(pid, 'PPid');

/** Number in a field of /proc/PID/status; 0 if the process has ended. */
function statusOf(pid: number, field: string): number {
  try {
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
