export { storageError, writeAtomic } from './atomic-file.ts';
export type { FileDigest, FileSink } from './atomic-file.ts';
