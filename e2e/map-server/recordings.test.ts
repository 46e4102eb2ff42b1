import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rasterSld } from '@headwater/layer-kit';
import { openRaster } from '@headwater/raster';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shared } from '../../scripts/peers.mjs';
import { mapWorld, type MapWorld, type WorldFeature } from './map-world.fixture.ts';

const folder = join(shared, 'data', 'geoserver', 'recordings');
const isMissing = !existsSync(folder);
if (isMissing) console.warn('skipped: recordings of a GeoServer: ../shared/data/geoserver is missing');

/** A recorded response of GeoServer 2.26.2. */
interface Recording {
  readonly file: string;
  readonly path: string;
  readonly status: number;
}

const recordings = (pattern: RegExp): readonly Recording[] => {
  if (isMissing) return [];
  const all = JSON.parse(readFileSync(join(folder, 'ogc', 'index.json'), 'utf8')) as readonly Recording[];
  return all.filter(({ file }) => pattern.test(file));
};
const bytesOf = (file: string): Buffer => readFileSync(join(folder, 'ogc', file));
const textOf = (file: string): string => bytesOf(file).toString('utf8');

interface Collection {
  readonly features: readonly (WorldFeature & { readonly id: string; readonly geometry_name: string })[];
  readonly [member: string]: unknown;
}

interface Legend {
  readonly Legend: readonly {
    readonly rules: readonly { readonly symbolizers: readonly { readonly Raster: Ramp }[] }[];
  }[];
}

interface Ramp {
  readonly colormap: {
    readonly type: string;
    readonly entries: readonly { readonly label: string; readonly quantity: string; readonly color: string }[];
  };
}

const rampOf = (text: string): Ramp['colormap'] | undefined =>
  (JSON.parse(text) as Legend).Legend[0]?.rules[0]?.symbolizers[0]?.Raster.colormap;

function elements(xml: string, names: string): readonly (readonly [name: string, text: string])[] {
  const pattern = new RegExp(`<(?:[\\w.]+:)?(${names})(?:\\s[^>]*)?>([^<]*)<`, 'g');
  return [...xml.matchAll(pattern)].map(([, name = '', text = '']) => [name, text.trim()]);
}

const numbersIn = (text: string): readonly number[] =>
  text
    .split(/[\s,]+/)
    .filter((each) => each !== '' && Number.isFinite(Number(each)))
    .map((each) => Math.round(Number(each) * 1e9) / 1e9);

const gmlFeatures = (xml: string): readonly unknown[] =>
  [...xml.matchAll(/<mws:mws_pg (?:fid|gml:id)="([^"]*)">(.*?)<\/mws:mws_pg>/gs)].map(([, id, content = '']) => ({
    id,
    values: new Map(
      elements(content, 'ogc_fid|uid|area_in_ha|name|yr').map(([name, text]) => [
        name,
        name === 'area_in_ha' ? Number(text) : text.replaceAll('&apos;', "'"),
      ]),
    ),
    positions: elements(content, 'posList|pos|coordinates').flatMap(([, text]) => numbersIn(text)),
  }));

/**
 * Names and types of the columns in a schema. Ignores sizes of numbers, and the column `name` that every GML 3 feature
 * has. Replaces the type name `Surface` by `Polygon`.
 */
const columnsOf = (xsd: string): readonly (readonly string[])[] =>
  [...xsd.matchAll(/<xsd:element (?=[^>]*minOccurs)[^>]*>/g)]
    .map(([element]) => {
      const [name = '', type = ''] = ['name', 'type'].map(
        (key) => new RegExp(`\\b${key}="([^"]*)"`).exec(element)?.[1] ?? '',
      );
      return [
        name,
        type
          .replace(/^xsd:(?:int|long)$/, 'whole number')
          .replace(/^\w+:/, '')
          .replace('Surface', 'Polygon'),
      ];
    })
    .filter(([name]) => name !== 'name');

/**
 * Code of an exception. The locator (name of the wrong parameter) is not compared, because GeoServer omits it in some
 * responses.
 */
const exceptionOf = (xml: string): string | undefined => /\b(?:exceptionCode|code)="(\w+)"/.exec(xml)?.[1];

describe.skipIf(isMissing)(
  'our responses to recorded requests, compared with the recorded responses of a GeoServer',
  () => {
    let world: MapWorld;
    beforeAll(async () => {
      const { features } = JSON.parse(textOf('wfs-1.0.0-features.json')) as Collection;
      const entries = rampOf(textOf('wms-1.1.1-legend.json'))?.entries ?? [];
      const classes = entries.map(({ label, quantity, color }) => ({
        label,
        value: Number(quantity),
        color,
        alpha: 255,
      }));
      const raster = { workspace: 'lulc', name: 'lulc_2020', box: [85.4, 25.06, 85.72, 25.3] } as const;
      world = await mapWorld([
        { workspace: 'mws', name: 'mws_pg', features, box: [85.4, 25.1, 85.7, 25.2] },
        { ...raster, tif: bytesOf('wcs-2.0.1-upstream-link.tif'), sld: rasterSld('lulc_2020', 'Land', classes) },
      ]);
    });
    afterAll(() => world.close());

    const replay = async (
      path: string,
    ): Promise<{ readonly status: number; readonly bytes: Buffer; readonly text: string }> => {
      const response = await fetch(world.url + path);
      const bytes = Buffer.from(await response.arrayBuffer());
      return { status: response.status, bytes, text: bytes.toString('utf8') };
    };

    it.each(recordings(/features\.json$/))('$file: the same features and counts', async ({ file, path }) => {
      const { timeStamp: _time, ...read } = JSON.parse((await replay(path)).text) as Collection;
      const { timeStamp: _recorded, ...recorded } = JSON.parse(textOf(file)) as Collection;
      expect(read).toEqual(recorded);
    });

    it.each(recordings(/features\.gml$/))('$file: the same ids, values and positions', async ({ file, path }) => {
      const read = gmlFeatures((await replay(path)).text);
      expect(read).toEqual(gmlFeatures(textOf(file)));
      expect(read).toHaveLength(3);
    });

    it.each(recordings(/hits\.xml$/))('$file: the same counts', async ({ file, path }) => {
      const counts = (xml: string): unknown => [...xml.matchAll(/\b(?:number\w+)="\d+"/g)].map(([count]) => count);
      expect(counts((await replay(path)).text)).toEqual(counts(textOf(file)));
    });

    it.each(recordings(/^wfs.*describe/))('$file: the same columns and geometry type', async ({ file, path }) => {
      const columns = columnsOf((await replay(path)).text);
      expect(columns).toEqual(columnsOf(textOf(file)));
      expect(columns).toHaveLength(5);
    });

    it.each(recordings(/^wcs.*describe/))('$file: the same grid', async ({ file, path }) => {
      const names = 'low|high|pos|offsetVector|lowerCorner|upperCorner|nilValue|axisLabels';
      const grid = (xml: string): unknown => elements(xml, names).map(([name, text]) => [name, numbersIn(text)]);
      const read = grid((await replay(path)).text);
      expect(read).toEqual(grid(textOf(file)));
      expect(read).not.toEqual([]);
    });

    it.each(recordings(/capabilities/))('$file: the layer with the same extent', async ({ file, path }) => {
      const layer = (xml: string): unknown => {
        const name = file.startsWith('wfs') ? 'mws_pg' : 'lulc_2020';
        const at = xml.search(new RegExp(`<(?:\\w+:)?(?:Name|name|CoverageId)>(?:\\w+(?::|__))?${name}<`));
        // Only in summaries of WCS 2.0.1 may the extent be before the layer's name.
        const after = xml.slice(file.startsWith('wcs-2') ? xml.lastIndexOf('CoverageSummary>', at) : at);
        const corners = elements(after, 'pos|LowerCorner|UpperCorner').map(([, text]) => text);
        const [, own = ''] = /<LatLon\w*BoundingBox ([^>]*)>/.exec(after) ?? [];
        const geographic = elements(after, '(?:west|east)BoundLongitude|(?:south|north)BoundLatitude')
          .map(([, text]) => text)
          .slice(0, 4);
        const attributes = ['minx', 'miny', 'maxx', 'maxy'].map(
          (key) => new RegExp(`${key}="([^"]*)"`).exec(own)?.[1] ?? '',
        );
        const found = [attributes, corners.slice(0, 2), geographic].find((texts) => texts.join('') !== '') ?? [];
        return numbersIn(found.join(' ')).map((each) => Number(each.toFixed(6)));
      };
      const { status, text } = await replay(path);
      expect([status, layer(text)]).toEqual([200, layer(textOf(file))]);
      expect(layer(text)).toHaveLength(4);
    });

    it.each(recordings(/missing|bad-/))(
      '$file: an error with the same code, and status 400 or 404',
      async ({ file, path }) => {
        const { status, text } = await replay(path);
        expect([400, 404]).toContain(status);
        const code = text.startsWith('{')
          ? (JSON.parse(text) as { exceptions: readonly { code: string }[] }).exceptions[0]?.code
          : exceptionOf(text);
        expect(code).toBe(exceptionOf(textOf(file)));
      },
    );

    it.each(recordings(/\.tif$/))('$file: the same samples on the same grid', async ({ file, path }) => {
      const own = join(world.folder, 'own.tif');
      writeFileSync(own, (await replay(path)).bytes);
      const samples = async (tif: string): Promise<unknown> => {
        const raster = await openRaster(tif);
        const { cols, rows } = raster.grid;
        const values = new Float64Array(cols * rows);
        await raster.readWindow({ col: 0, row: 0, cols, rows }, values);
        raster.close();
        return { grid: raster.grid, values };
      };
      expect(await samples(own)).toEqual(await samples(join(folder, 'ogc', file)));
    });

    it.each(recordings(/map\.png$/))('$file: the same colour at every pixel', async ({ file, path }) => {
      const pixels = async (png: Buffer): Promise<readonly string[]> => {
        const image = await loadImage(png);
        const context = createCanvas(image.width, image.height).getContext('2d');
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, image.width, image.height);
        return Array.from({ length: data.length / 4 }, (_, i) => [...data.subarray(4 * i, 4 * i + 4)].join());
      };
      const drawn = await pixels((await replay(path)).bytes);
      expect(drawn).toEqual(await pixels(bytesOf(file)));
      expect(new Set(drawn).size).toBeGreaterThan(2);
    });

    it.each(recordings(/legend\.json$/))('$file: the same classes', async ({ file, path }) => {
      expect(rampOf((await replay(path)).text)).toEqual(rampOf(textOf(file)));
    });

    it.each(recordings(/legend\.png$/))('$file: the response is a PNG', async ({ path }) => {
      const { status, bytes } = await replay(path);
      expect([status, bytes.toString('latin1', 1, 4)]).toEqual([200, 'PNG']);
    });

    it('every recorded request of real clients gets status 200', async () => {
      const lines = readFileSync(join(folder, 'client-requests.md'), 'utf8').split('\n');
      const sent = lines.flatMap((line) => /^GET (\?\S+)/.exec(line)?.[1] ?? []);
      const statuses = await Promise.all(
        sent.map(async (query) => {
          const path = `/ows${query.replace('a,b,c', 'mws:mws_pg').replace('mws:x', 'mws:mws_pg')}`;
          return [path, (await replay(path)).status];
        }),
      );
      expect(statuses).toEqual(statuses.map(([path]) => [path, 200]));
      expect(sent.length).toBeGreaterThan(3);
    });
  },
);
