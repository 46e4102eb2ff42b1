import { describe, expect, it } from 'vitest';
import { readXml } from '../protocol/read-xml.ts';
import { rasterWorld } from '../raster-world.fixture.ts';
import { fieldsOf } from './coverage.ts';

const { send, content, text, cuts, bands } = rasterWorld();
const get201 = (more: string): string =>
  `/lulc/wcs?service=WCS&version=2.0.1&request=GetCoverage&coverageid=lulc__classes&format=image/tiff${more}`;
const get100 = (more: string): string =>
  `/lulc/wcs?service=WCS&version=1.0.0&request=GetCoverage&coverage=lulc:classes&format=GeoTIFF&crs=EPSG:4326${more}`;

async function cut(path: string): Promise<unknown> {
  expect(await text(path)).toBe('200 part');
  return cuts.at(-1);
}

describe('GetCoverage of 2.0.1', () => {
  it.each([
    ['&subset=Long(85.5,86.5)&subset=Lat(25,25.5)', { col: 1, row: 1, cols: 2, rows: 1, width: 2, height: 1 }],
    // A bound within a pixel selects the whole pixel.
    ['&subset=Long(85.6,86.4)&subset=Lat(25.6,*)', { col: 1, row: 0, cols: 2, rows: 1, width: 2, height: 1 }],
    ['&subset=Long(-274.5,-273.5)', { col: 1, row: 0, cols: 2, rows: 2, width: 2, height: 2 }],
    ['&subset=Long(86.2)', { col: 2, row: 0, cols: 1, rows: 2, width: 1, height: 2 }],
    ['&subset=i(1,2)&subset=j(0,0)', { col: 1, row: 0, cols: 2, rows: 1, width: 2, height: 1 }],
    ['&scalefactor=0.5', { col: 0, row: 0, cols: 4, rows: 2, width: 2, height: 1 }],
    ['&scalesize=i(8),j(6)', { col: 0, row: 0, cols: 4, rows: 2, width: 8, height: 6 }],
    ['&scaleaxes=Long(2)&subset=time("2021-08-01")', { col: 0, row: 0, cols: 4, rows: 2, width: 8, height: 2 }],
    [
      '&scalesize=http://www.opengis.net/def/axis/OGC/1/i(2)',
      { col: 0, row: 0, cols: 4, rows: 2, width: 2, height: 2 },
    ],
  ])('cuts %s', async (more, expected) => {
    expect(await cut(get201(more))).toEqual(expected);
  });

  it('sends the stored file for the whole coverage', async () => {
    const all = get201('&subset=Long(85,87)&subset=Lat(25,26)&compression=LZW&tiling=true&rangesubset=GRAY_INDEX');
    expect(await text(all)).toBe('200 the whole file');
    expect(await send(all)).toMatchObject({
      etag: 'classes.tif',
      headers: { 'content-type': 'image/tiff; application=geotiff' },
    });
    expect(await text(all.replace('/lulc/wcs', '/ows'))).toBe('200 the whole file');
  });

  it.each([
    ['&subset=Height(1,2)', 'InvalidAxisLabel', 'subset'],
    ['&subset=Long(1,2)', 'InvalidSubsetting', 'subset'],
    ['&subset=Long(86,85)', 'InvalidSubsetting', 'subset'],
    ['&subset=Long(a,b)', 'InvalidSubsetting', 'subset'],
    ['&subset=Long(85,86)&subset=Lon(85,86)', 'InvalidAxisLabel', 'subset'],
    ['&subset=Long', 'InvalidParameterValue', 'subset'],
    ['&subset=time("2030-01-01")', 'InvalidDimensionValue', 'time'],
    ['&scalefactor=-1', 'InvalidParameterValue', 'scalefactor'],
    ['&scalefactor=100000', 'InvalidParameterValue', 'subset'],
    ['&scalesize=k(3)', 'InvalidAxisLabel', 'scalesize'],
    ['&outputcrs=EPSG:3857', 'OutputCrs-NotSupported', 'outputcrs'],
    ['&rangesubset=red', 'NoSuchField', 'rangesubset'],
    ['&interpolation=cubic', 'InterpolationMethodNotSupported', 'interpolation'],
    ['&mediatype=multipart/related', 'OperationNotSupported', 'mediatype'],
  ])('refuses %s', async (more, code, locator) => {
    expect(await text(get201(more))).toMatch(new RegExp(`^400 .*exceptionCode="${code}" locator="${locator}"`, 's'));
  });

  it('refuses an unknown coverage, a vector layer and another format', async () => {
    expect(await text(get201('').replace('lulc__classes', 'lulc__none'))).toMatch(/^404 .*NoSuchCoverage/s);
    expect(await text(get201('').replace('/lulc/', '/').replace('lulc__classes', 'mws:areas'))).toMatch(/^404 .*WFS/s);
    expect(await text(get201('').replace('image/tiff', 'bogus'))).toMatch(/^400 .*locator="format"/s);
  });
});

describe('GetCoverage of 1.0.0', () => {
  it('resamples exactly the requested box to the requested size', async () => {
    const expected = { col: 0.5, row: 0.5, cols: 2, rows: 1, width: 10, height: 7 };
    expect(await cut(get100('&bbox=85.25,25.25,86.25,25.75&width=10&height=7'))).toEqual(expected);
    expect(await cut(get100('&bbox=85.25,25.25,86.25,25.75&resx=0.25&resy=0.5'))).toEqual({
      ...expected,
      width: 4,
      height: 1,
    });
  });

  it.each([
    ['', 'MissingParameterValue', 'bbox'],
    ['&bbox=1,1,2,2&width=1&height=1', 'InvalidParameterValue', 'bbox'],
    ['&bbox=85,25,86,26&width=90000&height=1', 'InvalidParameterValue', 'width'],
    ['&bbox=85,25,86,26&width=x&height=1', 'InvalidParameterValue', 'width'],
    ['&bbox=85,25,86,26&response_crs=EPSG:3857', 'InvalidParameterValue', 'response_crs'],
    ['&bbox=85,25,86,26&time=2030', 'InvalidDimensionValue', 'time'],
  ])('refuses %s', async (more, code, locator) => {
    expect(await text(get100(more))).toMatch(new RegExp(`^400 .*code="${code}" locator="${locator}"`, 's'));
  });
});

describe('documents', () => {
  it('describe the grid in the axis order of the CRS in 2.0.1, and as x, y in 1.0.0', async () => {
    const new201 = await text('/wcs?version=2.0.1&request=DescribeCoverage&coverageid=lulc:classes');
    expect(new201).toContain('axisLabels="Lat Long"');
    expect(new201).toMatch(/<gml:pos>25.75 85.25<\/gml:pos>.*>0 0.5<.*>-0.5 0</s);
    const old100 = await text('/wcs?version=1.0.0&request=DescribeCoverage&coverage=lulc:classes');
    expect(old100).toMatch(/<gml:pos>85.25 25.75<\/gml:pos>.*>0.5 0<.*>0 -0.5</s);
    expect(old100).toContain('<name>lulc:classes</name>');
  });

  it('list the raster layers, in the version that the client accepts', async () => {
    const accepted = await content('/wcs?request=GetCapabilities&acceptversions=1.1.1,1.0.0');
    expect(readXml(accepted).attributes['version']).toBe('1.0.0');
    const newest = await content('/ows?service=WCS&request=GetCapabilities');
    expect(readXml(newest).name).toBe('Capabilities');
    expect(newest).toContain('<wcs:CoverageId>lulc__classes</wcs:CoverageId>');
    expect(newest).not.toContain('areas');
    expect(await text('/wcs?request=GetCapabilities&version=1.1.1')).toMatch(/^400 .*VersionNegotiationFailed/s);
  });
});

describe('long values', () => {
  it.each([
    ['subset', 'a'.repeat(40_000)],
    ['subset', `Long(${'1'.repeat(40_000)}x)`],
    ['scalefactor', `${'1'.repeat(40_000)}x`],
  ])('of %s are refused without delay', async (name, value) => {
    const before = performance.now();
    expect(await text(get201(`&${name}=${value}`))).toMatch(/^400 /);
    expect(performance.now() - before).toBeLessThan(500);
  });
});

it('gives fields unique names, even if a description equals a numbered name such as a_3', () => {
  const names = fieldsOf({ bands: ['a', 'a_3', 'a', 'Band_5', null] }).map(({ name }) => name);
  expect(names).toEqual(['a', 'a_3', 'a_4', 'Band_5', 'Band_5_5']);
});

describe('a coverage of several bands', () => {
  const describe201 = '/wcs?service=WCS&version=2.0.1&request=DescribeCoverage&coverageid=lulc__classes';
  const describe100 = '/wcs?service=WCS&version=1.0.0&request=DescribeCoverage&coverage=lulc:classes';

  it('has a field for each band, named by its description', async () => {
    bands.splice(0, bands.length, 'Kharif & rabi', null, '2 crops', 'Kharif & rabi', 'जल');
    try {
      const names = ['Kharif_rabi', 'Band_2', '_2_crops', 'Kharif_rabi_4', 'Band_5'];
      const newer = await content(describe201);
      expect([...newer.matchAll(/<swe:field name="([^"]*)"/g)].map(([, name]) => name)).toEqual(names);
      expect(newer).toContain('<swe:description>Kharif &amp; rabi</swe:description>');
      expect(newer).toContain('<swe:description>जल</swe:description>');
      const older = await content(describe100);
      const [, axis = ''] = /<AxisDescription>([^]*)<\/AxisDescription>/.exec(older) ?? [];
      expect([...axis.matchAll(/<singleValue>([^<]*)</g)].map(([, name]) => name)).toEqual(names);
      expect(await text(get201(`&rangesubset=${names.join(',')}`))).toBe('200 the whole file');
      expect(await text(get201('&rangesubset=Band_2'))).toMatch(/^404 .*NoSuchField|^400 .*NoSuchField/s);
    } finally {
      bands.splice(0, bands.length, null);
    }
    expect(await content(describe201)).toContain('<swe:field name="GRAY_INDEX">');
    expect(await content(describe100)).not.toContain('AxisDescription');
  });
});
