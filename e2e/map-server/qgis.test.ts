import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Position } from 'geojson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QGIS_PYTHON, qgisProblem } from '../../scripts/peers.mjs';
import { type Color, colorDistance, isSymbolColor, polygonColor, rasterColor, symbolColors } from './colors.fixture.ts';
import { comparable, toXmlName } from './compare.fixture.ts';
import { storedRasters, type StoredRaster, type StyledLayer, VECTORS } from './every-layer.fixture.ts';
import { mapWorld, type MapWorld, type WorldFeature } from './map-world.fixture.ts';

const problem = qgisProblem();
const VERSIONS = ['2.0.0', '1.1.0', '1.0.0'] as const;

interface Task {
  readonly provider: 'WFS' | 'OAPIF' | 'wcs' | 'wms';
  readonly source: Readonly<Record<string, string>>;
  /** Extent and size of a picture. */
  readonly box?: readonly number[];
  readonly size?: readonly number[];
}

interface ReadVector {
  readonly error?: string;
  readonly count: number;
  readonly crs: string;
  readonly box: readonly number[];
  readonly types: Readonly<Record<string, string>>;
  readonly features: readonly WorldFeature[];
}

interface ReadCoverage {
  readonly error?: string;
  readonly crs: string;
  readonly size: readonly number[];
  readonly box: readonly number[];
  readonly nodata: string | null;
  readonly bands: readonly string[];
}

interface ReadPicture {
  readonly error?: string;
  readonly errors: readonly string[];
  readonly box: readonly number[];
  /** RGBA bytes, row by row, as base64. */
  readonly pixels: string;
}

interface Tasks {
  readonly vectors: readonly Task[];
  readonly coverages: readonly Task[];
  readonly pictures: readonly Task[];
}

interface Results {
  readonly vectors: readonly ReadVector[];
  readonly coverages: readonly ReadCoverage[];
  readonly pictures: readonly ReadPicture[];
}

const VECTOR_FORMS = [...VERSIONS.map((version) => ['WFS', version] as const), ['OAPIF', '1'] as const];
const MAP_VERSIONS = ['1.3.0', '1.1.1'] as const;
const SIZE = [320, 240] as const;

const idOf = ({ workspace, name }: Pick<StyledLayer, 'workspace' | 'name'>): string => `${workspace}:${name}`;

function tasksOf(url: string, rasters: readonly StoredRaster[]): Tasks {
  return {
    vectors: VECTOR_FORMS.flatMap(([provider, version]) =>
      VECTORS.map((layer): Task => ({
        provider,
        source:
          provider === 'OAPIF'
            ? { url: `${url}/ogc/features/v1`, typename: idOf(layer), srsname: 'OGC:CRS84' }
            : {
                url: `${url}/wfs`,
                typename: `${layer.workspace}:${toXmlName(layer.name)}`,
                version,
                srsname: 'EPSG:4326',
              },
      })),
    ),
    coverages: rasters.map((layer) => ({
      provider: 'wcs',
      source: {
        url: `${url}/wcs`,
        identifier: idOf(layer),
        version: '1.0.0',
        format: 'GeoTIFF',
        cache: 'AlwaysNetwork',
      },
    })),
    pictures: MAP_VERSIONS.flatMap((version) =>
      [...rasters, ...VECTORS].map((layer) => ({
        provider: 'wms',
        source: {
          url: `${url}/wms?`,
          layers: idOf(layer),
          styles: '',
          format: 'image/png',
          crs: 'EPSG:4326',
          version,
        },
        box: layer.box,
        size: SIZE,
      })),
    ),
  };
}

const withValues = (
  features: readonly WorldFeature[],
  convert: (value: WorldFeature['properties'][string]) => WorldFeature['properties'][string],
): readonly WorldFeature[] =>
  features.map(({ properties, ...feature }) => ({
    ...feature,
    properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, convert(value ?? null)])),
  }));

/** Column types in the providers of QGIS 3.22, and the features as each provider reads them. */
const PROVIDERS = {
  // In WFS, QGIS reads booleans as texts.
  WFS: {
    ids: {},
    types: { string: 'xsd:string', integer: 'xsd:long', number: 'xsd:double', boolean: 'xsd:boolean' },
    values: (features: readonly WorldFeature[]) =>
      withValues(features, (value) => (typeof value === 'boolean' ? String(value) : value)),
  },
  // In OGC API Features, QGIS takes column types from the first ten features; a larger integer after them overflows.
  OAPIF: {
    ids: { id: 'String' },
    types: { string: 'String', integer: 'Integer', number: 'Real', boolean: 'Boolean' },
    values: (features: readonly WorldFeature[]) =>
      withValues(features, (value) => (value === 5_000_000_000 ? value | 0 : value)),
  },
} as const;

/** Returns the centres of every 37th pixel, the colours at and near a place, and the pixel width in degrees. */
function pictureOf([west = 0, south = 0, east = 0, north = 0]: readonly number[], base64: string) {
  const pixels = Buffer.from(base64, 'base64');
  const [cols, rows] = SIZE;
  const [pixelWidth, pixelHeight] = [(east - west) / cols, (north - south) / rows];
  const places = Array.from({ length: Math.floor((cols * rows) / 37) }, (_, i): Position => {
    const [col, row] = [(37 * i) % cols, Math.floor((37 * i) / cols)];
    return [west + (col + 0.5) * pixelWidth, north - (row + 0.5) * pixelHeight];
  });
  const near = ([lon = 0, lat = 0]: Position, reach = 1): readonly Color[] => {
    const [col, row] = [Math.floor((lon - west) / pixelWidth), Math.floor((north - lat) / pixelHeight)];
    const around = Array.from({ length: (2 * reach + 1) ** 2 }, (_, i) => [
      col - reach + (i % (2 * reach + 1)),
      row - reach + Math.floor(i / (2 * reach + 1)),
    ]);
    return around.flatMap(([x = 0, y = 0]): readonly Color[] => {
      const [r = 0, g = 0, b = 0, a = 0] = pixels.subarray(4 * (y * cols + x));
      return x < 0 || y < 0 || x >= cols || y >= rows ? [] : [[r, g, b, a]];
    });
  };
  const at = (place: Position): Color => near(place, 0)[0] ?? [0, 0, 0, 0];
  return { places, at, near, pixelWidth };
}

describe.skipIf(problem !== undefined)('QGIS', () => {
  let world: MapWorld;
  let results: Results;
  let rasters: readonly StoredRaster[] = [];

  beforeAll(async () => {
    rasters = await storedRasters();
    world = await mapWorld([...VECTORS, ...rasters]);
    const path = join(world.folder, 'tasks.json');
    writeFileSync(path, JSON.stringify(tasksOf(world.url, rasters)));
    const script = join(import.meta.dirname, 'judge_qgis.py');
    results = JSON.parse(await world.run(QGIS_PYTHON, script, path)) as Results;
  });
  afterAll(() => world.close());

  it.each(VECTOR_FORMS.map(([provider, version], form) => ({ provider, version, form })))(
    'reads every feature of every layer by $provider $version',
    ({ provider, form }) => {
      for (const [at, layer] of VECTORS.entries()) {
        const read = results.vectors[form * VECTORS.length + at];
        const [id, stored] = [idOf(layer), layer.features];
        expect([id, read?.error, read?.count]).toEqual([id, undefined, stored.length]);
        expect([id, comparable(read?.features ?? [])]).toEqual([id, comparable(PROVIDERS[provider].values(stored))]);
        // A layer without features is skipped, because QGIS derives columns and geometry type from the features.
        if (stored.length === 0) continue;
        const { ids, types } = PROVIDERS[provider];
        const expected = layer.columns.map(({ name, type }) => [
          provider === 'WFS' ? toXmlName(name) : name,
          types[type],
        ]);
        expect([id, read?.crs, read?.types]).toEqual([id, 'EPSG:4326', { ...ids, ...Object.fromEntries(expected) }]);
      }
    },
  );

  it('reads every sample of every coverage by WCS 1.0.0', () => {
    for (const [at, layer] of rasters.entries()) {
      const read = results.coverages[at];
      const { grid, bands, nodata } = layer;
      const nodataText = nodata === undefined ? null : Number.isNaN(nodata) ? 'nan' : nodata.toFixed(1);
      const expected = [grid.crs, [grid.cols, grid.rows], nodataText];
      expect([idOf(layer), read?.error, read?.crs, read?.size, read?.nodata]).toEqual([
        idOf(layer),
        undefined,
        ...expected,
      ]);
      const samples = bands.map(({ buffer }) => Buffer.from(buffer).toString('base64'));
      expect([idOf(layer), read?.bands]).toEqual([idOf(layer), samples]);
    }
  });

  it.each(MAP_VERSIONS.map((version, form) => ({ version, form })))(
    'draws every layer by WMS $version in the colours of its style',
    ({ form }) => {
      const layers = [...rasters, ...VECTORS];
      for (const [at, layer] of layers.entries()) {
        const read = results.pictures[form * layers.length + at];
        expect([idOf(layer), read?.error, read?.errors]).toEqual([idOf(layer), undefined, []]);
        const picture = pictureOf(read?.box ?? [], read?.pixels ?? '');
        if ('style' in layer && layer.style.geometry !== 'polygon') {
          const symbols = symbolColors(layer);
          const wrong = symbols.filter(
            ([place, color]) => !picture.near(place).some((drawn) => isSymbolColor(drawn, color)),
          );
          expect([idOf(layer), wrong, symbols.length > 20]).toEqual([idOf(layer), [], true]);
          continue;
        }
        const compared = picture.places.flatMap((place) => {
          const expected =
            'bands' in layer ? rasterColor(layer, place) : polygonColor(layer, place, 2 * picture.pixelWidth);
          return expected === undefined ? [] : [{ place, drawn: picture.at(place), expected }];
        });
        const wrong = compared.filter(({ drawn, expected }) => colorDistance(drawn, expected) > 1);
        expect([idOf(layer), wrong.slice(0, 5), compared.length > 300]).toEqual([idOf(layer), [], true]);
      }
    },
  );
});
