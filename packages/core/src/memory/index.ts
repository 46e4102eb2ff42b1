export { createMemoryAssets, type MemoryAssets } from './assets.ts';
export { createSoleProcess } from './installation.ts';
export { createMemoryStores } from './stores.ts';
export { createManualTime, type ManualTime } from './manual-time.ts';
