import type { AssetStore } from '../ports/assets.ts';
import type { RunStore } from '../ports/runs.ts';
import type { Logger } from '../ports/host.ts';
import type { WorkerSettings } from './types.ts';

/** Dependencies of the removal of regions. */
export interface RegionRemovalDeps {
  readonly runs: Pick<RunStore, 'removeRegions'>;
  readonly ports: { readonly assets: Pick<AssetStore, 'discard'> };
  readonly logger: Logger;
  readonly settings: Pick<WorkerSettings, 'keepRegionsMs'>;
}

const BATCH = 50;

/** Removes expired regions with their files until none is left or `stop` aborts. Never rejects. */
export async function removeOldRegions(
  { runs, ports, logger, settings }: RegionRemovalDeps,
  stop: AbortSignal,
): Promise<void> {
  const { keepRegionsMs: ageMs } = settings;
  if (ageMs === 0) return;
  const removed = { regions: 0, items: 0 };
  try {
    for (let isMore = true; isMore && !stop.aborted;) {
      const { paths, items, attempts } = await runs.removeRegions({ ageMs, most: BATCH });
      removed.regions += paths.length;
      removed.items += items;
      // If the process dies here, `pruneAssets` removes these files.
      for (const { id, token } of attempts) await ports.assets.discard(id, token);
      isMore = paths.length === BATCH;
    }
  } catch (error) {
    logger.error({ error: String(error) }, 'expired regions could not be removed; retrying at the next check');
  }
  if (removed.regions > 0) logger.info(removed, 'expired regions removed');
}
