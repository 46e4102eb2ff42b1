import type { PipelineContext, PipelinePorts } from '@headwater/core';
import type { Box } from '@headwater/core/geo';
import { LULC_BANDS } from '../series/series.ts';
import { findScenes, type LulcJob } from './scenes.ts';
import { LULC_SETTINGS, type LulcSettings } from './year-scenes.ts';

/** A file that a run reads. */
export interface PlannedFile {
  /** Absolute path or http(s) address. */
  readonly href: string;
  /** Share of the file inside the box of the place, 0-1. */
  readonly share: number;
}

/** Scenes and files that a run would read. */
export interface PlannedReads {
  /** `scenes`: number of scenes that are read. `cloudy`: number of scenes that are too cloudy to read. */
  readonly years: readonly { readonly year: number; readonly scenes: number; readonly cloudy: number }[];
  readonly files: readonly PlannedFile[];
  /** Number of 10 m pixels that each scene has in the box of the place, summed over all scenes. */
  readonly scenePixels: number;
}

/** Side of a pixel, and length of a degree of latitude on a sphere, m. */
const PIXEL_M = 10;
const DEGREE_M = 111_195;

/**
 * Finds the scenes of a run without reading pixels.
 * @throws DomainError `no_scenes`, `input_data` or `unavailable`, as the run would.
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

/** Area in m2; 0 for a box without an interior. */
function areaOf([west, south, east, north]: Box): number {
  const [width, height] = [Math.max(0, east - west), Math.max(0, north - south)];
  return width * height * DEGREE_M ** 2 * Math.cos((((south + north) / 2) * Math.PI) / 180);
}
