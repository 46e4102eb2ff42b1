import { utimesSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createGcsStore, createS3Store, type ObjectStore, type Send } from '@headwater/object-storage';
import { createFakeBucket, type FakeBucket, fakeGcs, fakeS3, withFaults } from '@headwater/object-storage/testing';
import { assetStoreCases } from '../asset-store.fixture.ts';
import { bucketAssets, removeFolders } from './bucket.fixture.ts';

const QUICK = { timers: { sleep: async () => {} }, firstPauseMs: 1 };
const plain = (send: Send): Send => send;
const SIGNAL = new AbortController().signal;

function s3(bucket: FakeBucket = createFakeBucket('maps'), through = plain): ObjectStore {
  const settings = { endpoint: 'http://s3.test', region: 'us-central1', accessKeyId: 'id', secretAccessKey: 'key' };
  const name = { kind: 's3', bucket: 'maps', prefix: 'files/' } as const;
  return createS3Store({ bucket: name, ...settings }, { ...QUICK, send: through(fakeS3(bucket)) });
}

function gcs(bucket = createFakeBucket('maps')): ObjectStore {
  const tokens = { token: async () => 't', forget: () => {} };
  const name = { kind: 'gcs', bucket: 'maps', prefix: '' } as const;
  const send = fakeGcs(bucket, { valid: 't' });
  return createGcsStore({ bucket: name, region: 'us-central1', tokens }, { ...QUICK, send });
}

afterEach(removeFolders);

describe('files in a bucket of S3', () => {
  assetStoreCases(() => bucketAssets(s3()));
});
describe('files in a bucket of Google Cloud Storage', () => {
  assetStoreCases(() => bucketAssets(gcs()));
});

describe('a store in a folder and a bucket', () => {
  const KEY = 'run/1/a.tif';
  const text = async (store: ReturnType<typeof bucketAssets>): Promise<string> => {
    const file = await store.assets.open(KEY);
    return file === undefined ? 'absent' : new Response(file.stream(0, file.bytes - 1)).text();
  };
  const written = async (store: ReturnType<typeof bucketAssets>, body = 'one') => {
    await store.assets.begin('run', 1);
    await store.assets.write('run', 1, 'a.tif', body);
  };

  it('serves files from the folder while the bucket is unavailable, and loses nothing', async () => {
    const bucket = createFakeBucket('maps');
    let isAway = true;
    const store = bucketAssets(s3(bucket, (send) => withFaults(send, () => (isAway ? 'refused' : undefined))));
    await written(store);
    await expect(store.settle()).rejects.toMatchObject({ code: 'unavailable' });
    expect([await text(store), store.uploads.pending(), bucket.objects.size]).toEqual(['one', 1, 0]);
    isAway = false;
    await store.settle();
    expect([await text(store), store.uploads.pending()]).toEqual(['one', 0]);
    expect([...bucket.writes.values(), ...(await store.localFiles())]).toEqual([1]);
  });

  it('removes local copies of stored files, even while the bucket is full, and keeps a file that is not stored yet', async () => {
    const bucket = createFakeBucket('maps');
    const store = bucketAssets(s3(bucket));
    await written(store);
    await store.settle();
    expect([await store.localFiles(), await store.assets.localPath(KEY)]).toEqual([[], undefined]);
    expect(await store.assets.localCopy(KEY)).toBe(join(store.folder, KEY));
    expect(await store.localFiles()).toEqual([KEY]);
    bucket.quota = 0;
    await store.assets.begin('run', 2);
    await store.assets.write('run', 2, 'b.tif', 'two');
    await expect(store.settle()).rejects.toMatchObject({ code: 'storage_full' });
    expect(await store.localFiles()).toEqual(['run/2/b.tif']);
  });

  it('reads the object if the copy is removed after it was opened and before the first read', async () => {
    const store = bucketAssets(s3());
    await written(store);
    await store.settle();
    await store.assets.localCopy(KEY);
    const file = await store.assets.open(KEY);
    await rm(join(store.folder, KEY));
    expect(await new Response(file?.stream(0, 2)).text()).toBe('one');
  });

  it('does not copy an object with another checksum to the folder, so no run computes with it', async () => {
    const bucket = createFakeBucket('maps');
    const store = bucketAssets(s3(bucket));
    await written(store);
    await store.settle();
    for (const [key, object] of bucket.objects) bucket.objects.set(key, { ...object, bytes: Buffer.from('two') });
    await expect(store.assets.localCopy(KEY)).rejects.toThrow('another checksum');
    expect(await store.localFiles()).toEqual([]);
  });

  it.each(['s3', 'gcs'] as const)(
    'reads objects of %s that were restored with equal bytes and other versions',
    async (kind) => {
      const bucket = createFakeBucket('maps');
      const store = bucketAssets(kind === 's3' ? s3(bucket) : gcs(bucket));
      await written(store);
      await store.settle();
      for (const [key, object] of bucket.objects) bucket.objects.set(key, { ...object, version: '"abcdef"' });
      expect(await text(store)).toBe('one');
      bucket.requests.length = 0;
      const again = bucketAssets(kind === 's3' ? s3(bucket) : gcs(bucket), dirname(store.folder));
      expect([await text(again), bucket.requests.length]).toEqual(['one', 1]);
      for (const [key, object] of bucket.objects)
        bucket.objects.set(key, {
          headers: {},
          modified: object.modified,
          version: '"bcdef"',
          bytes: Buffer.from('two'),
        });
      const other = bucketAssets(kind === 's3' ? s3(bucket) : gcs(bucket), dirname(store.folder));
      await expect(text(other)).rejects.toThrow('removed or replaced');
    },
  );

  it('removes the objects of a discarded attempt when the bucket is available again', async () => {
    const bucket = createFakeBucket('maps');
    let isAway = false;
    const store = bucketAssets(s3(bucket, (send) => withFaults(send, () => (isAway ? 'refused' : undefined))));
    await written(store);
    await store.settle();
    isAway = true;
    await store.assets.discard('run', 1);
    expect(await store.assets.open(KEY)).toBeUndefined();
    await expect(store.settle()).rejects.toMatchObject({ code: 'unavailable' });
    isAway = false;
    await store.settle();
    expect([bucket.objects.size, await store.assets.records.list()]).toEqual([0, []]);
  });

  it('reads the objects again after the disk was lost and `recover` was called', async () => {
    const bucket = createFakeBucket('maps');
    const lost = bucketAssets(s3(bucket));
    await written(lost);
    await lost.settle();
    const store = bucketAssets(s3(bucket));
    expect(await text(store)).toBe('absent');
    expect(await store.uploads.recover(SIGNAL)).toBe(1);
    expect(await text(store)).toBe('one');
    expect(await store.uploads.recover(SIGNAL)).toBe(0);
  });

  it('after a restart, uploads nothing again and reads the uploaded files', async () => {
    const bucket = createFakeBucket('maps');
    const before = bucketAssets(s3(bucket));
    await written(before);
    await before.uploads.run(SIGNAL);
    await before.assets.localCopy(KEY);
    const again = bucketAssets(s3(bucket), dirname(before.folder));
    await again.settle();
    expect(bucket.writes.get(`files/${KEY}`)).toBe(1);
    expect(await text(again)).toBe('one');
  });

  it('copies local files to another bucket, and reports files that are only in the old bucket', async () => {
    const old = createFakeBucket('maps');
    const before = bucketAssets(s3(old));
    await written(before);
    await before.settle();
    const other = createFakeBucket('maps');
    const moved = bucketAssets(gcs(other), dirname(before.folder));
    await moved.assets.begin('run', 2);
    await moved.assets.write('run', 2, 'a.tif', 'two');
    await expect(moved.settle()).rejects.toMatchObject({
      code: 'conflict',
      message: `${KEY} is only in s3://maps/files. Copy it from there to gs://maps.`,
    });
    expect(other.writes.get('run/2/a.tif')).toBe(1);
    const object = old.objects.get(`files/${KEY}`);
    if (object !== undefined) other.objects.set(KEY, object);
    await moved.settle();
    expect(await text(moved)).toBe('one');
    expect(await moved.localFiles()).toEqual([]);
  });

  it('uploads no incomplete files', async () => {
    const bucket = createFakeBucket('maps');
    const store = bucketAssets(s3(bucket));
    await written(store);
    await writeFile(join(store.folder, 'run', '1', '.a.tif.0123.tmp'), 'half');
    await store.settle();
    expect([...bucket.objects.keys()]).toEqual([`files/${KEY}`]);
  });
});

describe('local copies of files', () => {
  const RUNS = ['run-1', 'run-2', 'run-3'];
  const contents = async ({ assets }: ReturnType<typeof bucketAssets>) =>
    Promise.all(
      RUNS.map(async (run) => {
        const file = await assets.open(`${run}/1/a.tif`);
        return file && new Response(file.stream(0, file.bytes - 1)).text();
      }),
    );
  const moving = async (other: FakeBucket) => {
    const before = bucketAssets(s3(), undefined, { cacheBytes: 1e9 });
    for (const run of RUNS) {
      await before.assets.begin(run, 1);
      await before.assets.write(run, 1, 'a.tif', 'one');
    }
    await before.settle();
    return bucketAssets(gcs(other), dirname(before.folder));
  };

  it('stay if the setting names another bucket and that bucket is full', async () => {
    const other = createFakeBucket('maps');
    other.quota = 3;
    const store = await moving(other);
    await expect(store.settle()).rejects.toMatchObject({ code: 'storage_full' });
    expect([other.objects.size, await contents(store)]).toEqual([1, ['one', 'one', 'one']]);
  });

  it('stay if the service stops while it copies to another bucket', async () => {
    const store = await moving(createFakeBucket('maps'));
    await store.uploads.run(AbortSignal.abort());
    expect(await contents(store)).toEqual(['one', 'one', 'one']);
  });

  it('stay until they are uploaded, even if they are written after the other files of the attempt were uploaded', async () => {
    const bucket = createFakeBucket('maps');
    let now = Date.now() + 7 * 3_600_000;
    const store = bucketAssets(s3(bucket), undefined, { now: () => new Date(now) });
    await store.assets.begin('run-1', 1);
    await store.assets.write('run-1', 1, 'a.tif', 'one');
    await store.settle();
    await store.assets.write('run-1', 1, 'b.tif', 'two');
    await store.uploads.run(SIGNAL);
    expect(await store.localFiles()).toEqual(['run-1/1/b.tif']);
    now += 600_000;
    await store.uploads.run(SIGNAL);
    expect([await store.localFiles(), [...bucket.objects.keys()]]).toEqual([
      [],
      ['files/run-1/1/a.tif', 'files/run-1/1/b.tif'],
    ]);
  });

  it.each([
    ['is unavailable', (bucket: FakeBucket) => bucket.denied.add('s3:GetObject')],
    ['was deleted', (bucket: FakeBucket) => bucket.objects.clear()],
  ] as const)('stay while the bucket %s, also if nothing must be uploaded', async (_what, harm) => {
    const bucket = createFakeBucket('maps');
    const before = bucketAssets(s3(bucket), undefined, { cacheBytes: 1e9 });
    await before.assets.begin('run-1', 1);
    await before.assets.write('run-1', 1, 'a.tif', 'one');
    await before.settle();
    harm(bucket);
    const store = bucketAssets(s3(bucket), dirname(before.folder));
    await expect(store.settle()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.localFiles()).toEqual(['run-1/1/a.tif']);
  });
});

describe('a store after the loss of its disk', () => {
  const KEYS = ['run/1/a.tif', 'run/1/b.tif'];
  const named = async () => ['a.tif', 'b.tif'];
  const readAll = async ({ assets }: ReturnType<typeof bucketAssets>) =>
    Promise.all(
      KEYS.map(async (key) => {
        const file = await assets.open(key);
        return file && new Response(file.stream(0, file.bytes - 1)).text();
      }),
    );
  const stored = async (bucket: FakeBucket, names = ['a.tif', 'b.tif']) => {
    const store = bucketAssets(s3(bucket));
    await store.assets.begin('run', 1);
    for (const name of names) await store.assets.write('run', 1, name, `file ${name}`);
    await store.settle();
    return store;
  };

  it.each([
    ['only the records are lost', false],
    ['records and folders are lost', true],
  ])('loses no file if %s', async (_what, isAll) => {
    const bucket = createFakeBucket('maps');
    const base = dirname((await stored(bucket)).folder);
    await rm(isAll ? base : join(base, 'objects'), { recursive: true });
    const store = bucketAssets(s3(bucket), base, { namedFiles: named });
    expect(await store.uploads.recover(SIGNAL)).toBe(1);
    await store.settle();
    expect(await readAll(store)).toEqual(['file a.tif', 'file b.tif']);
    expect(await store.assets.records.read({ runId: 'run', token: 1 })).toMatchObject({
      state: 'stored',
      files: [{ name: 'a.tif' }, { name: 'b.tif' }],
    });
  });

  it('loses no file if the records are lost while the service runs', async () => {
    const bucket = createFakeBucket('maps');
    const store = await stored(bucket);
    await rm(join(dirname(store.folder), 'objects'), { recursive: true });
    await store.settle();
    expect(await readAll(store)).toEqual(['file a.tif', 'file b.tif']);
  });

  it('computes the checksums of objects that a tool copied without their metadata', async () => {
    const bucket = createFakeBucket('maps');
    await stored(bucket);
    for (const [key, object] of bucket.objects) bucket.objects.set(key, { ...object, headers: {} });
    const store = bucketAssets(s3(bucket));
    await store.uploads.recover(SIGNAL);
    await store.settle();
    expect(await readAll(store)).toEqual(['file a.tif', 'file b.tif']);
  });

  it('reports a file of an Item that is neither on the disk nor in the bucket', async () => {
    const bucket = createFakeBucket('maps');
    await stored(bucket, ['a.tif']);
    const store = bucketAssets(s3(bucket), undefined, { namedFiles: named });
    await store.uploads.recover(SIGNAL);
    await expect(store.settle()).rejects.toThrow(
      'run/1/b.tif belongs to an Item, but is neither on the disk nor in s3://maps/files.',
    );
    expect(await readAll(store)).toEqual(['file a.tif', undefined]);
  });

  it('recovers only objects of published runs', async () => {
    const bucket = createFakeBucket('maps');
    await stored(bucket);
    const store = bucketAssets(s3(bucket), undefined, { isPublished: async () => false });
    expect([await store.uploads.recover(SIGNAL), await store.assets.records.list()]).toEqual([0, []]);
  });
});

it('keeps a copy if its path was given to a run during the removal of copies', async () => {
  const future = new Date(Date.now() + 7 * 3_600_000);
  let calls = 0;
  let path: string | undefined;
  const now = (): Date => {
    calls += 1;
    if (calls > 1 && path !== undefined) utimesSync(path, future, future);
    return future;
  };
  const store = bucketAssets(s3(), undefined, { now });
  await store.assets.begin('run', 1);
  await store.assets.write('run', 1, 'a.tif', 'one');
  path = join(store.folder, 'run/1/a.tif');
  await store.settle();
  expect(await store.localFiles()).toEqual(['run/1/a.tif']);
});

it('removes the objects of an attempt that is discarded while its first file is sent', async () => {
  const bucket = createFakeBucket('maps');
  let discard: (() => Promise<void>) | undefined;
  const sending =
    (send: Send): Send =>
    async (request, signal) => {
      const response = await send(request, signal);
      const now = request.method === 'PUT' ? discard : undefined;
      if (now !== undefined) discard = undefined;
      await now?.();
      return response;
    };
  const store = bucketAssets(s3(bucket, sending));
  await store.assets.begin('run', 1);
  for (const name of ['a.tif', 'b.tif']) await store.assets.write('run', 1, name, 'one');
  discard = () => store.assets.discard('run', 1);
  await store.settle().catch(() => {});
  expect(await store.assets.open('run/1/a.tif')).toBeUndefined();
  await store.settle();
  expect([bucket.objects.size, await store.assets.records.list()]).toEqual([0, []]);
});

describe('a pass of uploads', () => {
  const filled = async (send: (send: Send) => Send, bucket = createFakeBucket('maps')) => {
    const store = bucketAssets(s3(bucket, send));
    for (const run of ['run-1', 'run-2', 'run-3', 'run-4', 'run-5']) {
      await store.assets.begin(run, 1);
      await store.assets.write(run, 1, 'a.tif', 'one');
    }
    return { store, bucket };
  };

  it.each([400, 503])('uploads the other files although some files always fail with HTTP %d', async (status) => {
    const { store, bucket } = await filled((send) =>
      withFaults(send, ({ href, method }) => (method === 'PUT' && /run-[123]/.test(href) ? { status } : undefined)),
    );
    for (let pass = 0; pass < 3; pass += 1) await expect(store.settle()).rejects.toMatchObject({ code: 'unavailable' });
    expect([...bucket.objects.keys()].toSorted()).toEqual(['files/run-4/1/a.tif', 'files/run-5/1/a.tif']);
  });

  it('replaces a damaged record, and continues with the other runs', async () => {
    const { store, bucket } = await filled((send) => send);
    await store.settle();
    const note = join(dirname(store.folder), 'objects', 'run-1', '1.json');
    await writeFile(note, '{"state":');
    await store.settle();
    expect(await store.assets.records.read({ runId: 'run-1', token: 1 })).toMatchObject({
      state: 'stored',
      files: [{ name: 'a.tif' }],
    });
    expect(bucket.objects.size).toBe(5);
  });
});
