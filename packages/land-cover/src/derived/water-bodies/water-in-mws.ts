import { DomainError, outputGrid } from '@headwater/core';
import type { ScratchRaster } from '@headwater/core/pixel-plan';
import type { WholeOutcome } from '@headwater/core/ports';
import { type LayerWork, outputOf, readClasses, share, zonesOf } from '@headwater/layer-kit';
import { isObject } from '@headwater/stac';
import type { LulcParams } from '../../request/request.ts';
import { BLOCKS } from '../../run/plan.ts';
import { REGIONS_PER_PLANES } from './block.ts';
import type { WaterBody, WaterFound } from './find-water.ts';

/** Hectares of each water body (by list index) within each micro-watershed that it touches. */
export type WaterInMws = readonly ReadonlyMap<string, number>[];

/** Finds the water bodies of the years, and their parts by micro-watershed. */
export async function waterInMws(
  work: LayerWork<LulcParams>,
): Promise<{ readonly bodies: readonly WaterBody[]; readonly parts: WaterInMws }> {
  const labels = await readClasses(work.sources, work, [0, 0.3]);
  const first = await planes(work, labels, 0);
  const { bodies } = waterFound(first);
  const parts = bodies.map(() => new Map<string, number>());
  let outcome = first;
  for (let from = 0; from < bodies.length; from += REGIONS_PER_PLANES) {
    if (from > 0) outcome = await planes(work, labels, from);
    await addParts(work, { outcome, from, parts });
  }
  return { bodies, parts };
}

async function planes(
  work: LayerWork<LulcParams>,
  labels: readonly ScratchRaster[],
  from: number,
): Promise<WholeOutcome> {
  const outcome = await work.ports.pixels.whole(
    {
      kind: 'whole',
      grid: outputGrid(work.job.box),
      inputs: Object.fromEntries(labels.map((raster, index) => [`labels_${index}`, raster])),
      block: { module: BLOCKS, export: 'waterBlock', params: { from } },
      outputs: [{ name: 'low' }, { name: 'high' }],
    },
    share(work, [0.3, 0.5]),
  );
  work.keep(Object.values(outcome.outputs));
  return outcome;
}

/** Checks the value that the block function returned as JSON from another thread. */
function waterFound({ value }: WholeOutcome): WaterFound {
  if (!isWaterFound(value))
    throw new DomainError('internal', 'The search for water bodies returned an unexpected value');
  return value;
}

const isWaterFound = (value: unknown): value is WaterFound => isObject(value) && Array.isArray(value['bodies']);

interface Parts {
  readonly outcome: WholeOutcome;
  readonly from: number;
  readonly parts: readonly Map<string, number>[];
}

async function addParts(work: LayerWork<LulcParams>, { outcome, from, parts }: Parts): Promise<void> {
  const { job, ports, files } = work;
  const nameOf = (name: 'low' | 'high'): string => `water_${name}_${from}.tif`;
  const write = async (name: 'low' | 'high'): Promise<string> => {
    const path = files.path(nameOf(name));
    const raster = outputOf(outcome.outputs, name);
    const request = { raster, grid: outputGrid(job.box), clip: job.clip, overviews: 'nearest', path } as const;
    await ports.pixels.writeCog(request, share(work, [0.5, 0.6]));
    return path;
  };
  const [path, by] = [await write('low'), await write('high')];
  const zones = await ports.pixels.zonalPairs({ path, by, zones: zonesOf(work) }, share(work, [0.6, 0.75]));
  // The files are removed before publication, because they only assign pixels to bodies.
  await Promise.all([files.remove(nameOf('low')), files.remove(nameOf('high'))]);
  for (const [uid, pairs] of Object.entries(zones)) {
    for (const { by: high, value: low, areaHa } of pairs) {
      if (high > 0 && low > 0) parts[from + (high - 1) * 255 + low - 1]?.set(uid, areaHa);
    }
  }
}
