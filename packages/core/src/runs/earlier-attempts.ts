import type { AssetStore } from '../ports/assets.ts';
import type { Run } from '../ports/runs.ts';
import type { Logger } from '../ports/system.ts';

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
