import type { Run } from '@headwater/core';
import type { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import { OWN_PLATFORM } from '../../../items/computing-routes.ts';
import { createPublication, type PublicationOptions } from '../../../layers/publication.ts';
import { type AnswerDetails, type ComputeSuccess, successBody } from '../schemas/compute.ts';
import { runView } from '../schemas/run-view.ts';
import type { StacItem } from '../../stac-api/schemas/stac.ts';
import { publishedBy, runFailed } from './run-body.ts';

/** Stores and addresses for the result of a run. */
export interface ResultSources extends Ports<'stores' | 'baseUrl'> {
  readonly publication?: PublicationOptions | undefined;
}

/** Options of `runResult`. */
export interface RunResultOptions extends Omit<AnswerDetails, 'hostingPlatform'> {
  /** Platform that hosts the files (see `AssetStore.platform`); default: this service. */
  readonly hostingPlatform?: string | undefined;
  /** Hydrological year whose raster becomes the first Item. */
  readonly year: number | undefined;
}

type Item = z.infer<typeof StacItem>;

/** Publications of a run, as the body of a response with `wait=true`. Throws the error of a failed run. */
export async function runResult(
  run: Run,
  { stores, baseUrl, publication = {} }: ResultSources,
  { year, hostingPlatform = OWN_PLATFORM, ...details }: RunResultOptions,
): Promise<z.infer<typeof ComputeSuccess>> {
  const view = runView(run, baseUrl);
  if (run.state !== 'success') throw runFailed(run, view);
  const credits = createPublication(publication, baseUrl);
  // Commands print these Items, so no links to maps are needed.
  const published = await publishedBy(run, { stores, baseUrl, publication: credits, mapServer: undefined });
  const items = year === undefined ? published.items : withFirst(published.items, (item) => isRasterOf(item, year));
  return successBody(run, { ...details, hostingPlatform, ...published, items }, view);
}

function withFirst(items: readonly Item[], matches: (item: Item) => boolean): readonly Item[] {
  const found = items.find(matches);
  return found === undefined ? items : [found, ...items.filter((item) => item !== found)];
}

function isRasterOf({ properties, assets }: Item, year: number): boolean {
  const { start_datetime: start } = properties;
  const type = assets['data']?.type ?? '';
  return typeof start === 'string' && start.startsWith(`${year}-`) && type.startsWith('image/');
}
