import { join } from 'node:path';
import { SAMPLE_NAME } from './sample-frame.ts';

/** The four folders of the sample under a root, and its marker file. */
export interface SamplePaths {
  /** Static STAC catalogue of the scenes. */
  readonly scenes: string;
  /** Boundary, MWS and villages, in the layout of `places/`. */
  readonly places: string;
  /** Elevations, in the layout of `dem/`. */
  readonly dem: string;
  /** True class maps, and the marker file of a complete sample. */
  readonly sample: string;
  readonly marker: string;
}

/** Paths of the sample's parts under a root. */
export function samplePaths(root: string): SamplePaths {
  const sample = join(root, 'sample');
  return {
    scenes: join(root, 'eo', SAMPLE_NAME),
    places: join(root, 'places', SAMPLE_NAME),
    dem: join(root, 'dem', SAMPLE_NAME),
    sample,
    marker: join(sample, 'sample.json'),
  };
}
