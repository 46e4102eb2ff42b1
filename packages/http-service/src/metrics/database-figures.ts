import type { Clock, Timers } from '@headwater/core';
import { LAST_BACKUP_AT } from '@headwater/core/runs';
import { within } from '@headwater/core/timing';
import type { Stores } from '@headwater/identity';
import { gauge, type Family } from './registry.ts';

/** Stores and clock of the figures. */
export interface FiguresParts {
  readonly stores: { readonly [K in 'operatorLists' | 'installation']: Stores[K] };
  /** Names of the pipelines; runs of other pipelines count as `other`. */
  readonly pipelines: ReadonlySet<string>;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Monotonic time, ms. */
  readonly elapsedMs?: () => number;
}

/** Time for which the figures are reused, ms. */
const FRESH_MS = 5000;
/** Age at which cached figures expire while the database does not answer, ms. */
const EXPIRED_MS = 15_000;
const PATIENCE_MS = 1000;
const HOUR_MS = 3_600_000;

/**
 * Creates a function that returns the metrics of the database. If a read fails, or hangs until the cached figures
 * expire, the only metric is `headwater_database_up 0`.
 */
export function createDatabaseFigures(parts: FiguresParts): () => Promise<readonly Family[]> {
  const { timers, elapsedMs: now = () => performance.now() } = parts;
  let known: { readonly families: readonly Family[]; readonly atMs: number } | undefined;
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    try {
      known = { families: await familiesOf(parts), atMs: now() };
    } catch {
      known = undefined;
    }
    reading = undefined;
  };
  return async () => {
    if (known === undefined || now() - known.atMs >= FRESH_MS) {
      // All scrapes share one read, because otherwise each scrape would start another hanging statement.
      reading ??= read();
      await within(timers, PATIENCE_MS, reading);
    }
    const isUp = known !== undefined && now() - known.atMs < EXPIRED_MS;
    const up = gauge('headwater_database_up', '1 if the database answers, otherwise 0.', isUp ? 1 : 0);
    return [up, ...(isUp && known !== undefined ? known.families : [])];
  };
}

async function familiesOf({ stores, pipelines, clock }: FiguresParts): Promise<readonly Family[]> {
  const [{ runs, waiting, oldestAt, workers }, backupAt] = await Promise.all([
    stores.operatorLists.runCounts(HOUR_MS),
    stores.installation.read(LAST_BACKUP_AT),
  ]);
  const ageMs = oldestAt === null ? 0 : Math.max(0, clock.now().getTime() - Date.parse(oldestAt));
  const counted = new Map<string, { labels: { pipeline: string; state: string }; value: number }>();
  for (const { pipeline: name, state, count } of runs) {
    const pipeline = pipelines.has(name) ? name : 'other';
    const key = `${pipeline} ${state}`;
    counted.set(key, { labels: { pipeline, state }, value: (counted.get(key)?.value ?? 0) + count });
  }
  const samples = [...counted.values()];
  const isOpen = ({ labels: { state } }: (typeof samples)[number]): boolean =>
    state === 'queued' || state === 'running';
  const backup = Date.parse(backupAt ?? '') / 1000;
  return [
    {
      name: 'headwater_runs_open',
      type: 'gauge',
      help: 'Queued and running runs of the installation.',
      samples: samples.filter(isOpen),
    },
    {
      name: 'headwater_runs_ended_last_hour',
      type: 'gauge',
      help: 'Runs of the installation that ended within the last hour.',
      samples: samples.filter((sample) => !isOpen(sample)),
    },
    gauge('headwater_queue_waiting_runs', 'Queued runs that wait for no other run.', waiting),
    gauge(
      'headwater_queue_oldest_age_seconds',
      'Age of the oldest queued run that waits for no other run; 0 if there is none.',
      ageMs / 1000,
    ),
    gauge('headwater_workers_active', 'Workers that compute at least one run.', workers),
    {
      name: 'headwater_last_backup_timestamp_seconds',
      type: 'gauge',
      help: 'Last successful backup, seconds since 1970; absent if there is none.',
      samples: Number.isNaN(backup) ? [] : [{ value: backup }],
    },
  ];
}
