import { join } from 'node:path';
import { SAMPLE_NAME } from './sample-frame.ts';

/** The four folders of the sample under a root (the data folder, or the temporary folder it is made in), and its marker. */
export interface SamplePaths {
  /** Static STAC catalogue of the scenes. */
  readonly scenes: string;
  /** Boundary, MWS and villages, in the layout of `places/`. */
  readonly places: string;
  /** Elevations, in the layout of `dem/`. */
  readonly dem: string;
  /** True class maps, and the marker that says the sample is whole. */
  readonly sample: string;
  readonly marker: string;
}

/** Where the sample's parts lie. */
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
