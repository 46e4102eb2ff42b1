import { describe, expect, it } from 'vitest';
import { claimBucket } from './bucket-owner.ts';
import { createObjectReader } from './object-file.ts';
import { BucketFault, PART_BYTES, type StorageRequest } from './object-store.ts';
import { gcsBucket, s3Bucket, uploadOf } from './stores.fixture.ts';
import { answer, storeObject, withFaults } from './testing/fake-bucket.ts';

const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 9)) % 251);
const LARGE = bytesOf(PART_BYTES * 2 + 12_345);

async function all(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const found: Uint8Array[] = [];
  for await (const piece of pieces) found.push(piece.slice());
  return Buffer.concat(found);
}

/** True for the request that ends an upload of several parts: S3 joins them, Google gets the last bytes. */
function isEnd({ method, href, headers }: StorageRequest): boolean {
  const [, last, total] = /-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  return method === 'POST' ? href.includes('uploadId=') : last !== undefined && Number(last) + 1 === Number(total);
}

const isWrite = ({ method }: StorageRequest): boolean => method === 'PUT' || method === 'POST';

it('joins the parts without If-None-Match for an S3-compatible service that refuses this header', async () => {
  const { open: store, bucket } = s3Bucket();
  const conditions: unknown[] = [];
  const objects = store((send) => async (request, signal) => {
    if (!request.href.includes('uploadId=') || request.method !== 'POST') return send(request, signal);
    conditions.push(request.headers['if-none-match']);
    return request.headers['if-none-match'] === undefined ? send(request, signal) : answer(501);
  });
  for (const key of ['run/1/a.tif', 'run/1/b.tif']) await objects.put(uploadOf(key, LARGE));
  expect(conditions).toEqual(['*', undefined, undefined]);
  expect(bucket.writes.get('published/run/1/b.tif')).toBe(1);
});

it('Google Cloud Storage does not remove a spoiled object that another write has just replaced', async () => {
  const { open: store, bucket, send } = gcsBucket();
  const key = 'published/run/1/a.tif';
  const spoiling = store(() => async (request, signal) => {
    const object = bucket.objects.get(key);
    if (request.method === 'GET' && object !== undefined) bucket.objects.set(key, { ...object, bytes: bytesOf(9) });
    if (request.method === 'DELETE') storeObject(bucket, key, { bytes: bytesOf(11), headers: {} });
    return send(request, signal);
  });
  await expect(spoiling.put(uploadOf('run/1/a.tif', bytesOf(10)))).rejects.toThrow('another checksum');
  expect(bucket.objects.get(key)?.bytes).toEqual(bytesOf(11));
});

describe.each([
  ['S3', s3Bucket],
  ['Google Cloud Storage', gcsBucket],
] as const)('a bucket of %s', (_name, open) => {
  it('stores a small and a large object, and reads spans of both', async () => {
    const { open: store, bucket } = open();
    const objects = store();
    for (const [key, bytes] of [
      ['run/1/a.tif', bytesOf(1000)],
      ['run/1/empty.json', new Uint8Array(0)],
      ['run/1/large.tif', LARGE],
    ] as const) {
      const upload = uploadOf(key, bytes);
      const info = await objects.put(upload);
      expect(info).toMatchObject({ key, bytes: bytes.length, crc32c: upload.source.crc32c });
      expect(upload.stored.state).toBeUndefined();
      expect(await objects.head(key)).toEqual(info);
      expect((await all(objects.read(info, { start: 0, end: bytes.length - 1 }))).equals(bytes)).toBe(true);
      expect(bucket.writes.get(`published/${key}`)).toBe(1);
    }
    const info = await objects.head('run/1/large.tif');
    const part = await all(objects.read(info!, { start: 9_000_000, end: 9_000_099 }));
    expect(part.equals(LARGE.subarray(9_000_000, 9_000_100))).toBe(true);
    expect(await objects.head('run/1/absent.tif')).toBeUndefined();
  });

  it('does not write an existing object again, and refuses to replace it with other bytes', async () => {
    const { open: store, bucket } = open();
    await store().put(uploadOf('run/1/a.tif', bytesOf(10)));
    await store().put(uploadOf('run/1/a.tif', bytesOf(10)));
    expect(bucket.writes.get('published/run/1/a.tif')).toBe(1);
    await expect(store().put(uploadOf('run/1/a.tif', bytesOf(11)))).rejects.toMatchObject({ code: 'conflict' });
  });

  it.each([
    ['an upload begins', bytesOf(10), isWrite],
    ['an upload ends', bytesOf(10), ({ method }: StorageRequest) => method === 'PUT'],
    ['an upload of several parts ends', LARGE, isEnd],
  ] as const)('keeps an object that another process creates just before %s', async (_when, own, isNow) => {
    const { open: store, bucket, send } = open();
    const [key, other] = ['run/1/a.tif', bytesOf(11)];
    const raced = (bytes: Uint8Array) => {
      let isCreated = false;
      return store(() => async (request, signal) => {
        if (isNow(request) && !isCreated) {
          isCreated = true;
          await store().put(uploadOf(key, bytes));
        }
        return send(request, signal);
      });
    };
    const upload = uploadOf(key, own);
    await expect(raced(other).put(upload)).rejects.toMatchObject({ code: 'conflict' });
    expect(bucket.objects.get(`published/${key}`)?.bytes).toEqual(other);
    expect(upload.stored.state).toBeUndefined();
    await store().remove(key);
    expect(await raced(own).put(upload)).toMatchObject({ bytes: own.length });
    expect(Buffer.from(bucket.objects.get(`published/${key}`)!.bytes).equals(own)).toBe(true);
  });

  it('does not write an object again that a tool has copied without its metadata', async () => {
    const { open: store, bucket } = open();
    await store().put(uploadOf('run/1/a.tif', bytesOf(10)));
    for (const [key, object] of bucket.objects) bucket.objects.set(key, { ...object, headers: {} });
    const upload = uploadOf('run/1/a.tif', bytesOf(10));
    expect(await store().put(upload)).toMatchObject({ crc32c: upload.source.crc32c });
    const other = bytesOf(10).map((byte) => byte ^ 1);
    await expect(store().put(uploadOf('run/1/a.tif', other))).rejects.toMatchObject({ code: 'conflict' });
  });

  it('lists more objects than one page contains, and accepts a second removal of an object', async () => {
    const { open: store, bucket } = open();
    const objects = store();
    await objects.put(uploadOf('run/1/a.tif', bytesOf(10)));
    const { headers, ...one } = [...bucket.objects.values()][0]!;
    for (let number = 0; number < 1500; number += 1)
      bucket.objects.set(`published/run/2/${String(number).padStart(4, '0')}.png`, { ...one, headers });
    const keys: string[] = [];
    for await (const { key } of objects.list('run/')) keys.push(key);
    expect(keys).toHaveLength(1501);
    expect(keys[0]).toBe('run/1/a.tif');
    await objects.remove('run/1/a.tif');
    await objects.remove('run/1/a.tif');
    expect(await objects.head('run/1/a.tif')).toBeUndefined();
  });

  it('fails to read an object that was replaced or removed, instead of mixing versions', async () => {
    const { open: store, bucket } = open();
    const objects = store();
    const info = await objects.put(uploadOf('run/1/a.tif', bytesOf(10)));
    await objects.remove('run/1/a.tif');
    await expect(all(objects.read(info, { start: 0, end: 9 }))).rejects.toMatchObject({ code: 'unavailable' });
    await objects.put(uploadOf('run/1/a.tif', bytesOf(12)));
    await expect(all(objects.read(info, { start: 0, end: 9 }))).rejects.toThrow('replaced while it was read');
    expect(bucket.objects.size).toBe(1);
  });

  it('continues a read where the connection broke', async () => {
    const { open: store, bucket } = open();
    const info = await store().put(uploadOf('run/1/large.tif', LARGE));
    let requests = 0;
    const objects = store((send) => withFaults(send, () => ((requests += 1) <= 5 ? 'cut' : undefined)));
    const found = await all(objects.read(info, { start: 3, end: LARGE.length - 1 }));
    expect(found.equals(LARGE.subarray(3))).toBe(true);
    const starts = bucket.requests.flatMap(({ headers }) => /bytes=(\d+)-/.exec(headers['range'] ?? '')?.[1] ?? []);
    expect(new Set(starts).size).toBe(6);
  });

  it('uploads although most requests fail, and although the token expires', async () => {
    const { open: store, bucket, expire } = open();
    let number = 0;
    const kinds = ['refused', { status: 503 }, undefined, 'lost', undefined] as const;
    const objects = store((send) =>
      withFaults(send, () => {
        if (number === 7) expire();
        return kinds[(number += 1) % kinds.length];
      }),
    );
    const upload = uploadOf('run/1/large.tif', LARGE);
    await objects.put(upload);
    expect(bucket.writes.get('published/run/1/large.tif')).toBe(1);
    expect(Buffer.from(bucket.objects.get('published/run/1/large.tif')!.bytes).equals(LARGE)).toBe(true);
  });

  it('continues an upload after its process ended, and does not send stored parts again', async () => {
    const { open: store, bucket } = open();
    const upload = uploadOf('run/1/large.tif', LARGE);
    let writes = 0;
    const dying = store((send) =>
      withFaults(send, (request) => (isWrite(request) && (writes += 1) > 2 ? 'refused' : undefined)),
    );
    await expect(dying.put(upload)).rejects.toMatchObject({ code: 'unavailable' });
    expect(bucket.objects.size).toBe(0);
    bucket.requests.length = 0;
    await store().put(upload);
    const sent = bucket.requests.filter(isWrite).reduce((sum, { body }) => sum + (body?.length ?? 0), 0);
    expect(sent).toBeLessThan(LARGE.length - PART_BYTES + 1000);
    expect(Buffer.from(bucket.objects.get('published/run/1/large.tif')!.bytes).equals(LARGE)).toBe(true);
  });

  it('begins an upload again if the storage has forgotten it, and frees an abandoned upload', async () => {
    const { open: store, bucket } = open();
    const upload = uploadOf('run/1/large.tif', LARGE);
    const dies = () => {
      let writes = 0;
      return store((send) =>
        withFaults(send, (request) => (isWrite(request) && (writes += 1) > 2 ? 'refused' : undefined)),
      );
    };
    await expect(dies().put(upload)).rejects.toMatchObject({ code: 'unavailable' });
    bucket.uploads.clear();
    await store()
      .put(upload)
      .catch(() => store().put(upload));
    expect(bucket.objects.size).toBe(1);
    const other = uploadOf('run/1/other.tif', LARGE);
    await expect(dies().put(other)).rejects.toMatchObject({ code: 'unavailable' });
    const before = bucket.uploads.size;
    await store().abandon('run/1/other.tif', other.stored.state);
    expect(bucket.uploads.size).toBe(before - 1);
  });

  it('ends an upload that the storage does not accept, frees its parts, and begins again', async () => {
    const { open: store, bucket } = open();
    const upload = uploadOf('run/1/large.tif', LARGE);
    let writes = 0;
    const dying = store((send) =>
      withFaults(send, (request) => (isWrite(request) && (writes += 1) > 2 ? 'refused' : undefined)),
    );
    await expect(dying.put(upload)).rejects.toMatchObject({ code: 'unavailable' });
    // S3 refuses the upload when parts are joined; Google when the session is resumed.
    const refusing = store((send) =>
      withFaults(send, ({ method, href, headers }) =>
        (method === 'POST' && href.includes('uploadId=')) || headers['content-range']?.startsWith('bytes */')
          ? { status: 400 }
          : undefined,
      ),
    );
    await expect(refusing.put(upload)).rejects.toMatchObject({ code: 'unavailable' });
    expect(upload.stored.state).toBeUndefined();
    if (_name === 'S3') expect(bucket.uploads.size).toBe(0);
    await store().put(upload);
    expect(bucket.objects.size).toBe(1);
  });

  it.each([
    ['a quota', 'storage_full', /the bucket is full/],
    ['a denied permission', 'unavailable', /access is denied \(HTTP 403/],
  ] as const)('names the reason and the remedy of %s', async (what, code, message) => {
    const { open: store, bucket } = open();
    if (what === 'a quota') bucket.quota = 5;
    else for (const each of ['s3:PutObject', 'storage.objects.create']) bucket.denied.add(each);
    await expect(store().put(uploadOf('run/1/a.tif', bytesOf(10)))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect(bucket.objects.size).toBe(0);
  });

  it('removes an object that was stored with other bytes, so the next attempt can write the object', async () => {
    const { open: store, bucket, send } = open();
    const spoiling = store(() => async (request, signal) => {
      const response = await send(request, signal);
      for (const [key, object] of bucket.objects)
        if (isWrite(request) && response.status === 200)
          bucket.objects.set(key, {
            ...object,
            bytes: object.bytes.map((byte) => byte ^ 1),
            headers: { ...object.headers, 'x-amz-checksum-crc32c': 'AAAAAA==' },
          });
      return response;
    });
    await expect(spoiling.put(uploadOf('run/1/a.tif', bytesOf(10)))).rejects.toThrow('another checksum');
    expect(bucket.objects.size).toBe(0);
    await store().put(uploadOf('run/1/a.tif', bytesOf(10)));
    expect(bucket.objects.size).toBe(1);
  });

  it('is checked: the error names missing permissions, a missing bucket, or a bucket in another region', async () => {
    const { open: store, bucket } = open();
    expect(await store().check()).toMatch(/^(gs|s3):\/\/maps\/published is in us-central1/);
    expect(bucket.objects.size).toBe(0);
    for (const each of ['s3:DeleteObject', 'storage.objects.delete']) bucket.denied.add(each);
    await expect(store().check()).rejects.toThrow(
      /s3:DeleteObject is denied|storage\.objects\.delete .*Storage Object Admin \(roles\/storage\.objectAdmin\)/,
    );
    bucket.region = 'asia-south1';
    const wrong = await store()
      .check()
      .catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(BucketFault);
    expect(String(wrong)).toMatch(/ is in asia-south1, .*et the region asia-south1/);
    const away = store((send) => withFaults(send, () => 'refused'));
    await expect(away.check()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('belongs to one installation until another installation takes it over', async () => {
    const { open: store, bucket } = open();
    await claimBucket(store(), { id: 'service' });
    await claimBucket(store(), { id: 'service' });
    expect(bucket.writes.get('published/.headwater-installation')).toBe(1);
    const other = await claimBucket(store(), { id: 'test' }).catch((error: unknown) => error);
    expect(other).toBeInstanceOf(BucketFault);
    expect(String(other)).toMatch(
      /contains files of another installation \(service\).*take the bucket over from service\.$/,
    );
    await claimBucket(store(), { id: 'test', replaces: 'service' });
    await claimBucket(store(), { id: 'test', replaces: 'service' });
    await expect(claimBucket(store(), { id: 'service' })).rejects.toThrow('another installation (test)');
  });

  it('belongs to one of two installations that claim it at the same moment', async () => {
    const { open: store, bucket } = open();
    const ids = ['service', 'test'];
    const outcomes = await Promise.allSettled(ids.map((id) => claimBucket(store(), { id })));
    const winner = ids[outcomes.findIndex(({ status }) => status === 'fulfilled')];
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
    expect(reasons).toEqual([expect.stringContaining(`contains files of another installation (${winner})`)]);
    const marker = bucket.objects.get('published/.headwater-installation');
    expect(new TextDecoder().decode(marker?.bytes)).toBe(winner);
  });

  it('shows no secrets and no addresses in its messages', async () => {
    const { open: store } = open();
    const objects = store(() => async () => {
      throw new Error('connect to https://storage.test/maps?X-Amz-Signature=abc');
    });
    const error = await objects.head('a').catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('its address');
    expect(String(error)).not.toContain('Signature');
  });

  it('reads adjacent blocks in one request, and each block once', async () => {
    const { open: store, bucket } = open();
    const objects = store();
    const info = await objects.put(uploadOf('run/1/large.tif', LARGE));
    const file = createObjectReader(objects).open({ ...info, etag: 'e' });
    bucket.requests.length = 0;
    const read = async (start: number, end: number) =>
      Buffer.from(await new Response(file.stream(start, end)).arrayBuffer());
    const [one, two] = await Promise.all([read(200_000, 900_000), read(300_000, 300_010)]);
    expect(one.equals(LARGE.subarray(200_000, 900_001))).toBe(true);
    expect(two.equals(LARGE.subarray(300_000, 300_011))).toBe(true);
    expect(bucket.requests).toHaveLength(1);
    await read(LARGE.length - 5, LARGE.length - 1);
    await read(LARGE.length - 500, LARGE.length - 1);
    expect(bucket.requests).toHaveLength(2);
    expect((await read(0, LARGE.length - 1)).equals(LARGE)).toBe(true);
  });
});

it('an error has the number of attempts, unless there was a single attempt', async () => {
  const busy = s3Bucket().open(() => async () => answer(503));
  await expect(busy.head('run/1/a.tif')).rejects.toThrow(/: HTTP 503 after 4 attempts\. Try again later\.$/);
  // Parts of an upload to Google are sent without retries.
  const stuck = gcsBucket().open((send) => async (request, signal) => {
    if (request.method !== 'PUT') return send(request, signal);
    return answer(request.body === undefined || request.body.byteLength === 0 ? 308 : 503);
  });
  await expect(stuck.put(uploadOf('run/1/a.tif', bytesOf(10)))).rejects.toThrow(/: HTTP 503\. Try again later\.$/);
});

it('the check of a bucket of S3 leaves at most one object if the key has no permission to remove objects', async () => {
  const { open, bucket } = s3Bucket();
  bucket.denied.add('s3:DeleteObject');
  for (let check = 0; check < 3; check += 1) await expect(open().check()).rejects.toThrow('s3:DeleteObject is denied');
  expect([...bucket.objects.keys()]).toEqual(['published/.headwater-probe']);
});

it('an upload to S3 frees its parts if joining them fails with an error in a response of status 200', async () => {
  const { open, bucket, send } = s3Bucket();
  const upload = uploadOf('run/1/large.tif', LARGE);
  const failing = open(() => async (request, signal) => {
    if (request.method === 'POST' && request.href.includes('uploadId='))
      return answer(200, { body: '<Error><Code>InternalError</Code></Error>' });
    return send(request, signal);
  });
  await expect(failing.put(upload)).rejects.toThrow('could not be joined');
  expect([bucket.uploads.size, upload.stored.state]).toEqual([0, undefined]);
});

it('an upload to Google fails after four attempts if its session accepts no bytes', async () => {
  const { open, send } = gcsBucket();
  let parts = 0;
  const stuck = open(() => async (request, signal) => {
    const isPart = request.method === 'PUT';
    parts += isPart ? 1 : 0;
    return isPart && parts < 1000 ? answer(308) : send(request, signal);
  });
  await expect(stuck.put(uploadOf('run/1/a.tif', bytesOf(10)))).rejects.toThrow('makes no progress');
  expect(parts).toBe(4);
});
