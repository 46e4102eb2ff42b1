import { mwsZones, type TableColumn, type WorkContext } from '@headwater/core';
import type { ZonalValues } from '@headwater/core/ports';
import { type LayerWork, MWS_UID, type PlaceParams, type Sheet } from '@headwater/layer-kit';
import type { ElevationSource } from '../dem/elevation-about.ts';
import { evenMargins } from '../dem/dem-grid.ts';
import { readDem } from '../dem/read-dem.ts';

const metres = (name: string, what: string): TableColumn => ({
  name,
  type: 'number',
  unit: 'm',
  description: `${what} elevation of the micro-watershed, metres; null without elevation`,
});

/** Columns of elevations, named as in the CoRE Stack backend. */
const COLUMNS = [
  metres('min_elevation_in_m', 'Lowest'),
  metres('max_elevation_in_m', 'Highest'),
  metres('mean_elevation_in_m', 'Mean'),
] as const;

/** Name of a temporary file with elevations, which is removed before publication. */
const FILE = 'elevation.tif';

/**
 * Creates sheet `dem`: mean (weighted by area), minimum and maximum of elevations. Undefined if the elevations of
 * `source` are no longer available.
 */
export async function elevationSheet(
  { context, job, ports, files, keep }: LayerWork<PlaceParams>,
  source: Pick<ElevationSource, 'title'>,
  step: WorkContext,
): Promise<Sheet | undefined> {
  const part = (from: number, to: number): WorkContext => ({
    signal: step.signal,
    progress: (share) => step.progress(from + (to - from) * share),
  });
  const found = await ports.elevation?.demFor(job.box, step.signal);
  if (found?.title !== source.title) {
    context.log(
      `No sheet of elevations: ${source.title}, from which the landforms were computed, is no longer available`,
    );
    return undefined;
  }
  const dem = await readDem(job.box, { ports, work: part(0, 0.4), margins: evenMargins(0) });
  keep([dem.heights]);
  const request = {
    raster: dem.heights,
    grid: dem.published,
    clip: job.clip,
    nodata: Number.NaN,
    overviews: 'average',
    path: files.path(FILE),
  } as const;
  const { path } = await ports.pixels.writeCog(request, part(0.4, 0.8));
  const zones = await ports.pixels.zonalValues({ path, zones: mwsZones(job) }, part(0.8, 1));
  await files.remove(FILE);
  return sheetOf(
    job.mws.map(({ uid }) => uid),
    zones,
  );
}

/** Sheet `dem`, with a row for each uid. */
function sheetOf(uids: readonly string[], zones: ZonalValues): Sheet {
  const rows = uids.map((uid) => {
    const zone = zones[uid];
    const [low, high, mean] = [zone?.min ?? null, zone?.max ?? null, zone?.mean ?? null];
    return { uid, [COLUMNS[0].name]: low, [COLUMNS[1].name]: high, [COLUMNS[2].name]: mean };
  });
  return { name: 'dem', key: MWS_UID.name, columns: [MWS_UID, ...COLUMNS], rows };
}
