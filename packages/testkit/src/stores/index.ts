// Import this entry only in test files, because the suites call vitest's `describe`.
export { describeOver, describeStores, type StoreCases, type StoresHarness, type StoresSource } from './suite.ts';
export * from './data-sample.ts';
export * from './sample.ts';
