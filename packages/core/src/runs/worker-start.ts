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

const BATCH = 500;

/** Ends the leases of a dead process with the same worker name, so that its runs can be claimed. Never rejects. */
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
      // Runs that ended since the last page are no longer in the list, so the offset is reduced by their number.
      const gone = Math.max(0, before - total);
      if (gone === 0 && page.length < BATCH) return;
      offset = gone === 0 ? offset + page.length : Math.max(0, offset - gone);
      before = total;
    }
  } catch (error) {
    logger.error(
      { error: String(error) },
      'could not release the runs of a killed process; workers claim them when their leases end',
    );
  }
}

/** Time after which an unclaimed import counts as dead, ms. A living process claims its import immediately. */
const QUEUED_IMPORT_MS = 5 * 60_000;

/** Ends imports whose process died, so that their files and locks are released. Never rejects. */
export async function endAbandonedImports({ runs, logger }: Pick<StartDeps, 'runs' | 'logger'>): Promise<void> {
  try {
    const ended = await runs.endAbandonedImports(QUEUED_IMPORT_MS);
    if (ended > 0) logger.info({ ended }, 'ended imports whose process died');
  } catch (error) {
    logger.error({ error: String(error) }, 'could not end imports whose process died; retrying at the next check');
  }
}

/** Removes files of a run's earlier attempts. Never rejects. */
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
      'could not remove files of an earlier attempt; retrying at the next check',
    );
  }
}

/**
 * Removes folders of dead attempts. Never rejects; returns false if such folders may be left.
 * Folders of unknown runs stay, because another database may share the disk.
 */
export async function pruneAssets({ runs, ports, clock, logger, settings }: StartDeps): Promise<boolean> {
  const { assets } = ports;
  if (assets.prune === undefined) return true;
  try {
    const before = clock.now();
    // Live attempts, which are read after the folders were listed. Each attempt is stored before its folder is
    // created, so no live folder is removed.
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
