// A process that uploads the files of a folder: its arguments are the folder and the address of the storage.
import { systemTimers } from '@headwater/core';
import { createBucketAssets, createBucketUploads } from '@headwater/ingest';
import { Network } from '@headwater/net';
import { createS3Store } from '@headwater/object-storage';

const [, , base = '', origin = ''] = process.argv;
const network = new Network({ settings: { allowedOrigins: [origin] } });
const key = { region: 'us-east-1', accessKeyId: 'id', secretAccessKey: 'key' };
const objects = createS3Store(
  { bucket: { kind: 's3', bucket: 'maps', prefix: '' }, endpoint: origin, ...key },
  { send: (request, signal) => network.send(request, signal), timers: systemTimers },
);
const assets = createBucketAssets({ folder: `${base}/assets`, recordsFolder: `${base}/objects`, objects });
const rules = { isPublished: async () => true, cacheBytes: 0, now: () => new Date() };
await createBucketUploads(assets, rules).run(new AbortController().signal);
