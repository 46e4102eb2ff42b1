// Uploads the files of a folder. Arguments: folder, address and kind of the storage, folder in the bucket.
import { createBucketAssets, createBucketUploads } from '@headwater/ingest';
import { isStorageKind, openTestBucket } from './test-bucket.fixture.ts';

const [, , base = '', origin = '', kind = 's3', prefix = ''] = process.argv;
if (!isStorageKind(kind)) throw new Error(`unknown kind of storage: ${kind}`);
const assets = createBucketAssets({
  folder: `${base}/assets`,
  recordsFolder: `${base}/objects`,
  objects: openTestBucket(kind, origin, prefix),
});
const rules = { isPublished: async () => true, cacheBytes: 0, now: () => new Date() };
await createBucketUploads(assets, rules).run(new AbortController().signal);
