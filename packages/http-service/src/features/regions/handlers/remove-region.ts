import type { Run } from '@headwater/core';
import { regionPath, regionPlace } from '@headwater/core/places';
import type { UserPrincipal } from '@headwater/identity';
import { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import { absent } from '../../../wire/absent.ts';

/** Cancels the runs of a region, then removes its Items, tables and files. Throws `not_found` for an unknown region. */
export async function removeRegion(
  deps: Ports<'assets' | 'logger' | 'runs' | 'stores'>,
  principal: UserPrincipal,
  id: string,
): Promise<void> {
  const path = regionPath(id);
  if (path === undefined) throw absent('region', { id });
  const hadRuns = await cancelRuns(deps, principal, id);
  // The region is removed after the cancellation, because its runs may publish until then.
  const { paths, attempts } = await deps.stores.runs.removeRegions({ path });
  if (paths.length === 0 && !hadRuns) throw absent('region', { id });
  for (const attempt of attempts) await discardFiles(deps, attempt);
}

/** Removes the files of an attempt. A failure is only logged, because a worker tries again later. */
export async function discardFiles(
  { assets, logger }: Ports<'assets' | 'logger'>,
  { id, token }: { readonly id: string; readonly token: number },
): Promise<void> {
  try {
    await assets?.discard(id, token);
  } catch (error) {
    logger.error(
      { runId: id, error: String(error) },
      'could not remove files of a removed result; retrying at the next check',
    );
  }
}

const RegionParameter = z.object({ region: z.tuple([z.number(), z.number(), z.number(), z.number()]) });

/**
 * Minimum and maximum number of times that the runs of a region are listed. A run that returns to the queue may be
 * missing from the first list, but is in the second.
 */
const [MIN_LISTINGS, MAX_LISTINGS] = [2, 3];
/** Runs per read. The queue may have many more runs of all accounts. */
const PAGE = 500;

async function cancelRuns(deps: Ports<'runs' | 'stores'>, principal: UserPrincipal, id: string): Promise<boolean> {
  let hadRuns = false;
  for (let listing = 1; listing <= MAX_LISTINGS; listing += 1) {
    const found = await unfinishedRuns(deps, id);
    for (const run of found) await deps.runs.cancel(principal, run.id);
    hadRuns ||= found.length > 0;
    // A cancelled run stays in the list until its worker stops.
    if (listing >= MIN_LISTINGS && found.every(({ cancelRequested }) => cancelRequested)) break;
  }
  return hadRuns;
}

async function unfinishedRuns(
  { stores }: Ports<'stores'>,
  id: string,
): Promise<readonly Pick<Run, 'id' | 'cancelRequested'>[]> {
  const found: Pick<Run, 'id' | 'cancelRequested'>[] = [];
  for (const state of ['queued', 'running'] as const) {
    for (let offset = 0, isMore = true; isMore; offset += PAGE) {
      const { runs, total } = await stores.runs.list({ state, limit: PAGE, offset });
      for (const { id: runId, cancelRequested, params } of runs)
        if ((await regionIdOf(params)) === id) found.push({ id: runId, cancelRequested });
      isMore = offset + PAGE < total;
    }
  }
  return found;
}

async function regionIdOf(params: unknown): Promise<string | undefined> {
  const { success, data } = RegionParameter.safeParse(params);
  return success ? (await regionPlace(data.region)).place.tehsil.name : undefined;
}
