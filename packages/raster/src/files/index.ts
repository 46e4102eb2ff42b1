export { isInside, isLocalFile, readLocalText } from './local-file.ts';
export type { Within } from './local-file.ts';
export { workerUrl } from './worker-url.ts';
export { removeDrafts, storageError, writeAtomic } from './atomic-file.ts';
export type { FileDigest, FileSink } from './atomic-file.ts';
