import type { AssetStore } from '../ports/assets.ts';
import type { RunStore } from '../ports/runs.ts';
import type { Clock, Logger } from '../ports/system.ts';
import type { WorkerSettings } from './types.ts';

interface StartDeps {
  readonly runs: Pick<RunStore, 'list' | 'heartbeat' | 'liveAttempts'>;
  readonly ports: { readonly assets: Pick<AssetStore, 'prune'> };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: Pick<WorkerSettings, 'workerId'>;
}

const MOST = 1000;

/** Ends the leases that a dead process of the same name holds, so that its runs are due now. Never rejects. */
export async function endOwnLeases({ runs, logger, settings }: StartDeps): Promise<void> {
  try {
    const running = await runs.list({ state: 'running', limit: MOST, offset: 0 });
    for (const { id, token, workerId } of running.runs) {
      if (workerId !== settings.workerId) continue;
      logger.info({ runId: id, token }, 'a run of a process that was killed is taken up again');
      await runs.heartbeat(id, token, { leaseMs: 0 });
    }
  } catch (error) {
    logger.error(
      { error: String(error) },
      'runs of a killed process could not be looked for; their leases will run out',
    );
  }
}

/** Removes the folders of dead attempts where the asset store can tell them. Never rejects. */
export async function pruneAssets({ runs, ports, clock, logger }: StartDeps): Promise<void> {
  const { assets } = ports;
  if (assets.prune === undefined) return;
  try {
    // The instant is taken first: a folder made after it may belong to an attempt that the list does not have yet.
    const before = clock.now();
    const removed = await assets.prune(await runs.liveAttempts(), before);
    if (removed > 0) logger.info({ removed }, 'folders of dead attempts removed');
  } catch (error) {
    logger.error({ error: String(error) }, 'folders of dead attempts could not be removed');
  }
}
