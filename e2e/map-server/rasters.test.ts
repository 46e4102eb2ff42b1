import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from 'fast-png';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findVenv, OWSLIB_JUDGE } from '../../scripts/peers.mjs';
import { hasProgram } from './map-world.fixture.ts';
import { classAt, DEGREES, rasterWorld, type RasterWorld } from './raster-world.fixture.ts';

const hasGdal = hasProgram('gdalinfo');
const owslib = findVenv(OWSLIB_JUDGE);

let world: RasterWorld;
beforeAll(async () => {
  world = await rasterWorld();
});
afterAll(() => world.close());

/** Runs a program without blocking this process, because the service runs in this process. */
async function gdal(program: string, ...args: readonly string[]): Promise<string> {
  const home = join(world.folder, 'home');
  mkdirSync(home, { recursive: true });
  return await new Promise((resolve, reject) => {
    execFile(program, args, { env: { ...process.env, HOME: home } }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${program} ${args.join(' ')}: ${stderr}`));
    });
  });
}

const checksum = (report: string): string | undefined => /Checksum=(\d+)/.exec(report)?.[1];
/** Origin in a report of gdalinfo, rounded to remove errors of floating-point numbers. */
const originOf = (report: string): readonly string[] =>
  [...(/^Origin = \((.*),(.*)\)$/m.exec(report)?.slice(1) ?? [])].map((each) => Number(each).toFixed(9));

describe.skipIf(!hasGdal)("GDAL's WCS driver", () => {
  const COVERAGES = [
    ['classes', 'lulc', '2.0.1', 'lulc__classes'],
    ['heights', 'dem', '2.0.1', 'dem__heights'],
    ['classes', 'lulc', '1.0.0', 'classes'],
    ['heights', 'dem', '1.0.0', 'heights'],
  ] as const;

  it.each(COVERAGES)('reads %s of %s by WCS %s without options', async (...[name, workspace, version, id]) => {
    const address = `WCS:${world.url}/${workspace}/wcs?SERVICE=WCS&VERSION=${version}&coverage=${id}`;
    const [read, stored] = [
      await gdal('gdalinfo', '-checksum', address),
      await gdal('gdalinfo', '-checksum', world.pathOf(name)),
    ];
    expect(checksum(read)).toBe(checksum(stored));
    expect(originOf(read)).toEqual(originOf(stored));
    expect(checksum(stored)).toBeDefined();
  });

  it.each(COVERAGES)('reads a part of %s of %s by WCS %s', async (...[name, workspace, version, id]) => {
    const part = async (source: string): Promise<string> => {
      const path = join(world.folder, 'part.tif');
      await gdal('gdal_translate', '-q', '-srcwin', '13', '27', '150', '90', source, path);
      return await gdal('gdalinfo', '-checksum', path);
    };
    const read = await part(`WCS:${world.url}/${workspace}/wcs?SERVICE=WCS&VERSION=${version}&coverage=${id}`);
    const stored = await part(world.pathOf(name));
    expect([checksum(read), originOf(read)]).toEqual([checksum(stored), originOf(stored)]);
  });

  it('lists the coverages', async () => {
    const report = await gdal('gdalinfo', `WCS:${world.url}/wcs?SERVICE=WCS`);
    expect(report).toContain('coverage=lulc__classes');
    expect(report).toContain('coverage=dem__heights');
  });

  it('reads a part of a coverage over /vsicurl_streaming', async () => {
    const query = 'service=WCS&version=2.0.1&request=GetCoverage&coverageId=lulc:classes&subset=Long(85.5,85.6)';
    const report = await gdal('gdalinfo', `/vsicurl_streaming/${world.url}/wcs?${query}`);
    expect(report).toContain('Size is 100, 240');
    expect(report).toMatch(/1: 0,0,255,255/);
  });
});

const COLORS = ['0,0,0,0', '0,0,255,255', '0,255,0,255', '255,0,0,128'];

describe('a map', () => {
  it('has the colours of the classes at every pixel of the raster', async () => {
    const { west, north, cols, rows, pixelWidth, pixelHeight } = DEGREES;
    const bbox = [west, north - rows * pixelHeight, west + cols * pixelWidth, north].join();
    const query = `service=WMS&version=1.1.1&request=GetMap&layers=lulc:classes&styles=&srs=EPSG:4326&bbox=${bbox}&width=${cols}&height=${rows}`;
    const response = await fetch(`${world.url}/wms?${query}&format=image/png&transparent=true`);
    expect(response.headers.get('content-type')).toBe('image/png');
    const { data, palette = [] } = decode(new Uint8Array(await response.arrayBuffer()));
    const wrong = Array.from(data).filter(
      (index, i) => palette[index]?.join() !== COLORS[classAt(i % cols, Math.floor(i / cols))],
    );
    expect(wrong).toEqual([]);
  });

  it.skipIf(!hasGdal)("is read by GDAL's WMS driver from the capabilities of both versions", async () => {
    for (const version of ['1.1.1', '1.3.0']) {
      const address = `WMS:${world.url}/lulc/wms?service=WMS&version=${version}&request=GetCapabilities&FORMAT=image/png`;
      const name = /SUBDATASET_1_NAME=(.*)/.exec(await gdal('gdalinfo', address))?.[1] ?? '';
      expect(name).toContain('LAYERS=classes');
      const path = join(world.folder, `map-${version}.raw`);
      const box = ['-projwin', '85.4', '25.3', '85.72', '25.06', '-outsize', '320', '240'];
      await gdal(
        'gdal_translate',
        '-q',
        '-of',
        'ENVI',
        '-co',
        'INTERLEAVE=BIP',
        '-r',
        'near',
        '-b',
        '1',
        '-b',
        '2',
        '-b',
        '3',
        ...box,
        name,
        path,
      );
      const bytes = readFileSync(path);
      const at = (col: number, row: number): string =>
        bytes.subarray(3 * (row * 320 + col), 3 * (row * 320 + col) + 3).join();
      // Only the middles of the blocks are compared, because GDAL's driver changes colours at the edges.
      for (let row = 10; row < 240; row += 20) {
        for (let col = 10; col < 320; col += 20) {
          const kind = classAt(col, row);
          if (kind === 1 || kind === 2)
            expect([version, col, row, at(col, row)]).toEqual([version, col, row, COLORS[kind]?.slice(0, -4)]);
        }
      }
    }
  });
});

describe('a tile', () => {
  it('has the colours of the classes and an ETag; at its address in TileJSON it may be cached for ever', async () => {
    const json: { tiles: readonly string[]; maxzoom: number } = JSON.parse(
      await (await fetch(`${world.url}/tiles/lulc/classes.json`)).text(),
    );
    const address = (json.tiles[0] ?? '').replace('{z}', '11').replace('{x}', '1510').replace('{y}', '875');
    const response = await fetch(address);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const etag = response.headers.get('etag') ?? '';
    const { data, palette = [] } = decode(new Uint8Array(await response.arrayBuffer()));
    const size = 360 / 2 ** 11 / 256;
    let compared = 0;
    for (let pixel = 0; pixel < 256 * 256; pixel += 7) {
      const longitude = -180 + 360 * (1510 / 2 ** 11) + ((pixel % 256) + 0.5) * size;
      const y = Math.PI * (1 - (2 * (875 + (Math.floor(pixel / 256) + 0.5) / 256)) / 2 ** 11);
      const latitude = (Math.atan(Math.sinh(y)) * 180) / Math.PI;
      const [col, row] = [Math.floor((longitude - DEGREES.west) * 1000), Math.floor((DEGREES.north - latitude) * 1000)];
      const isInside = col >= 0 && row >= 0 && col < DEGREES.cols && row < DEGREES.rows;
      expect(palette[data[pixel] ?? 0]?.join()).toBe(isInside ? COLORS[classAt(col, row)] : COLORS[0]);
      if (isInside) compared += 1;
    }
    expect(compared).toBeGreaterThan(1000);
    const cached = async (url: string): Promise<readonly unknown[]> => {
      const { status, headers } = await fetch(url, { headers: { 'if-none-match': etag } });
      return [status, headers.get('cache-control'), headers.get('etag')];
    };
    expect(await cached(address.replace(/\?.*/, ''))).toEqual([304, 'no-cache', etag]);
    expect(await cached(address)).toEqual([304, 'public, max-age=31536000, immutable', etag]);
  });
});

const JUDGE = `
import json, sys
from owslib.wms import WebMapService
from owslib.wcs import WebCoverageService
url, found = sys.argv[1], {}
for version in ('1.1.1', '1.3.0'):
    wms = WebMapService(url + '/wms', version=version)
    layer = wms['lulc:classes']
    image = wms.getmap(layers=['lulc:classes'], styles=[''], srs='EPSG:4326', bbox=(85.4, 25.06, 85.72, 25.3), size=(32, 24), format='image/png', transparent=True)
    info = wms.getfeatureinfo(layers=['lulc:classes'], srs='EPSG:4326', bbox=(85.4, 25.06, 85.72, 25.3), size=(320, 240), format='image/png', query_layers=['lulc:classes'], info_format='application/json', xy=(25, 5))
    found[version] = [layer.title, [round(each, 3) for each in layer.boundingBoxWGS84], list(layer.styles), layer.timepositions, image.read()[1:4].decode(), json.loads(info.read())['features'][0]['properties']]
wcs = WebCoverageService(url + '/wcs', version='2.0.1')
part = wcs.getCoverage(identifier='lulc__classes', format='image/tiff', subsets=[('Long', 85.5, 85.6), ('Lat', 25.1, 25.2)])
found['2.0.1'] = [sorted(wcs.contents)[:2], wcs.contents['lulc__classes'].grid.highlimits, part.read()[:2].decode()]
wcs = WebCoverageService(url + '/wcs', version='1.0.0')
part = wcs.getCoverage(identifier='lulc:classes', bbox=(85.5, 25.1, 85.6, 25.2), crs='EPSG:4326', format='GeoTIFF', width=50, height=50)
found['1.0.0'] = [sorted(wcs.contents)[:2], wcs.contents['lulc:classes'].grid.highlimits, part.read()[:2].decode()]
print(json.dumps(found))
`;

it.skipIf('reason' in owslib)('OWSLib reads capabilities, maps and coverages', async () => {
  const python = 'python' in owslib ? owslib.python : '';
  const wms = [
    'Layer <classes>',
    [85.4, 25.06, 85.72, 25.3],
    ['classes'],
    ['2021-07-01T00:00:00Z/2022-06-30T23:59:59Z/PT1S'],
    'PNG',
    { value: 1, label: 'water & wetland' },
  ];
  expect(JSON.parse(await gdal(python, '-c', JUDGE, world.url))).toEqual({
    '1.1.1': wms,
    '1.3.0': wms,
    '2.0.1': [['dem__heights', 'lulc__classes'], ['319', '239'], 'II'],
    '1.0.0': [['dem:heights', 'lulc:classes'], ['319', '239'], 'II'],
  });
});
