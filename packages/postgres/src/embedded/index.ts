export type { EmbeddedDatabase, EmbeddedOptions } from './open.ts';
export { openEmbedded, runningEmbedded } from './open.ts';
