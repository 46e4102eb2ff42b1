import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@headwater/postgres';
import type { Series } from './series.ts';

const MB = 1e6;
const SECOND_MS = 1000;
/** Largest allowed growth of each quantity. A leak of one object per request exceeds each limit within minutes. */
const BARS = { residentMb: 60, heapMb: 40, buffersMb: 40, handles: 12, delayMs: 150, files: 60 } as const;
const FOLDERS = ['assets', 'scratch', 'places', 'eo'] as const;

/** Sources of the samples: processes by name, a file, a folder and a database. */
export interface Sampled {
  readonly pids: Readonly<Record<string, number>>;
  /** File to which `probe.ts` writes. */
  readonly probeFile: string;
  readonly dataDir: string;
  readonly database: Database;
}

/** Collects samples; `series` returns all samples so far. */
export class Samples {
  readonly #from = performance.now();
  readonly #series = new Map<string, { readonly bar: number; readonly points: [number, number][] }>();
  readonly #sampled: Sampled;
  #probed = 0;

  constructor(sampled: Sampled) {
    this.#sampled = sampled;
  }

  get series(): readonly Series[] {
    return [...this.#series].map(([name, { bar, points }]) => ({ name, bar, points }));
  }

  /** Takes one sample of everything except rows. */
  async take(): Promise<void> {
    for (const [name, pid] of Object.entries(this.#sampled.pids)) {
      this.#add(`${name}: resident memory, MB`, BARS.residentMb, residentBytes(pid) / MB);
      this.#add(`${name}: open file handles`, BARS.handles, readdirSync(`/proc/${pid}/fd`).length);
    }
    this.#takeProbes();
    for (const folder of FOLDERS) {
      const names = await readdir(join(this.#sampled.dataDir, folder), { recursive: true }).catch(() => []);
      this.#add(`files and folders in ${folder}/`, BARS.files, names.length);
    }
  }

  /** Adds the numbers of rows, which may grow because only old rows are removed. */
  async takeRows(): Promise<ReadonlyMap<string, number>> {
    const rows = await rowsOf(this.#sampled.database);
    for (const [table, count] of rows) this.#add(`rows of ${table}`, Infinity, count);
    return rows;
  }

  #takeProbes(): void {
    const lines = readFileSync(this.#sampled.probeFile, 'utf8').split('\n').slice(0, -1);
    const fresh = lines.slice(this.#probed).map((line) => JSON.parse(line) as Readonly<Record<string, number>>);
    this.#probed = lines.length;
    for (const [name, pid] of Object.entries(this.#sampled.pids)) {
      const own = fresh.filter((line) => line['pid'] === pid);
      if (own.length === 0) continue;
      const values = (key: string): number[] => own.map((line) => line[key] ?? 0);
      this.#add(`${name}: heap in use, MB`, BARS.heapMb, Math.min(...values('heapBytes')) / MB);
      this.#add(`${name}: array buffers, MB`, BARS.buffersMb, Math.min(...values('arrayBuffers')) / MB);
      this.#add(`${name}: event-loop delay, 99th percentile, ms`, BARS.delayMs, Math.max(...values('p99Ms')));
    }
  }

  #add(name: string, bar: number, value: number): void {
    const entry = this.#series.get(name) ?? { bar, points: [] };
    entry.points.push([(performance.now() - this.#from) / SECOND_MS, value]);
    this.#series.set(name, entry);
  }
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}

/** Returns the number of rows of every table of the schema. */
export async function rowsOf(database: Database): Promise<ReadonlyMap<string, number>> {
  const tables = await database.rows<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'headwater' order by 1`,
  );
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const row = await database.first<{ n: number }>(`select count(*)::int as n from headwater.${name}`);
    counts.set(name, row?.n ?? 0);
  }
  return counts;
}

/** Moves every stored time into the past by a number of days. */
export async function age(database: Database, days: number): Promise<void> {
  const columns = await database.rows<{ t: string; c: string; kind: string }>(
    `select table_name as t, column_name as c, data_type as kind from information_schema.columns
     join pg_tables on schemaname = table_schema and tablename = table_name
     where table_schema = 'headwater' and is_generated = 'NEVER'
       and (data_type in ('timestamp with time zone', 'date') or (data_type = 'bigint' and column_name like '%at_ms'))`,
  );
  for (const { t, c, kind } of columns) {
    const shift = kind === 'bigint' ? `${days * 86_400_000}::bigint` : `interval '${days} days'`;
    const type = kind === 'date' ? '::date' : '';
    await database.run(`update headwater.${t} set ${c} = (${c} - ${shift})${type} where ${c} is not null`);
  }
}
