import { type Logger, messageOf, type Timers } from '@headwater/core';
import type { CatalogStore, InstallationStore, RunStore } from '@headwater/core/ports';
import { isObject } from '@headwater/core/values';
import type { HealthPart } from '@headwater/http-service';
import type { BucketUploads } from '@headwater/ingest';

/** Dependencies of a `BucketKeeper`. */
export interface KeeperParts {
  readonly name: string;
  readonly uploads: BucketUploads;
  /** Checks the bucket before the first pass and after each failure. */
  readonly check: (
    signal: AbortSignal,
  ) => Promise<{ readonly level: 'ok' | 'warning' | 'problem'; readonly text: string }>;
  /** Claims the bucket. Throws if another installation owns it. */
  readonly claim: (signal: AbortSignal) => Promise<unknown>;
  /** Lock of the processes that share the folder. */
  readonly installation: Pick<InstallationStore, 'withLock'>;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** Uploads published files to the bucket, and removes unpublished files from the bucket. */
export interface BucketKeeper {
  start(): void;
  /** Starts a pass soon, except during the pause after a failure. Call `wake` when a run has ended. */
  wake(): void;
  health(): HealthPart;
  /** Aborts the current pass; a later start continues its uploads. Resolves when the pass has ended. */
  close(): Promise<void>;
}

/** Delay before each pass, ms, so that one pass handles runs that end at almost the same time. */
const PAUSE_MS = 200;
/** Longest wait for the next pass, ms, because runs of other processes do not call `wake`. */
const IDLE_MS = 60_000;
/** Shortest and longest pause after a failure, ms. Each failure doubles the pause. */
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

/** Creates the keeper. Each pass compares the folder with the records of uploads, so that a restart loses no upload. */
export function createBucketKeeper(parts: KeeperParts): BucketKeeper {
  const { name, uploads, check, claim, installation, timers, logger } = parts;
  const stopping = new AbortController();
  let waking = new AbortController();
  let working: Promise<void> | undefined;
  let failure: string | undefined;
  let isChecked = false;
  let isRecovered = false;
  const sleep = async (ms: number): Promise<void> => {
    await timers.sleep(ms, AbortSignal.any([stopping.signal, waking.signal]));
  };
  const pass = async (signal: AbortSignal): Promise<void> => {
    if (!isChecked) {
      const { level, text } = await check(signal);
      if (level !== 'ok') throw new Error(text);
      isChecked = true;
    }
    await claim(signal);
    if (!isRecovered) {
      const recovered = await uploads.recover(signal);
      if (recovered > 0)
        logger.info(
          { recovered },
          `${name}: the records of some published files were missing in DATA_DIR and were written again`,
        );
      isRecovered = true;
    }
    await uploads.run(signal);
  };
  const work = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted;) {
      await timers.sleep(PAUSE_MS, stopping.signal);
      waking = new AbortController();
      try {
        await installation.withLock('object storage', pass, stopping.signal);
        if (failure !== undefined) logger.info({}, `copying of published files to ${name} works again`);
        failure = undefined;
        failures = 0;
        await sleep(IDLE_MS);
      } catch (error) {
        if (stopping.signal.aborted) return;
        const pauseMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
        failures += 1;
        const reason = messageOf(error).replace(/(?<![.?!])$/, '.');
        isChecked = false;
        if (reason !== failure)
          logger.error(
            { error: reason },
            `warning: published files wait for their copy in ${name}: ${reason} They are served from DATA_DIR until then. Files that are only in the bucket cannot be read until the bucket is available.`,
          );
        failure = reason;
        await timers.sleep(pauseMs, stopping.signal);
      }
    }
  };
  return {
    start: () => void (working ??= work()),
    wake: () => waking.abort(),
    health: () => {
      const waiting = uploads.pending();
      if (failure !== undefined)
        return { state: 'warning', detail: `runs whose files wait for their copy: ${waiting}; ${failure}` };
      return { state: 'ok', detail: waiting === 0 ? name : `${name}; runs whose files are copied now: ${waiting}` };
    },
    close: async () => {
      stopping.abort();
      await working;
    },
  };
}

/** True for an attempt that published files. */
export const isPublished =
  (runs: Pick<RunStore, 'get'>) =>
  async ({ runId, token }: { readonly runId: string; readonly token: number }): Promise<boolean> => {
    const run = await runs.get(runId);
    return run?.state === 'success' && run.token === token;
  };

/** Names of the attempt's files that the current Items of the run contain. */
export const namedFiles =
  (catalog: Pick<CatalogStore, 'itemsOfRun'>) =>
  async ({ runId, token }: { readonly runId: string; readonly token: number }): Promise<readonly string[]> => {
    const items = (await catalog.itemsOfRun(runId)).filter(({ replaced }) => !replaced);
    const names = items
      .flatMap(({ item }) => Object.values(isObject(item['assets']) ? item['assets'] : {}))
      .flatMap((asset) => {
        const [, folder, name] = /^(?:.*\/)?([^/]+\/\d+)\/([^/?#]+)$/.exec(hrefOf(asset)) ?? [];
        return name !== undefined && folder === `${runId}/${token}` ? [name] : [];
      });
    return [...new Set(names)];
  };

const hrefOf = (asset: unknown): string => (isObject(asset) && typeof asset['href'] === 'string' ? asset['href'] : '');
