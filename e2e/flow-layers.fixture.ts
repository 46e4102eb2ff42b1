import type { AnyPipeline } from '@headwater/core';
import {
  catchmentAreaPipeline,
  drainageDistancePipeline,
  drainagePipeline,
  naturalDepressionPipeline,
  streamOrderPipeline,
} from '@headwater/terrain';
import { sampleFrame, samplePlace } from '@headwater/sample-world';

/** Pipelines of the layers that are computed from the flow of water. */
export const FLOW_PIPELINES: readonly AnyPipeline[] = [
  streamOrderPipeline,
  drainagePipeline,
  catchmentAreaPipeline,
  drainageDistancePipeline,
  naturalDepressionPipeline,
];

/** Seed of the sample tehsil, whose side is 4 km. */
export const SAMPLE_SEED = 7;
export const SAMPLE_FRAME: ReturnType<typeof sampleFrame> = sampleFrame(4);
export const SAMPLE = samplePlace(SAMPLE_SEED, SAMPLE_FRAME);
