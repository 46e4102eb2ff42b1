import { generateKeyPairSync, verify } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryDomainStores } from '@headwater/core/memory';
import { Network } from '@headwater/net';
import { BucketFault, createS3Store } from '@headwater/object-storage';
import { createFakeBucket, fakeS3 } from '@headwater/object-storage/testing';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { listenOnLoopback, type Loopback } from '../../../../scripts/loopback.mjs';
import { readConfig } from '../config/read-config.ts';
import { googleTokenSource } from './google-token-source.ts';
import { bucketState, checkBucket, checkBucketAtStart, claimFor, openBucket } from './open-bucket.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { installation } = createMemoryDomainStores();
const SIGNAL = new AbortController().signal;
let folder = '';
let keyFile = '';
const listening: Loopback[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-bucket-'));
  keyFile = join(folder, 'key.json');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const account = { type: 'service_account', client_email: 'a@b.iam.gserviceaccount.com', private_key: pem };
  await writeFile(keyFile, JSON.stringify(account));
});
afterEach(() => Promise.all(listening.splice(0).map((each) => each.close())));
afterAll(() => rm(folder, { recursive: true }));

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const listener = await listenOnLoopback(answer);
  listening.push(listener);
  return listener.origin;
}

const s3At = (endpoint: string) =>
  readConfig({
    DATA_DIR: folder,
    STORAGE_BUCKET_NAME: 's3://maps',
    STORAGE_ENDPOINT: endpoint,
    STORAGE_ACCESS_KEY_ID: 'id',
    STORAGE_SECRET_ACCESS_KEY: 'x-secret-x',
  });

it('refuses the start for a bucket that does not exist, or is in another region', async () => {
  let region = 'us-east-1';
  const origin = await listen((_, response) => response.writeHead(404, { 'x-amz-bucket-region': region }).end());
  const logger = { debug: () => {}, info: () => {}, error: () => {} };
  const parts = { installation, logger };
  await expect(checkBucketAtStart(s3At(origin), parts)).rejects.toThrow(
    /^STORAGE_BUCKET_NAME: s3:\/\/maps does not exist\. Create it/,
  );
  region = 'eu-west-1';
  await expect(checkBucketAtStart(s3At(origin), parts)).rejects.toThrow(
    /^STORAGE_REGION: s3:\/\/maps is in eu-west-1, not in us-east-1\. Set the region eu-west-1/,
  );
});

it('warns of missing permissions and of a service that does not answer', async () => {
  const origin = await listen((request, response) =>
    response.writeHead(request.method === 'HEAD' ? 200 : 403).end('<Error><Code>AccessDenied</Code></Error>'),
  );
  expect(await bucketState(s3At(origin))).toEqual({
    level: 'warning',
    text: expect.stringMatching(/^STORAGE_ACCESS_KEY_ID: the key may not use s3:\/\/maps: s3:PutObject, .* are denied/),
  });
  await listening.pop()?.close();
  const state = await bucketState(s3At(origin));
  expect(state).toEqual({
    level: 'warning',
    text: expect.stringMatching(/ECONNREFUSED.*only files in DATA_DIR are served\.$/),
  });
  expect(JSON.stringify(state)).not.toContain('x-secret-x');
});

it('refuses a bucket of another installation, such as the bucket of a restored backup, until STORAGE_TAKE_OVER names it', async () => {
  const { bucket, credentials } = s3At('http://s3.test');
  const settings = { endpoint: 'http://s3.test', region: 'us-central1', accessKeyId: 'id', secretAccessKey: 'key' };
  const objects = createS3Store(
    { bucket: { kind: 's3', bucket: 'maps', prefix: '' }, ...settings },
    { timers: { sleep: async () => {} }, send: fakeS3(createFakeBucket('maps')) },
  );
  const state = async (name: string, takeOver?: string) => {
    await mkdir(join(folder, name), { recursive: true });
    const owned = { dataDir: join(folder, name), bucket: bucket && { ...bucket, takeOver } };
    return checkBucket(objects, { bucket, credentials, owner: claimFor(owned, installation) }, SIGNAL);
  };
  expect([await state('service'), await state('service')]).toMatchObject([{ level: 'ok' }, { level: 'ok' }]);
  const { level, text } = await state('restored');
  expect([level, text]).toEqual([
    'problem',
    expect.stringMatching(/^STORAGE_BUCKET_NAME: s3:\/\/maps contains files of another installation/),
  ]);
  const id = /over from (.*)\. To do so, set STORAGE_TAKE_OVER to the id of that installation\.$/.exec(text)?.[1];
  expect(await state('restored', id)).toMatchObject({ level: 'ok' });
  expect(await state('service', id)).toMatchObject({ level: 'problem' });
});

it('names the setting GOOGLE_APPLICATION_CREDENTIALS if the bucket refuses the key of Google', async () => {
  const objects = await openBucket(
    readConfig({ STORAGE_BUCKET_NAME: 'maps', GOOGLE_APPLICATION_CREDENTIALS: keyFile }),
  );
  if (objects === undefined) throw new Error('no bucket');
  const denied = {
    ...objects,
    name: objects.name,
    check: () => Promise.reject(new BucketFault('credentials', 'it lacks x.')),
  };
  const config = readConfig({ STORAGE_BUCKET_NAME: 'maps', GOOGLE_APPLICATION_CREDENTIALS: keyFile });
  expect((await checkBucket(denied, config, SIGNAL)).text).toMatch(/^GOOGLE_APPLICATION_CREDENTIALS: it lacks x\./);
});

it('reads the secret of S3 from a file, and names a file that cannot be read', async () => {
  const env = { STORAGE_BUCKET_NAME: 's3://maps', STORAGE_ACCESS_KEY_ID: 'id' };
  const path = join(folder, 'secret');
  const open = () => openBucket(readConfig({ ...env, STORAGE_SECRET_ACCESS_KEY_FILE: path }));
  await expect(open()).rejects.toThrow(/^STORAGE_SECRET_ACCESS_KEY_FILE: .*secret cannot be read \(ENOENT\)/);
  await writeFile(path, '\n');
  await expect(open()).rejects.toThrow('is empty');
  await writeFile(path, 'key\n');
  expect((await open())?.name).toBe('s3://maps');
});

it('signs addresses of Google with the key of the account', async () => {
  const env = { STORAGE_BUCKET_NAME: 'gs://maps/a', GOOGLE_APPLICATION_CREDENTIALS: keyFile };
  const objects = await openBucket(readConfig(env));
  const url = new URL((await objects?.signedUrl('run/1/x.tif', 900)) ?? '');
  expect(`${url.origin}${url.pathname}`).toBe('https://storage.googleapis.com/maps/a/run/1/x.tif');
  const { searchParams: query } = url;
  const signature = Buffer.from(query.get('X-Goog-Signature') ?? '', 'hex');
  query.delete('X-Goog-Signature');
  const scope = (query.get('X-Goog-Credential') ?? '').replace('a@b.iam.gserviceaccount.com/', '');
  const canonical = `GET\n/maps/a/run/1/x.tif\n${query.toString()}\nhost:storage.googleapis.com\n\nhost\nUNSIGNED-PAYLOAD`;
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonical))).toString(
    'hex',
  );
  const signed = ['GOOG4-RSA-SHA256', query.get('X-Goog-Date'), scope, digest].join('\n');
  expect(verify('sha256', Buffer.from(signed), publicKey, signature)).toBe(true);
  expect(query.get('X-Goog-Expires')).toBe('900');
});

it('gets tokens of the machine from its metadata server, and renews a refused token', async () => {
  let count = 0;
  const metadata = await listen((request, response) => {
    count += 1;
    const isAsked = request.headers['metadata-flavor'] === 'Google';
    response.writeHead(isAsked ? 200 : 403).end(JSON.stringify({ access_token: `t${count}`, expires_in: 3600 }));
  });
  const tokens = await googleTokenSource(undefined, new Network(), metadata);
  expect([await tokens.token(), await tokens.token()]).toEqual(['t1', 't1']);
  tokens.forget('t1');
  expect(await tokens.token()).toBe('t2');
  tokens.forget('t2');
  await listening.pop()?.close();
  await expect(tokens.token()).rejects.toThrow(
    /metadata server is unreachable or sent no JSON\. Set GOOGLE_APPLICATION_CREDENTIALS/,
  );
});

it('refuses a file that is not a key, and shows no part of it', async () => {
  const path = join(folder, 'user.json');
  await writeFile(path, JSON.stringify({ type: 'authorized_user', refresh_token: 'x-secret-x' }));
  const error: unknown = await googleTokenSource(path, new Network()).catch((thrown: unknown) => thrown);
  expect(String(error)).toMatch(/GOOGLE_APPLICATION_CREDENTIALS: .*user\.json: it is not the JSON key/);
  expect(String(error)).not.toContain('x-secret-x');
});

it.each([
  ['without a bucket', undefined, ''],
  ['with another bucket', 's3://other', ', or copy them from there to s3://other'],
  ['with s3://maps', 's3://maps', undefined],
] as const)('a start %s warns only of files in a bucket that is not set', async (_, name, copied) => {
  const dataDir = join(folder, `left ${name}`);
  await mkdir(join(dataDir, 'objects', 'run'), { recursive: true });
  const file = { bytes: 3, version: 'v', crc32c: 'c', etag: 'e', modified: new Date().toISOString() };
  const files = ['a.tif', 'b.tif'].map((name) => ({ ...file, name }));
  await writeFile(
    join(dataDir, 'objects', 'run', '1.json'),
    JSON.stringify({ bucket: 's3://maps', state: 'stored', files }),
  );
  const lines: string[] = [];
  const note = (_fields: object, line: string): void => void lines.push(line);
  const logger = { debug: note, info: note, error: note };
  const origin = await listen((__, response) => response.writeHead(403).end());
  const s3 = { STORAGE_ENDPOINT: origin, STORAGE_ACCESS_KEY_ID: 'id', STORAGE_SECRET_ACCESS_KEY: 'x-secret-x' };
  const bucket = name === undefined ? {} : { ...s3, STORAGE_BUCKET_NAME: name };
  await checkBucketAtStart(readConfig({ DATA_DIR: dataDir, ...bucket }), { installation, logger });
  const why =
    'warning: 2 files of Items cannot be read, because only the bucket s3://maps has them. Set STORAGE_BUCKET_NAME to this bucket';
  expect(lines.filter((line) => line.includes('only the bucket'))).toEqual(
    copied === undefined ? [] : [`${why}${copied}.`],
  );
});
