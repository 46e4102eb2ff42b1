export {
  digestOfFile,
  type FileDigest,
  type FileSink,
  freeBytesOf,
  removeDrafts,
  storageError,
  writeAtomic,
} from './atomic-file.ts';
export { isInside, isLocalFile, openLocalSync, readLocalText, unlessMissing, type Within } from './local-file.ts';
export { packageFile, workerUrl } from './worker-url.ts';
