import { describe, expect, it } from 'vitest';
import { rasterWorld } from '../raster-world.fixture.ts';
import { tileGrid, tileOf, tilesIn } from './matrix.ts';

const { send, content, text, drawn } = rasterWorld();
const json = async (path: string): Promise<Record<string, unknown>> => JSON.parse(await content(path));

describe('a tile', () => {
  it('is drawn in EPSG:3857 with 256 or 512 pixels a side', async () => {
    const colors = await drawn('/tiles/lulc/classes/5/23/13.png');
    expect(colors).toHaveLength(256 * 256);
    expect(new Set(colors)).toEqual(new Set(['00000000', '0000ffff', '00ff00ff']));
    expect(await drawn('/tiles/lulc/classes/5/23/13@2x.png')).toHaveLength(512 * 512);
    expect(await drawn('/tiles/lulc/classes/5/23/13.png?size=512')).toHaveLength(512 * 512);
    const same = '/ogc/tiles/v1/collections/lulc:classes/map/tiles/WebMercatorQuad/5/13/23';
    expect(await drawn(same)).toEqual(colors);
    expect(await drawn('/tiles/lulc/classes/5/23/13.webp')).toEqual(colors);
  });

  it('may be cached without expiry only if its address names the current version or a run', async () => {
    const path = '/tiles/lulc/classes/5/23/13.png';
    const { etag } = await send(path);
    expect(await send(path)).toMatchObject({ isLasting: false, headers: { 'content-type': 'image/png' } });
    expect(await send(`${path}?v=v1`)).toMatchObject({ isLasting: true, etag });
    expect(await send(`${path}?v=v0`)).toMatchObject({ isLasting: false });
    expect(await send(`${path}?run=r1`)).toMatchObject({ isLasting: true });
    expect(await send(path, { 'if-none-match': `"${etag}"` })).toMatchObject({ status: 304, body: undefined });
  });

  it.each([
    '/tiles/lulc/classes/5/32/13.png',
    '/tiles/lulc/classes/25/0/0.png',
    '/tiles/lulc/classes/5/-1/13.png',
    '/tiles/lulc/classes/1e1/1/1.png',
    '/tiles/lulc/none/5/23/13.png',
    '/tiles/lulc/classes/5/23/13.gif',
    '/ogc/tiles/v1/collections/lulc:classes/map/tiles/WorldCRS84Quad/5/13/23',
    '/ogc/tiles/v1/collections/classes',
    '/ogc/tiles/v1/constructor',
  ])('is 404 at %s', async (path) => {
    expect((await send(path)).status).toBe(404);
  });

  it('is also drawn for a vector layer, and in other formats', async () => {
    expect(new Set(await drawn('/tiles/mws/areas/5/23/13.png'))).toContain('ff0000ff');
    const webp = await send('/tiles/lulc/classes/5/23/13.webp');
    expect(webp).toMatchObject({ status: 200, headers: { 'content-type': 'image/webp' } });
    expect(webp.etag).not.toBe((await send('/tiles/lulc/classes/5/23/13.png')).etag);
  });

  it('is refused with another size', async () => {
    expect(await text('/tiles/lulc/classes/5/23/13.png?size=4096')).toMatch(/^400 .*size/s);
  });
});

describe('documents', () => {
  it('of TileJSON have the versioned address, zooms and bounds', async () => {
    expect(await json('/tiles/lulc/classes.json')).toMatchObject({
      tilejson: '3.0.0',
      tiles: ['https://example.org/geoserver/tiles/lulc/classes/{z}/{x}/{y}.png?v=v1'],
      minzoom: 0,
      maxzoom: 2,
      bounds: [85, 25, 87, 26],
    });
  });

  it('of OGC API - Tiles lead from the landing page to the tiles', async () => {
    const base = '/ogc/tiles/v1';
    expect(await json(`${base}/`)).toMatchObject({
      links: expect.arrayContaining([expect.objectContaining({ rel: 'data' })]),
    });
    expect(await json(`${base}/collections`)).toMatchObject({
      collections: expect.arrayContaining([expect.objectContaining({ id: 'lulc:classes' })]),
    });
    expect(await json(`${base}/collections/lulc:classes/map/tiles`)).toMatchObject({ tilesets: [{ dataType: 'map' }] });
    expect(await json(`${base}/collections/lulc:classes/map/tiles/WebMercatorQuad`)).toMatchObject({
      links: expect.arrayContaining([expect.objectContaining({ rel: 'item', templated: true })]),
      tileMatrixSetLimits: expect.arrayContaining([
        { tileMatrix: '2', minTileRow: 1, maxTileRow: 1, minTileCol: 2, maxTileCol: 2 },
      ]),
    });
    expect(await json(`${base}/tileMatrixSets/WebMercatorQuad`)).toMatchObject({ tileMatrices: expect.any(Array) });
    expect(await json(`${base}/conformance`)).toMatchObject({ conformsTo: expect.any(Array) });
  });
});

describe('the tile matrix set', () => {
  it('has the tiles of web maps', () => {
    expect(tileGrid(tileOf('1', '1', '0'), 256)).toMatchObject({ west: 0, north: 20_037_508.342_789_244, cols: 256 });
    expect(tilesIn([-180, -90, 180, 90], 1)).toEqual({ minCol: 0, maxCol: 1, minRow: 0, maxRow: 1 });
  });
});
