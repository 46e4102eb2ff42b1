import { type Logger, messageOf, type Timers } from '@headwater/core';
import type { CatalogStore, InstallationStore, RunStore } from '@headwater/core/ports';
import { isObject } from '@headwater/core/values';
import type { HealthPart } from '@headwater/http-service';
import type { BucketUploads } from '@headwater/ingest';

/** Dependencies of a `BucketKeeper`. */
export interface KeeperParts {
  /** Name of the bucket. */
  readonly name: string;
  readonly uploads: BucketUploads;
  /** Checks the bucket before the first pass, and again after each failure. */
  readonly check: (
    signal: AbortSignal,
  ) => Promise<{ readonly level: 'ok' | 'warning' | 'problem'; readonly text: string }>;
  /** Claims the bucket for this installation. Throws if the bucket has the files of another installation. */
  readonly claim: (signal: AbortSignal) => Promise<unknown>;
  /** Lock by which only one of the processes that share the folder works at a time. */
  readonly installation: Pick<InstallationStore, 'withLock'>;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** Uploads published files to the bucket, and removes files from the bucket that are no longer published. */
export interface BucketKeeper {
  start(): void;
  /** Starts a pass soon (not during the pause after a failure). Call it when a run has ended, so that its files are uploaded. */
  wake(): void;
  health(): HealthPart;
  /** Stops the keeper. Resolves when the upload of the current part of a file has ended. */
  close(): Promise<void>;
}

/**
 * Time between the end of a run and a pass (one comparison of the folder with the bucket), ms. One pass handles all
 * runs that end within this time.
 */
const PAUSE_MS = 200;
/**
 * Longest time between two passes, ms. Passes are also needed without an event, because other processes publish and
 * remove files.
 */
const IDLE_MS = 60_000;
/** First and longest pause after a failure, ms. The pause doubles after each failure. */
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

/**
 * Creates the keeper. Each pass reads the folder to find files that are not uploaded. So files that were not uploaded
 * before the process ended are uploaded after the next start.
 */
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
    // The owner of the bucket is checked in each pass, because another installation may have taken over the bucket.
    await claim(signal);
    if (!isRecovered) {
      const recovered = await uploads.recover(signal);
      if (recovered > 0) logger.info({ recovered }, `${name}: found files again whose records were lost in DATA_DIR`);
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
        if (failure !== undefined) logger.info({}, `published files are copied to ${name} again`);
        failure = undefined;
        failures = 0;
        await sleep(IDLE_MS);
      } catch (error) {
        if (stopping.signal.aborted) return;
        const pauseMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
        failures += 1;
        const reason = messageOf(error);
        // After a failure, the next pass checks the bucket again, because its permissions and region may have changed.
        isChecked = false;
        // A failure is logged only if its reason differs from the last logged reason.
        if (reason !== failure)
          logger.error(
            { error: reason },
            `warning: files wait for ${name}: ${reason} Files in DATA_DIR are served from there, and copied as soon as possible; files that are only in the bucket cannot be read until the bucket is available.`,
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
        return { state: 'warning', detail: `runs with files that wait: ${waiting}; ${failure}` };
      return { state: 'ok', detail: waiting === 0 ? name : `${name}; runs whose files are copied now: ${waiting}` };
    },
    close: async () => {
      stopping.abort();
      await working;
    },
  };
}

/** True for an attempt that published. */
export const isPublished =
  (runs: Pick<RunStore, 'get'>) =>
  async ({ runId, token }: { readonly runId: string; readonly token: number }): Promise<boolean> => {
    const run = await runs.get(runId);
    return run?.state === 'success' && run.token === token;
  };

/** Returns the names of those files of an attempt that the current Items of the run name. */
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
