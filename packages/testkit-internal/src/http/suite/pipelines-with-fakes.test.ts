import { describePipeline } from '@headwater/testkit/pipelines';
import { drynessPipeline } from '../../pipelines/dryness-pipeline.ts';
import { outlinePipeline } from '../../pipelines/outline-pipeline.ts';
import { wetnessPipeline } from '../../pipelines/wetness-pipeline.ts';

describePipeline(outlinePipeline);
describePipeline(wetnessPipeline, { needed: [outlinePipeline] });
describePipeline(drynessPipeline, { needed: [outlinePipeline, wetnessPipeline] });
