import { type EoAccount, type Logger, messageOf, type Timers } from '@headwater/core';
import type { ClaimedSceneUse, DomainStores, SceneUse } from '@headwater/core/ports';
import type { ServiceAccount } from '@headwater/net/google';
import { type FailureKind, type GoogleApi, PlatformError } from '../google-api.ts';
import { computingTime } from './computing-time.ts';

/** OAuth scope for reading the computing time. */
export const USAGE_SCOPES: readonly string[] = ['https://www.googleapis.com/auth/monitoring.read'];

/** Remedies for the messages of failures of Cloud Monitoring. */
export const USAGE_REMEDIES: Readonly<Record<FailureKind, string>> = {
  transient: '.',
  quota: '.',
  denied:
    '. Enable the Cloud Monitoring API of the project, and give the service account the role Monitoring Viewer (permission monitoring.timeSeries.list).',
  missing: '. Check the project of the service account.',
  exists: '.',
  refused: '. Report it to the operator of the service.',
};

const MINUTE_MS = 60_000;
/**
 * Pauses between the reads of a run, ms. The first pause begins at the end of the run. There are several reads, because
 * data may arrive late.
 */
export const READ_PAUSES_MS: readonly number[] = [5, 10, 20, 40, 80, 240, 720, 1440].map(
  (minutes) => minutes * MINUTE_MS,
);
const SETTLED_MS = 60 * MINUTE_MS;
const OPEN_PAUSE_MS = 5 * MINUTE_MS;
const SEARCH_MS = MINUTE_MS;
/** Lease of a read, ms, longer than the time limits of its requests. */
const LEASE_MS = 15 * MINUTE_MS;
/** Time from the start of the period that is read to the first request, ms. It is above 0, because clocks differ. */
const EARLIER_MS = 60 * MINUTE_MS;

/** Reads the computing time of runs after their end. Processes on one database share the work. */
export interface UsageReader {
  /** Makes due reads until `close`. */
  start(): void;
  close(): Promise<void>;
  /** Makes all reads that are due now; returns their number. */
  runDue(): Promise<number>;
}

/** Dependencies of `createUsageReader`. */
export interface UsageReaderParts {
  readonly stores: Pick<DomainStores, 'eoAccounts' | 'runs' | 'sceneUses'>;
  readonly serviceOf: (account: EoAccount) => Promise<ServiceAccount>;
  /** Client with `USAGE_SCOPES`. */
  readonly apiOf: (account: ServiceAccount) => Pick<GoogleApi, 'request'>;
  readonly now: () => Date;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** Creates the reader. The store is the queue, so nothing is lost if this process ends. */
export function createUsageReader(parts: UsageReaderParts): UsageReader {
  const { stores, timers, logger, now } = parts;
  const stopping = new AbortController();
  let working: Promise<void> | undefined;
  const runDue = async (): Promise<number> => {
    for (let reads = 0; ; reads += 1) {
      const claimed = stopping.signal.aborted ? undefined : await stores.sceneUses.claim(now(), LEASE_MS);
      if (claimed === undefined) return reads;
      const change = await read(claimed, parts, stopping.signal);
      if (change !== undefined) await stores.sceneUses.save(claimed, change);
    }
  };
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await runDue();
      } catch (error) {
        if (!stopping.signal.aborted)
          logger.info({ error: messageOf(error) }, 'the computing time of Earth Engine was not read; trying again');
      }
      await timers.sleep(SEARCH_MS, stopping.signal);
    }
  };
  return {
    runDue,
    start: () => void (working ??= work()),
    close: async () => {
      stopping.abort();
      await working;
    },
  };
}

type Change = Pick<SceneUse, 'eecuSeconds' | 'problem' | 'reads' | 'dueAt'>;

async function read(use: ClaimedSceneUse, parts: UsageReaderParts, signal: AbortSignal): Promise<Change | undefined> {
  const { stores, now } = parts;
  const run = await stores.runs.get(use.runId);
  const dueIn = (pauseMs: number): string => new Date(now().getTime() + pauseMs).toISOString();
  const { eecuSeconds, problem, reads } = use;
  if (use.isWhole && use.requests === 0) return { eecuSeconds, problem, reads, dueAt: null };
  if (run?.finishedAt === null) return { eecuSeconds, problem, reads, dueAt: dueIn(OPEN_PAUSE_MS) };
  const [first = 0] = READ_PAUSES_MS;
  const endMs = Date.parse(run?.finishedAt ?? use.startedAt);
  if (reads === 0 && endMs + first > now().getTime())
    return { eecuSeconds, problem, reads, dueAt: new Date(endMs + first).toISOString() };
  const nextPauseMs = READ_PAUSES_MS[reads + 1];
  const next = (pauseMs = 0) => ({
    reads: reads + 1,
    dueAt: nextPauseMs === undefined ? null : dueIn(Math.max(nextPauseMs, pauseMs)),
  });
  try {
    const found = await readTime(use, parts, signal);
    if (found === undefined) return { eecuSeconds, problem: NO_DATA, ...next() };
    // Data arrive in parts, so a sum is final only if a later read finds an equal sum.
    const isSame = eecuSeconds !== null && Math.abs(found - eecuSeconds) <= ROUNDING * found;
    const isFinal = isSame && now().getTime() >= endMs + SETTLED_MS;
    const known = { eecuSeconds: found, problem: null, ...next() };
    if (isFinal) return { ...known, dueAt: null };
    if (known.reads === READ_PAUSES_MS.length) return { ...known, dueAt: dueIn(SETTLED_MS) };
    return known.dueAt === null ? { ...known, problem: UNCONFIRMED } : known;
  } catch (error) {
    if (signal.aborted) return undefined;
    // Other errors are not stored, only logged: they may contain private details, and all users of the run see stored
    // problems.
    if (!(error instanceof PlatformError)) throw error;
    return { eecuSeconds, problem: error.message, ...next(error.retryAfterMs) };
  }
}

/**
 * Largest relative difference of two sums that count as equal, because sums of the same numbers may differ by rounding.
 */
const ROUNDING = 1e-9;

const NO_DATA =
  'Cloud Monitoring has no data of this run. Data arrive minutes after the end of a run, and only for requests that succeeded.';

const UNCONFIRMED = 'The last two reads found different computing times, so more data may have arrived later.';

const unreadable = (reason: string): PlatformError => new PlatformError('refused', reason);

/** Reads the computing time with the account of the run, and only from the charged project. */
async function readTime(
  { accountId, project, workloadTag, startedAt }: SceneUse,
  { stores, serviceOf, apiOf, now, logger }: UsageReaderParts,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (project === null)
    throw unreadable(
      'The attempts of this run were charged to several projects, so its computing time cannot be read.',
    );
  const account = await stores.eoAccounts.byId(accountId);
  if (account === undefined)
    throw unreadable('The account of this run was removed, so its computing time cannot be read.');
  let service: ServiceAccount;
  try {
    service = await serviceOf(account);
  } catch (error) {
    logger.info({ accountId, error: messageOf(error) }, 'the credentials of an account cannot be used');
    throw unreadable(`The credentials of account ${accountId} cannot be used. An administrator can test them.`);
  }
  if (service.projectId !== project)
    throw unreadable(
      `The key of account ${accountId} now belongs to another project than the one that was charged, so the computing time cannot be read.`,
    );
  const from = new Date(Date.parse(startedAt) - EARLIER_MS);
  return await computingTime(apiOf(service), { project, workloadTag, from, until: now() }, signal);
}
