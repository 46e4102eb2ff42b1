import { regionPath, regionPlace } from '@headwater/core/places';
import type { UserPrincipal } from '@headwater/identity';
import { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import { absent } from '../../../wire/absent.ts';

/**
 * Removes a region with all that was published for it, then its files. First cancels the runs that compute it, so that none of them
 * publishes it again. Throws `not_found` if it is neither published nor computed.
 */
export async function removeRegion(
  deps: Ports<'assets' | 'logger' | 'runs' | 'stores'>,
  principal: UserPrincipal,
  id: string,
): Promise<void> {
  const path = regionPath(id);
  if (path === undefined) throw absent('region', { id });
  const cancelled = await cancelRuns(deps, principal, id);
  const { paths, attempts } = await deps.stores.runs.removeRegions({ path });
  if (paths.length + cancelled === 0) throw absent('region', { id });
  for (const attempt of attempts) await discard(deps, attempt);
}

/** A worker also removes these files with its next check of the folders, so a failure here is not the caller's. */
async function discard(
  { assets, logger }: Ports<'assets' | 'logger'>,
  { id, token }: { readonly id: string; readonly token: number },
): Promise<void> {
  try {
    await assets?.discard(id, token);
  } catch (error) {
    logger.error({ runId: id, error: String(error) }, 'could not remove files of a region; retrying at the next check');
  }
}

/** The box in the parameters of a run that computes a region. */
const RegionParameter = z.object({ region: z.tuple([z.number(), z.number(), z.number(), z.number()]) });

/** More than all accounts may have queued together. */
const MOST_RUNS = 100_000;

async function cancelRuns(
  { runs, stores }: Ports<'runs' | 'stores'>,
  principal: UserPrincipal,
  id: string,
): Promise<number> {
  let cancelled = 0;
  for (const state of ['queued', 'running'] as const) {
    const { runs: found } = await stores.runs.list({ state, limit: MOST_RUNS, offset: 0 });
    for (const run of found) {
      if ((await regionOf(run.params)) !== id) continue;
      await runs.cancel(principal, run.id);
      cancelled += 1;
    }
  }
  return cancelled;
}

async function regionOf(params: unknown): Promise<string | undefined> {
  const { success, data } = RegionParameter.safeParse(params);
  return success ? (await regionPlace(data.region)).place.tehsil.name : undefined;
}
