import type { AnyPipeline } from '@headwater/core';
import {
  catchmentAreaPipeline,
  drainageDistancePipeline,
  drainagePipeline,
  naturalDepressionPipeline,
  streamOrderPipeline,
} from '@headwater/terrain';
import { sampleFrame, samplePlace } from '@headwater/sample-world';

/** Pipelines of the layers that follow from the flow of water. */
export const FLOW_PIPELINES: readonly AnyPipeline[] = [
  streamOrderPipeline,
  drainagePipeline,
  catchmentAreaPipeline,
  drainageDistancePipeline,
  naturalDepressionPipeline,
];

/** The sample tehsil, 4 km a side. */
export const SAMPLE_SEED = 7;
export const SAMPLE_FRAME: ReturnType<typeof sampleFrame> = sampleFrame(4);
export const SAMPLE = samplePlace(SAMPLE_SEED, SAMPLE_FRAME);
