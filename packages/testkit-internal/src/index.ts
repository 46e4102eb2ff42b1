// Import this package only in test files, because the suites call vitest's `describe`.
export * from './http/index.ts';
export { outlinePipeline } from './pipelines/outline-pipeline.ts';
export { drynessPipeline } from './pipelines/dryness-pipeline.ts';
export { wetnessPipeline } from './pipelines/wetness-pipeline.ts';
