export { createEmbeddedMapServer } from './embedded.ts';
