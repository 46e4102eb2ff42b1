export { type BucketOwner, checkOwner, claimBucket } from './bucket-owner.ts';
export { type BucketName, parseBucketName, shownBucket } from './bucket-name.ts';
export { crc32c, crcOfPieces, crcText } from './crc32c.ts';
export { createGcsStore, GOOGLE_STORAGE, type TokenSource } from './gcs.ts';
export { createObjectReader } from './object-file.ts';
export {
  BucketFault,
  type ObjectInfo,
  type ObjectStore,
  type Send,
  type StorageRequest,
  type StorageResponse,
  type Upload,
  type UploadJournal,
  type UploadSource,
} from './object-store.ts';
export { isReplaced, type RequestOptions } from './requests.ts';
export { createS3Store } from './s3.ts';
