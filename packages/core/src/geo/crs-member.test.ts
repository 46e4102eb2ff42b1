import { expect, it } from 'vitest';
import { otherCrsOf } from './crs-member.ts';

const crsOf = (name: unknown): object => ({ crs: { type: 'name', properties: { name } } });

it.each([
  'EPSG:4326',
  'EPSG:4979',
  'epsg:4326',
  'EPSG4326',
  'EPSG::4326',
  'CRS84',
  'CRS:84',
  'OGC:CRS84',
  'OGC:CRS84h',
  'urn:ogc:def:crs:OGC:1.3:CRS84',
  'urn:ogc:def:crs:OGC::CRS84',
  'urn:ogc:def:crs:EPSG::4326',
  'urn:ogc:def:crs:EPSG:9.8.5:4326',
  'urn:x-ogc:def:crs:EPSG:4326',
  'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
  'http://www.opengis.net/def/crs/EPSG/0/4326',
  'https://www.opengis.net/def/crs/EPSG/0/4979',
])('%s is longitude/latitude', (name) => {
  expect(otherCrsOf({}, crsOf(name))).toBeUndefined();
});

it.each([
  'EPSG:4146',
  'urn:ogc:def:crs:EPSG::4146',
  'urn:ogc:def:crs:EPSG::32644',
  'ESRI:104326',
  'EPSG:14326',
  'my own CRS84',
  'urn:ogc:def:crs,crs:EPSG::27700,crs:EPSG::4326',
])('%s is another CRS', (name) => {
  expect(otherCrsOf(crsOf(name))).toBe(name);
});

it('otherCrsOf checks the member of each object; null means no CRS, and an unreadable member counts as another CRS', () => {
  expect(otherCrsOf(null, { crs: null }, 'text', crsOf('EPSG:4326'), crsOf('EPSG:4146'))).toBe('EPSG:4146');
  expect(otherCrsOf({ crs: { type: 'link' } })).toBe('unreadable');
  expect(otherCrsOf(crsOf(4326))).toBe('unreadable');
});
