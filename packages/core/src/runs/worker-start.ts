import type { AssetStore } from '../ports/assets.ts';
import type { Run, RunStore } from '../ports/runs.ts';
import type { Clock, Logger } from '../ports/host.ts';
import type { WorkerSettings } from './types.ts';

interface StartDeps {
  readonly runs: Pick<RunStore, 'get' | 'liveAttempts' | 'endAbandonedImports'>;
  readonly ports: { readonly assets: Pick<AssetStore, 'prune'> };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: Pick<WorkerSettings, 'keepReplacedMs'>;
}

/** Number of runs that one step reads, to end the leases of some of them. */
const BATCH = 500;

/** Ends the leases of runs that a dead process with the same worker name holds, so that they can be claimed now. Never rejects. */
export async function endOwnLeases({
  runs,
  logger,
  settings,
}: {
  readonly runs: Pick<RunStore, 'list' | 'heartbeats'>;
  readonly logger: Logger;
  readonly settings: Pick<WorkerSettings, 'workerId'>;
}): Promise<void> {
  try {
    const freed = new Set<string>();
    for (let offset = 0, before = 0; ;) {
      const { runs: page, total } = await runs.list({ state: 'running', limit: BATCH, offset });
      const own = page.filter(({ id, workerId }) => workerId === settings.workerId && !freed.has(id));
      for (const { id, token } of own) {
        freed.add(id);
        logger.info({ runId: id, token }, 'releasing a run of a killed process');
      }
      const beats = own.map(({ id, token }) => ({ id, token }));
      if (beats.length > 0) await runs.heartbeats(beats, 0);
      // If n runs have ended since the last page was read, they are no longer in the list, and the runs after them are n positions
      // earlier. So the offset is reduced by n.
      const gone = Math.max(0, before - total);
      if (gone === 0 && page.length < BATCH) return;
      offset = gone === 0 ? offset + page.length : Math.max(0, offset - gone);
      before = total;
    }
  } catch (error) {
    logger.error({ error: String(error) }, 'could not release the runs of a killed process; their leases will end');
  }
}

/**
 * Time after which an unclaimed import counts as dead, ms. A living process claims the run of its import immediately
 * after it has queued the run.
 */
const QUEUED_IMPORT_MS = 5 * 60_000;

/**
 * Ends imports whose process died. No other process continues these imports, so without this step their files and locks would stay
 * for ever. Never rejects.
 */
export async function endAbandonedImports({ runs, logger }: Pick<StartDeps, 'runs' | 'logger'>): Promise<void> {
  try {
    const ended = await runs.endAbandonedImports(QUEUED_IMPORT_MS);
    if (ended > 0) logger.info({ ended }, 'ended imports whose process died');
  } catch (error) {
    logger.error({ error: String(error) }, 'could not end imports whose process died; retrying at the next check');
  }
}

/**
 * Removes files of a run's earlier attempts. The workers of these attempts were killed or lost the run. Published
 * files stay, because a run is never claimed again after it has published. Never rejects.
 */
export async function discardEarlierAttempts(
  assets: Pick<AssetStore, 'discard'>,
  run: Run,
  logger: Logger,
): Promise<void> {
  try {
    for (let token = 1; token < run.token; token += 1) await assets.discard(run.id, token);
  } catch (error) {
    logger.error(
      { runId: run.id, error: String(error) },
      'could not remove files of an earlier attempt; retrying at the next start',
    );
  }
}

/**
 * Removes folders of failed attempts, and of attempts whose Items were all replaced at least `keepReplacedMs` ago.
 * Does nothing if the asset store cannot list folders. Folders of unknown runs stay, because another database may
 * share the disk. Never rejects. Returns false if folders of dead attempts may be left.
 */
export async function pruneAssets({ runs, ports, clock, logger, settings }: StartDeps): Promise<boolean> {
  const { assets } = ports;
  if (assets.prune === undefined) return true;
  try {
    const before = clock.now();
    // The live attempts are read after the folders have been listed (at the first call of `isDead`), not before. An attempt is
    // stored before its folder is created, so the live attempts then include the owners of all listed folders, even if the clocks
    // of the machines that share the disk differ.
    let live: Promise<ReadonlySet<string>> | undefined;
    const readLive = async (): Promise<ReadonlySet<string>> =>
      new Set((await runs.liveAttempts(settings.keepReplacedMs)).map(({ id, token }) => `${id}/${token}`));
    const isDead = async (id: string, token: number): Promise<boolean> => {
      live ??= readLive();
      return !(await live).has(`${id}/${token}`) && (await runs.get(id)) !== undefined;
    };
    const removed = await assets.prune(isDead, before);
    if (removed > 0) logger.info({ removed }, 'folders of dead attempts removed');
    return true;
  } catch (error) {
    logger.error({ error: String(error) }, 'folders of dead attempts could not be removed');
    return false;
  }
}
