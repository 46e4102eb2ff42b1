// The suites call vitest's `describe`, so import this package only in test files.
export * from './http/index.ts';
export { outlinePipeline } from './pipelines/outline-pipeline.ts';
export { drynessPipeline } from './pipelines/dryness-pipeline.ts';
export { wetnessPipeline } from './pipelines/wetness-pipeline.ts';
