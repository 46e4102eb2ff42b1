import { DomainError, mwsZones, type OpenedLayer, outputGrid, type ScratchRaster, type Zone } from '@headwater/core';
import { type LayerWork, share } from './work.ts';

/** Reads published class rasters on the output grid. Rasters with another grid were already refused. */
export async function readClasses(
  sources: readonly OpenedLayer[],
  work: Pick<LayerWork<unknown>, 'job' | 'ports' | 'keep' | 'context'>,
  [from, to]: readonly [number, number],
): Promise<readonly ScratchRaster[]> {
  const { job, ports, keep } = work;
  const grid = outputGrid(job.box);
  const read: ScratchRaster[] = [];
  for (const [index, { path }] of sources.entries()) {
    const part = (to - from) / sources.length;
    const context = share(work, [from + index * part, from + (index + 1) * part]);
    const raster = await ports.pixels.read({ path, grid, type: 'uint8', resampling: 'nearest', nodata: 0 }, context);
    keep([raster]);
    read.push(raster);
  }
  return read;
}

/** Returns the output `name` of the pixel engine. Throws `internal` if there is none. */
export function outputOf(outputs: Readonly<Record<string, ScratchRaster>>, name: string): ScratchRaster {
  const raster = outputs[name];
  if (raster === undefined) throw new DomainError('internal', `The pixel engine returned no output named ${name}`);
  return raster;
}

/** Returns the micro-watersheds as zones. Throws `input_data` with a remedy if there are none. */
export function zonesOf({ job, ports }: Pick<LayerWork<unknown>, 'job' | 'ports'>): readonly Zone[] {
  if (job.mws.length > 0) return mwsZones(job);
  throw new DomainError(
    'input_data',
    `${job.place.tehsil.name} has no micro-watersheds, which this layer needs; ${ports.remedies.placeData}`,
  );
}
