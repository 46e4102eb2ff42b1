// The suites call vitest's `describe`, so import this entry only in test files.
export { describeOver, describeStores, type StoreCases, type StoresHarness, type StoresSource } from './suite.ts';
export * from './data-sample.ts';
export * from './sample.ts';
