import { expect, it } from 'vitest';
import { readConfig, readSettings } from './read-config.ts';

const S3 = {
  STORAGE_BUCKET_NAME: 's3://maps/headwater',
  STORAGE_ACCESS_KEY_ID: 'id',
  STORAGE_SECRET_ACCESS_KEY: 'x-secret-x',
};

it('reads a plain name as a bucket of Google in us-central1', () => {
  expect(readConfig({ STORAGE_BUCKET_NAME: 'rasters' }).bucket).toEqual({
    name: { kind: 'gcs', bucket: 'rasters', prefix: '' },
    endpoint: 'https://storage.googleapis.com',
    region: 'us-central1',
    key: undefined,
    delivery: 'proxy',
    cacheBytes: 20e9,
  });
  const credentials = { GOOGLE_APPLICATION_CREDENTIALS: '/key.json', STORAGE_BUCKET_NAME: 'gs://rasters/a' };
  expect(readConfig(credentials).credentials).toEqual({ path: '/key.json', bucket: 'rasters' });
  expect(readConfig({}).bucket).toBeUndefined();
});

it('reads a bucket of S3, with the address of AWS or another one', () => {
  const { bucket } = readConfig({ ...S3, STORAGE_REGION: 'eu-west-1', STORAGE_CACHE_GB: '0' });
  expect(bucket).toMatchObject({
    name: { kind: 's3', bucket: 'maps', prefix: 'headwater/' },
    endpoint: 'https://s3.eu-west-1.amazonaws.com',
    key: { id: 'id', secret: 'x-secret-x' },
    cacheBytes: 0,
  });
  const own = {
    STORAGE_BUCKET_NAME: 's3://maps',
    STORAGE_ENDPOINT: 'http://10.0.0.5:9000/',
    STORAGE_ACCESS_KEY_ID: 'id',
  };
  expect(readConfig({ ...own, STORAGE_SECRET_ACCESS_KEY_FILE: '/run/key' }).bucket).toMatchObject({
    endpoint: 'http://10.0.0.5:9000',
    region: 'us-east-1',
    key: { secret: { path: '/run/key' } },
  });
});

it('reads STORAGE_DELIVERY=redirect as signed addresses, or as the public address if one is set', () => {
  const redirect = { ...S3, STORAGE_DELIVERY: 'redirect' };
  expect(readConfig(redirect).bucket?.delivery).toBe('signed');
  const address = { ...redirect, STORAGE_PUBLIC_URL: 'https://maps.example.org/' };
  expect(readConfig(address).bucket?.delivery).toEqual({ publicUrl: 'https://maps.example.org' });
});

it.each([
  [{ STORAGE_BUCKET_NAME: 'ftp://x' }, /^STORAGE_BUCKET_NAME: "ftp:\/\/" is not the scheme of a bucket; use gs:/],
  [{ STORAGE_ENDPOINT: 'http://10.0.0.5:9000' }, /^STORAGE_BUCKET_NAME: needed with STORAGE_ENDPOINT/],
  [{ ...S3, STORAGE_ACCESS_KEY_ID: '' }, /^STORAGE_ACCESS_KEY_ID: needed with a bucket of S3/],
  [{ ...S3, STORAGE_SECRET_ACCESS_KEY: '' }, /^STORAGE_SECRET_ACCESS_KEY: needed .*STORAGE_SECRET_ACCESS_KEY_FILE/],
  [{ ...S3, STORAGE_SECRET_ACCESS_KEY_FILE: '/run/key' }, /^STORAGE_SECRET_ACCESS_KEY: set it or .*, not both/],
  [{ ...S3, STORAGE_PUBLIC_URL: 'https://x.org' }, /^STORAGE_PUBLIC_URL: is used only with STORAGE_DELIVERY=redirect/],
  [{ ...S3, STORAGE_DELIVERY: 'link' }, /^STORAGE_DELIVERY: expected proxy or redirect/],
  [
    { STORAGE_BUCKET_NAME: 'rasters', STORAGE_DELIVERY: 'redirect' },
    /^STORAGE_DELIVERY: signed addresses need the key/,
  ],
])('refuses %j with the name of the variable and the remedy', (env, fault) => {
  const { faults } = readSettings(env);
  expect(faults).toEqual([expect.stringMatching(fault)]);
  expect(faults.join()).not.toContain('x-secret-x');
});

it.each([
  ['STORAGE_REGION', 'eu-west-1'],
  ['STORAGE_SECRET_ACCESS_KEY', 'secret'],
  ['STORAGE_SECRET_ACCESS_KEY_FILE', '/run/secret'],
  ['STORAGE_DELIVERY', 'redirect'],
])('refuses %s without a bucket', (variable, value) => {
  expect(() => readConfig({ [variable]: value })).toThrow(`STORAGE_BUCKET_NAME: needed with ${variable}`);
});

it('refuses a key of S3 if the bucket has a plain name, which means Google', () => {
  const settings = {
    STORAGE_BUCKET_NAME: 'maps',
    STORAGE_ENDPOINT: 'http://10.0.0.5:9000',
    STORAGE_ACCESS_KEY_ID: 'id',
  };
  expect(() => readConfig(settings)).toThrow(
    'STORAGE_ACCESS_KEY_ID: is a key of S3, but gs://maps is a bucket of Google. Set STORAGE_BUCKET_NAME=s3://maps, or unset STORAGE_ACCESS_KEY_ID.',
  );
});
