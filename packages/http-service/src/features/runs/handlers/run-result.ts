import type { Run } from '@headwater/core';
import type { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import { OWN_PLATFORM } from '../../../items/own-platform.ts';
import { createPublication, type PublicationOptions } from '../../../layers/publication.ts';
import { type Asked, type ComputeSuccess, successBody } from '../schemas/compute.ts';
import { runView } from '../schemas/run-view.ts';
import type { StacItem } from '../../stac-api/schemas/stac.ts';
import { publishedBy, runFailed } from './run-body.ts';

/** Where a run's result is read, and how its addresses begin. */
export interface ResultSources extends Ports<'stores' | 'baseUrl'> {
  readonly publication?: PublicationOptions | undefined;
}

/** What was asked for beside what an answer says of it. */
export interface AskedResult extends Omit<Asked, 'hostingPlatform'> {
  /** Platform that hosts the files, as `AssetStore.platform` names it; default: this service. */
  readonly hostingPlatform?: string | undefined;
  /** Hydrological year whose raster stands first; undefined = the run's own order. */
  readonly year: number | undefined;
}

type Item = z.infer<typeof StacItem>;

/** What a run published, as a computing route tells it that has waited. Throws the run's failure where it did not succeed. */
export async function runResult(
  run: Run,
  { stores, baseUrl, publication = {} }: ResultSources,
  { year, hostingPlatform = OWN_PLATFORM, ...asked }: AskedResult,
): Promise<z.infer<typeof ComputeSuccess>> {
  const view = runView(run, baseUrl);
  if (run.state !== 'success') throw runFailed(run, view);
  const made = await publishedBy(run, { stores, baseUrl, publication: createPublication(publication, baseUrl) });
  const items = year === undefined ? made.items : withFirst(made.items, (item) => isRasterOf(item, year));
  return successBody(run, { ...asked, hostingPlatform, ...made, items }, view);
}

/** The first that fits in front, the others as they were. */
function withFirst(items: readonly Item[], fits: (item: Item) => boolean): readonly Item[] {
  const found = items.find(fits);
  return found === undefined ? items : [found, ...items.filter((item) => item !== found)];
}

/** True for an Item whose data is a raster and whose time begins in that year. */
function isRasterOf({ properties, assets }: Item, year: number): boolean {
  const { start_datetime: start } = properties;
  const type = assets['data']?.type ?? '';
  return typeof start === 'string' && start.startsWith(`${year}-`) && type.startsWith('image/');
}
