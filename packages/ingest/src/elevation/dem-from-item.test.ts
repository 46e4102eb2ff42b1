import { expect, it } from 'vitest';
import { demFromItem } from './dem-from-item.ts';

const SEARCH = 'https://stac.example.org/v1/search';

const demItem = (href: string) => ({
  type: 'Feature',
  id: '78-17',
  collection: 'cop-dem-glo-30',
  bbox: [78, 17, 79, 18],
  properties: { datetime: '2021-04-22T00:00:00Z' },
  assets: { data: { href, type: 'image/tiff; application=geotiff; profile=cloud-optimized', roles: ['data'] } },
  links: [],
});

it('converts s3 addresses of open buckets to https, as in the Copernicus Items of Earth Search', () => {
  const item = demItem('s3://copernicus-dem-30m/Copernicus_DSM_COG_10/tile.tif');
  expect(demFromItem(item, SEARCH)).toMatchObject({
    tile: { href: 'https://copernicus-dem-30m.s3.amazonaws.com/Copernicus_DSM_COG_10/tile.tif' },
    collection: 'cop-dem-glo-30',
  });
  for (const href of ['s3://a.test/x.tif', 's3://user:pw@bucket/x.tif', 's3://bucket'])
    expect(demFromItem(demItem(href), SEARCH)).toHaveProperty('reason');
});
