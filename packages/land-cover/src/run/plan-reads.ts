import type { PipelineContext, PipelinePorts } from '@headwater/core';
import type { Box } from '@headwater/core/geo';
import { LULC_BANDS } from '../series/series.ts';
import { findScenes, type LulcJob } from './scenes.ts';
import { LULC_SETTINGS, type LulcSettings } from './year-scenes.ts';

/** A file that a run reads. */
export interface PlannedFile {
  /** Absolute path or http(s) address. */
  readonly href: string;
  /** Share of the file that is in the box of the place, 0-1. */
  readonly share: number;
}

/** Scenes and files that a run of land cover would read. */
export interface PlannedReads {
  readonly years: readonly { readonly year: number; readonly scenes: number; readonly cloudy: number }[];
  readonly files: readonly PlannedFile[];
  /**
   * Number of pixels of 10 m of the place, summed over all scenes. For example, a scene that covers half of the place adds half of the
   * place's pixels.
   */
  readonly scenePixels: number;
}

/** Side of a pixel, m, and length of a degree of latitude on a sphere with the Earth's mean radius, m. */
const PIXEL_M = 10;
const DEGREE_M = 111_195;

/**
 * Plans the reads of a run without reading a pixel. Uses the same search and selection of scenes as the run. Throws the errors of such a run:
 * `no_scenes`, `input_data` and `unavailable`.
 */
export async function planReads(
  job: LulcJob,
  ports: Pick<PipelinePorts, 'earthObservation' | 'remedies'>,
  { signal, ...change }: Pick<PipelineContext, 'signal'> & Partial<LulcSettings>,
): Promise<PlannedReads> {
  const context = { signal, log: () => {}, progress: () => {} };
  const found = await findScenes(job, { ports, context, settings: { ...LULC_SETTINGS, ...change } });
  const scenes = found.flatMap((year) => year.scenes);
  const files = scenes.flatMap(({ bands, bbox }) => {
    const share = areaOf(overlap(bbox, job.box)) / areaOf(bbox);
    return LULC_BANDS.flatMap((name) => {
      const band = bands[name];
      return band === undefined ? [] : [{ href: band.href, share }];
    });
  });
  const pixels = scenes.map(({ bbox }) => areaOf(overlap(bbox, job.box)) / PIXEL_M ** 2);
  return {
    years: found.map(({ year, scenes: read, cloudy }) => ({ year, scenes: read.length, cloudy })),
    files,
    scenePixels: Math.round(pixels.reduce((sum, each) => sum + each, 0)),
  };
}

const overlap = (a: Box, b: Box): Box => [
  Math.max(a[0], b[0]),
  Math.max(a[1], b[1]),
  Math.min(a[2], b[2]),
  Math.min(a[3], b[3]),
];

/** Area of a lon/lat box, m2; 0 for a box without an interior. */
function areaOf([west, south, east, north]: Box): number {
  const [width, height] = [Math.max(0, east - west), Math.max(0, north - south)];
  return width * height * DEGREE_M ** 2 * Math.cos((((south + north) / 2) * Math.PI) / 180);
}
