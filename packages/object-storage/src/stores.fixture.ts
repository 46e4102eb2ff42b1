import type { BucketName } from './bucket-name.ts';
import { crc32c, crcText } from './crc32c.ts';
import { createGcsStore } from './gcs.ts';
import type { ObjectStore, Send, Upload, UploadSource } from './object-store.ts';
import type { RequestOptions } from './requests.ts';
import { createS3Store } from './s3.ts';
import { createFakeBucket, type FakeBucket } from './testing/fake-bucket.ts';
import { fakeGcs } from './testing/fake-gcs.ts';
import { fakeS3 } from './testing/fake-s3.ts';

/** A fake bucket with one of the two APIs. */
export interface TestStore {
  readonly bucket: FakeBucket;
  readonly send: Send;
  /** Opens the bucket. `through` wraps the requests to the fake. */
  open(through?: (send: Send) => Send): ObjectStore;
  /** Invalidates the current tokens. */
  expire(): void;
}

const QUICK: Omit<RequestOptions, 'send'> = { timers: { sleep: async () => {} }, firstPauseMs: 1 };
const plain = (send: Send): Send => send;

/** A bucket with the API of S3. */
export function s3Bucket(): TestStore {
  const bucket = createFakeBucket('maps');
  const send = fakeS3(bucket);
  const name: BucketName = { kind: 's3', bucket: 'maps', prefix: 'published/' };
  const settings = {
    endpoint: 'http://storage.test:9000',
    region: 'us-central1',
    accessKeyId: 'id',
    secretAccessKey: 'key',
  };
  return {
    bucket,
    send,
    open: (through = plain) => createS3Store({ bucket: name, ...settings }, { ...QUICK, send: through(send) }),
    expire: () => {},
  };
}

/** A bucket of Google Cloud Storage. */
export function gcsBucket(): TestStore {
  const bucket = createFakeBucket('maps');
  const accepted = { valid: 'token-1' };
  let own = accepted.valid;
  const tokens = { token: async () => own, forget: () => void (own = accepted.valid) };
  const send = fakeGcs(bucket, accepted);
  const name: BucketName = { kind: 'gcs', bucket: 'maps', prefix: 'published/' };
  return {
    bucket,
    send,
    open: (through = plain) =>
      createGcsStore({ bucket: name, region: 'us-central1', tokens }, { ...QUICK, send: through(send) }),
    expire: () => void (accepted.valid = `token-${Math.random()}`),
  };
}

/** Content of a file in memory. */
export function sourceOf(bytes: Uint8Array): UploadSource {
  return {
    bytes: bytes.length,
    crc32c: crcText(crc32c(bytes)),
    read: async (start, end) => bytes.subarray(start, end + 1),
  };
}

/** An upload with a journal in memory. */
export function uploadOf(key: string, bytes: Uint8Array): Upload & { readonly stored: { state: unknown } } {
  const stored = { state: undefined as unknown };
  const journal = {
    read: async () => stored.state,
    // The state is converted to JSON and back, as in the file of a real journal.
    write: async (state: unknown) =>
      void (stored.state = state === undefined ? undefined : JSON.parse(JSON.stringify(state))),
  };
  return { key, mediaType: 'image/tiff', source: sourceOf(bytes), journal, stored };
}
