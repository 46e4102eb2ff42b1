export { createDirectoryAssets } from './directory-assets.ts';
export { writeAtomic } from './atomic-file.ts';
export type { FileDigest, FileSink } from './atomic-file.ts';
