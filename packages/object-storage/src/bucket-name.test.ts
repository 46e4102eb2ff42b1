import { expect, it } from 'vitest';
import { parseBucketName, shownBucket } from './bucket-name.ts';
import { compositeCrc, crc32c, crcText } from './crc32c.ts';

it.each([
  ['rasters', 'gs://rasters'],
  ['gs://rasters', 'gs://rasters'],
  ['s3://rasters/', 's3://rasters'],
  ['S3://rasters/a/b.c', 's3://rasters/a/b.c'],
])('reads the bucket %s', (text, shown) => {
  const name = parseBucketName(text);
  expect(typeof name === 'string' ? name : shownBucket(name)).toBe(shown);
});

it.each([
  ['http://rasters', /"http:\/\/" is not the scheme of a bucket; use gs:\/\/bucket or s3:\/\/bucket/],
  ['Rasters', /"Rasters" is not the name of a bucket; use 3 to 63 lower-case letters/],
  ['s3://', /"" is not the name of a bucket/],
  ['s3://maps/../x', /the folder "\.\." is not allowed/],
])('refuses %s with the problem and the remedy', (text, problem) => {
  expect(parseBucketName(text)).toMatch(problem);
});

it('crc32c computes the checksum of RFC 3720, also piece by piece', () => {
  // RFC 3720, B.4: 32 bytes of zeros, and the bytes 0 to 31.
  expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  const counted = Uint8Array.from({ length: 32 }, (_, at) => at);
  expect(crc32c(counted)).toBe(0x46dd794e);
  expect(crc32c(counted.subarray(13), crc32c(counted.subarray(0, 13)))).toBe(0x46dd794e);
  expect(crcText(0x46dd794e)).toBe('Rt15Tg==');
  expect(compositeCrc(['Rt15Tg==', 'ipE2qg=='])).toMatch(/^[A-Za-z0-9+/]{6}==-2$/);
});

it('crc32c equals the checksum computed byte by byte, for a memory area of any start and length', () => {
  const memory = Uint8Array.from({ length: 80 }, (_, at) => (at * 89 + 201) & 0xff);
  for (let start = 0; start < 8; start += 1)
    for (let end = start; end <= memory.length; end += 1) {
      const bytes = memory.subarray(start, end);
      const ofSingleBytes = bytes.reduce((crc, byte) => crc32c(Uint8Array.of(byte), crc), 7);
      expect([start, end, crc32c(bytes, 7)]).toEqual([start, end, ofSingleBytes]);
    }
});
