import type { AssetStore } from '../ports/assets.ts';
import type { Run, RunStore } from '../ports/runs.ts';
import type { Clock, Logger } from '../ports/system.ts';
import type { WorkerSettings } from './types.ts';

interface StartDeps {
  readonly runs: Pick<RunStore, 'get' | 'liveAttempts' | 'endAbandonedImports'>;
  readonly ports: { readonly assets: Pick<AssetStore, 'prune'> };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: Pick<WorkerSettings, 'keepReplacedMs'>;
}

/** Runs that are read and freed in one step. */
const BATCH = 500;

/** Ends the leases that a dead process of the same name holds, so that its runs are due now, however many. Never rejects. */
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
        logger.info({ runId: id, token }, 'a run of a process that was killed is taken up again');
      }
      const held = own.map(({ id, token }) => ({ id, token }));
      if (held.length > 0) await runs.heartbeats(held, 0);
      // What others have ended meanwhile is gone from the list: what came after it has moved up, and is looked for there.
      const gone = Math.max(0, before - total);
      if (gone === 0 && page.length < BATCH) return;
      offset = gone === 0 ? offset + page.length : Math.max(0, offset - gone);
      before = total;
    }
  } catch (error) {
    logger.error(
      { error: String(error) },
      'runs of a killed process could not be looked for; their leases will run out',
    );
  }
}

/** An import claims its run as soon as it has queued it; ms. */
const QUEUED_IMPORT_MS = 5 * 60_000;

/** Ends imports whose process died: nobody else takes them up, and their files and places would be kept for them. Never rejects. */
export async function endAbandonedImports({ runs, logger }: Pick<StartDeps, 'runs' | 'logger'>): Promise<void> {
  try {
    const ended = await runs.endAbandonedImports(QUEUED_IMPORT_MS);
    if (ended > 0) logger.info({ ended }, 'imports whose process died were ended');
  } catch (error) {
    logger.error({ error: String(error) }, 'imports whose process died could not be ended; the next look tries again');
  }
}

/**
 * Removes what earlier attempts at a run left behind: their workers were killed or lost it. Published files are safe,
 * because a run that published is never claimed again. Never rejects.
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
      'files of an earlier attempt stay behind until the next start',
    );
  }
}

/**
 * Removes folders of attempts that failed, and of those whose Items were all replaced long enough ago, where the asset store can
 * list them. Folders of runs that this store does not know stay: another database may share the disk. Never rejects; false where
 * some that should have gone may still be there.
 */
export async function pruneAssets({ runs, ports, clock, logger, settings }: StartDeps): Promise<boolean> {
  const { assets } = ports;
  if (assets.prune === undefined) return true;
  try {
    const before = clock.now();
    // Read when the folders are listed: an attempt is stored before its folder is made, so none is missing here, whatever the
    // clocks of the machines that share the disk say.
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
