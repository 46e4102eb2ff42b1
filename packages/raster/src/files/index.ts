export { isInside, readLocalText } from './local-file.ts';
export type { Within } from './local-file.ts';
export { storageError, writeAtomic } from './atomic-file.ts';
export type { FileDigest, FileSink } from './atomic-file.ts';
