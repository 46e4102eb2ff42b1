export { createMemoryAssets, type MemoryAssets } from './assets.ts';
export { createSoleProcess } from './installation.ts';
export { createMemoryDomainStores } from './stores.ts';
export { createManualTime, type ManualTime } from './manual-time.ts';
export { byText, copy } from './copy.ts';
