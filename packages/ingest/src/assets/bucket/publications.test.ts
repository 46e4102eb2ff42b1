import { afterEach, expect, it } from 'vitest';
import { createGcsStore, createS3Store, type Send } from '@headwater/object-storage';
import { createFakeBucket, type FakeBucket, fakeGcs, fakeS3 } from '@headwater/object-storage/testing';
import { sized } from '../../../../../scripts/test-length.mjs';
import { removeFolders } from './bucket.fixture.ts';
import { tryPublications } from './publications.fixture.ts';

const QUICK = { timers: { sleep: async () => {} }, firstPauseMs: 1, tries: 3 };
type Through = (send: Send) => Send;

const STORES = {
  S3: (bucket: FakeBucket, through: Through) =>
    createS3Store(
      {
        bucket: { kind: 's3', bucket: 'maps', prefix: 'files/' },
        endpoint: 'http://s3.test',
        region: 'us-central1',
        accessKeyId: 'id',
        secretAccessKey: 'key',
      },
      { ...QUICK, send: through(fakeS3(bucket)) },
    ),
  'Google Cloud Storage': (bucket: FakeBucket, through: Through) =>
    createGcsStore(
      {
        bucket: { kind: 'gcs', bucket: 'maps', prefix: 'files/' },
        region: 'us-central1',
        tokens: { token: async () => 't', forget: () => {} },
      },
      { ...QUICK, send: through(fakeGcs(bucket, { valid: 't' })) },
    ),
};

const KINDS = ['S3', 'Google Cloud Storage'] as const;
afterEach(removeFolders);

it.each(KINDS)(
  'publications to %s lose no file and store no file twice while 30 % of the requests fail and uploads are aborted',
  async (kind) => {
    const open = STORES[kind];
    const bucket = createFakeBucket('maps');
    await tryPublications({
      open: (through) => open(bucket, through),
      publications: sized(40, 200),
      seed: 7,
      sizes: [50_000, 0, 300],
    });
    expect(new Set(bucket.writes.values())).toEqual(new Set([1]));
  },
);

it.each(KINDS)(
  'an upload of a large file to %s that was interrupted continues after the uploaded parts',
  async (kind) => {
    const open = STORES[kind];
    const bucket = createFakeBucket('maps');
    await tryPublications({
      open: (through) => open(bucket, through),
      publications: sized(1, 20),
      seed: 11,
      sizes: [17_000_000],
    });
    expect(new Set(bucket.writes.values())).toEqual(new Set([1]));
  },
);
