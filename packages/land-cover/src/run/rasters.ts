import {
  fileName,
  outputGrid,
  type PipelineContext,
  type PipelinePorts,
  type Rgba,
  type StoredFile,
  type WorkContext,
  type WrittenRaster,
} from '@headwater/core';
import type { RunFiles } from '@headwater/layer-kit';
import type { NonEmpty } from '@headwater/stac';
import { lulcNames, lulcPalette } from '../classes/classes.ts';
import { QUALITY } from '../method/thresholds.ts';
import { stepWork, type ComputedYears, type YearResult } from './composites.ts';
import type { LulcJob } from './scenes.ts';
import { rasterItemId } from './names.ts';
import { cloudyYear } from './too-few-scenes.ts';

/** Ground sample distance of all land-cover rasters, m. */
export const GSD = 10;

/** Numbers of pixels in the area, by origin of the class. */
export interface QualityCounts {
  readonly computed: number;
  readonly insufficient: number;
  readonly filled: number;
  readonly corrected: number;
}

/** Sums the counts of several rasters. */
export const addCounts = (all: readonly QualityCounts[]): QualityCounts => ({
  computed: sum(all.map((c) => c.computed)),
  insufficient: sum(all.map((c) => c.insufficient)),
  filled: sum(all.map((c) => c.filled)),
  corrected: sum(all.map((c) => c.corrected)),
});

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Files of one year. */
export interface YearRaster {
  readonly result: YearResult;
  readonly cog: WrittenRaster;
  readonly cogFile: StoredFile;
  readonly qualityFile: StoredFile;
  readonly confidenceFile: StoredFile;
  readonly counts: QualityCounts;
}

/** Classes and colours of the quality raster. */
export const QUALITY_CLASSES: NonEmpty<{
  readonly value: number;
  readonly name: keyof QualityCounts;
  readonly title: string;
  readonly rgba: Rgba;
}> = [
  { value: QUALITY.computed, name: 'computed', title: 'Computed', rgba: [102, 166, 30, 255] },
  {
    value: QUALITY.insufficient,
    name: 'insufficient',
    title: 'Too few clear observations (class 0)',
    rgba: [228, 26, 28, 255],
  },
  { value: QUALITY.filled, name: 'filled', title: 'Filled from a neighbouring year', rgba: [255, 187, 51, 255] },
  { value: QUALITY.corrected, name: 'corrected', title: 'Changed by temporal correction', rgba: [55, 126, 184, 255] },
];

/** Colours from red (1 %) over yellow to green (100 %). */
const CONFIDENCE_PALETTE: Readonly<Record<number, Rgba>> = Object.fromEntries(
  Array.from({ length: 100 }, (_, i): readonly [number, Rgba] => {
    const share = (i + 1) / 100;
    return [i + 1, [Math.round(510 * Math.min(0.5, 1 - share)), Math.round(400 * Math.min(0.5, share)), 60, 255]];
  }),
);

/** Dependencies of writing. */
export interface WriteTools {
  readonly ports: PipelinePorts;
  readonly context: PipelineContext;
  readonly files: RunFiles;
}

/**
 * Writes the COGs of classes, quality and confidence of every year. Throws `no_scenes` for a year without enough
 * observations.
 */
export async function writeRasters(
  job: LulcJob,
  computed: ComputedYears,
  tools: WriteTools,
): Promise<readonly YearRaster[]> {
  const rasters: YearRaster[] = [];
  for (const [index, result] of computed.results.entries()) {
    rasters.push(
      await writeYear(job, result, {
        ...tools,
        work: stepWork(tools.context, 'write_rasters', { index, of: computed.results.length }),
      }),
    );
  }
  return rasters;
}

async function writeYear(
  job: LulcJob,
  result: YearResult,
  tools: WriteTools & { readonly work: WorkContext },
): Promise<YearRaster> {
  const { ports, context, files, work } = tools;
  const name = fileName(rasterItemId(job.slugs, result.year));
  const shared = { grid: outputGrid(job.box), clip: job.clip };
  const quality = await ports.pixels.writeCog(
    {
      ...shared,
      raster: result.quality,
      palette: Object.fromEntries(QUALITY_CLASSES.map((c) => [c.value, c.rgba])),
      names: Object.fromEntries(QUALITY_CLASSES.map((c) => [c.value, c.title])),
      path: files.path(`${name}_quality.tif`),
    },
    part(work, 0),
  );
  const counts = countQuality(quality);
  if (counts.computed + counts.corrected === 0) throw cloudyYear(result.year, result.scenes, ports);
  context.log(
    `${result.year}: ${counts.insufficient} pixels with too few observations, ${counts.filled} filled, ${counts.corrected} corrected`,
  );
  // A fault can leave pixels unprocessed. The map does not show these pixels, so their number is logged.
  const unreached = quality.inside - counts.computed - counts.insufficient - counts.filled - counts.corrected;
  if (unreached > 0) context.log(`${result.year}: ${unreached} pixels of the area were not reached (quality 0)`);
  const cog = await ports.pixels.writeCog(
    { ...shared, raster: result.labels, palette: lulcPalette(), names: lulcNames(), path: files.path(`${name}.tif`) },
    part(work, 1),
  );
  await ports.pixels.writeCog(
    {
      ...shared,
      raster: result.confidence,
      palette: CONFIDENCE_PALETTE,
      path: files.path(`${name}_confidence.tif`),
    },
    part(work, 2),
  );
  return {
    result,
    cog,
    cogFile: await files.stat(`${name}.tif`),
    qualityFile: await files.stat(`${name}_quality.tif`),
    confidenceFile: await files.stat(`${name}_confidence.tif`),
    counts,
  };
}

const part = ({ signal, progress }: WorkContext, index: number): WorkContext => ({
  signal,
  progress: (share, note) => progress((index + share) / 3, note),
});

function countQuality({ histogram }: WrittenRaster): QualityCounts {
  const of = (value: number): number => histogram[value] ?? 0;
  return {
    computed: of(QUALITY.computed),
    insufficient: of(QUALITY.insufficient),
    filled: of(QUALITY.filled),
    corrected: of(QUALITY.corrected),
  };
}
