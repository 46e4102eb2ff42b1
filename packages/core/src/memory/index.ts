export { createMemoryAssets, type MemoryAssets } from './assets.ts';
export { createMemoryDomainStores } from './stores.ts';
export { byText, copy } from './copy.ts';
