// Suites are defined by calls of vitest's `describe`: import this package from test files that vitest runs, nowhere else.
export * from './http/index.ts';
export { outlinePipeline } from './pipelines/outline-pipeline.ts';
export { wetnessPipeline } from './pipelines/wetness-pipeline.ts';
