export { createMemoryStores } from './stores.ts';
