export { type FolderLock, type HeldWording, lockFolder } from './folder-lock.ts';
export type { EmbeddedDatabase, EmbeddedOptions } from './open.ts';
export { openEmbedded, runningEmbedded } from './open.ts';
