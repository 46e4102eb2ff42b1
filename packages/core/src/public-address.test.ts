import { expect, it } from 'vitest';
import { publicAddress } from './public-address.ts';

it.each([
  ['https://stac.example.org/v1/search?key=s3cret', 'https://stac.example.org/v1/search'],
  ['https://h.example.org/B04.tif?X-Amz-Signature=s3cret#s3cret', 'https://h.example.org/B04.tif'],
  ['https://me:s3cret@h.example.org/a', 'https://h.example.org/a'],
  ['https://me:s3cret@s3cret@h.example.org/a@b', 'https://h.example.org/a@b'],
  ['HTTPS:\\\\me:s3cret@h.example.org\\a', 'HTTPS:\\\\h.example.org\\a'],
  ['http://[::1/x.tif?sig=s3cret', 'http://[::1/x.tif'],
  ['s3://bucket/a.tif?sig=s3cret', 's3://bucket/a.tif'],
  ['/data/eo/50%?/B04#1.tif', '/data/eo/50%?/B04#1.tif'],
])('%s is shown as %s', (href, shown) => expect(publicAddress(href)).toBe(shown));
