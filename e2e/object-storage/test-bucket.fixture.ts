import { systemTimers } from '@headwater/core';
import { Network } from '@headwater/net';
import { createGcsStore, createS3Store, type ObjectStore, type Send } from '@headwater/object-storage';

/** APIs of object storage. */
export type StorageKind = 's3' | 'gcs';

export const isStorageKind = (text: string): text is StorageKind => text === 's3' || text === 'gcs';

/** Timeout of one attempt of a request; short, so that tests of a slow network are fast. */
const TIMEOUT_MS = 1500;

/** Opens a folder of the bucket `maps` at an origin; each folder is a separate storage. */
export function openTestBucket(kind: StorageKind, origin: string, folder: string): ObjectStore {
  const network = new Network({ settings: { allowedOrigins: [origin] } });
  const send: Send = (request, signal) => network.send(request, signal);
  const options = { send, timers: systemTimers, tries: 3, firstPauseMs: 1, timeoutMs: TIMEOUT_MS };
  if (kind === 's3') {
    const key = { region: 'us-east-1', accessKeyId: 'id', secretAccessKey: 'key' };
    return createS3Store({ bucket: { kind, bucket: 'maps', prefix: folder }, endpoint: origin, ...key }, options);
  }
  const tokens = { token: async () => 't', forget: () => {} };
  // `us` is the region that the emulator reports for its buckets.
  return createGcsStore(
    { bucket: { kind, bucket: 'maps', prefix: folder }, endpoint: origin, region: 'us', tokens },
    options,
  );
}
