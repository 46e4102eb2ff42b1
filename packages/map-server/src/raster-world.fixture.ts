import type { PixelGrid } from '@headwater/core';
import type {
  MapGrid,
  MapLayer,
  MapLayers,
  MapPicture,
  MapRaster,
  MapReply,
  MapServer,
  MapServerParts,
} from '@headwater/core/ports';
import { loadImage } from '@napi-rs/canvas';
import { canvasOf } from './drawing/canvas.ts';
import { createEmbeddedMapServer } from './embedded.ts';

const GRID: PixelGrid = { crs: 'EPSG:4326', west: 85, north: 26, pixelWidth: 0.5, pixelHeight: 0.5, cols: 4, rows: 2 };
const SAMPLES = [1, 2, 3, 0, 2, 2, 1, 1];
const SLD = `<StyledLayerDescriptor xmlns="http://www.opengis.net/sld"><NamedLayer><UserStyle><Title>Land</Title><FeatureTypeStyle>
<Rule><RasterSymbolizer><ColorMap type="values"><ColorMapEntry color="#0000ff" quantity="1" label="water"/>
<ColorMapEntry color="#00ff00" quantity="2" label="crop"/></ColorMap></RasterSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

const AREAS = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { uid: '12_1', size: 5 },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [85, 25],
            [86, 25],
            [86, 26],
            [85, 26],
            [85, 25],
          ],
        ],
      },
    },
    {
      type: 'Feature',
      properties: { uid: '12_2', size: 50 },
      geometry: { type: 'Point', coordinates: [86.75, 25.75] },
    },
  ],
});
const AREAS_SLD = `<StyledLayerDescriptor xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><UserStyle><Title>Areas</Title><FeatureTypeStyle>
<Rule><Title>Small</Title><ogc:Filter><ogc:PropertyIsLessThan><ogc:PropertyName>size</ogc:PropertyName><ogc:Literal>10</ogc:Literal></ogc:PropertyIsLessThan></ogc:Filter>
<PolygonSymbolizer><Fill><CssParameter name="fill">#ff0000</CssParameter></Fill></PolygonSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
const TEXTS: Readonly<Record<string, string>> = {
  'classes.sld': SLD,
  'areas.geojson': AREAS,
  'areas.sld': AREAS_SLD,
};

const LAYER: MapLayer = {
  workspace: 'lulc',
  name: 'classes',
  title: 'Land',
  abstract: 'Classes',
  kind: 'raster',
  version: 'v1',
  isLasting: false,
  box: [85, 25, 87, 26],
  interval: { start: '2021-07-01T00:00:00Z', end: '2022-06-30T23:59:59Z' },
  assetKey: 'classes.tif',
  sldKey: 'classes.sld',
  qmlKey: null,
  columns: [],
  geometryName: 'geom',
  itemHref: 'https://example.org/item',
};

const listOf = (layers: readonly MapLayer[], workspaces: readonly string[]): MapLayers => ({
  workspaces: async () => workspaces,
  async *list(workspace) {
    yield* layers.filter((each) => workspace === undefined || each.workspace === workspace);
  },
  find: async (workspace, name, runId) => {
    const found = layers.find((each) => each.workspace === workspace && each.name === name);
    return found === undefined || runId === undefined ? found : { ...found, isLasting: true };
  },
  version: async () => 'state',
});

/** Raster of the test layer. `cuts` collects the requested parts. */
const rasterOf = (cuts: unknown[], bands: MapRaster['bands']): MapRaster => ({
  grid: GRID,
  type: 'uint8',
  nodata: 0,
  scaling: null,
  colors: null,
  bands,
  samples: async (target) => samplesOn(target),
  geoTiff: async (cut) => {
    cuts.push(cut);
    return Buffer.from('part');
  },
});

/** A map server (default: embedded) with the raster layer `lulc:classes` and the vector layer `mws:areas` in memory. */
export function rasterWorld(create: (parts: MapServerParts) => MapServer = createEmbeddedMapServer) {
  const files = new Map(Object.entries(TEXTS));
  const workspaces = ['lulc', 'mws'];
  const layers: MapLayer[] = [
    LAYER,
    { ...LAYER, workspace: 'mws', name: 'areas', kind: 'vector', assetKey: 'areas.geojson', sldKey: 'areas.sld' },
  ];
  const cuts: unknown[] = [];
  const bands: (string | null)[] = [null];
  const pictures: MapPicture[] = [];
  const parts: MapServerParts = {
    layers: listOf(layers, workspaces),
    commonStyles: [{ workspace: 'terrain', name: 'landforms', sld: SLD }],
    openFile: async (key) => {
      const text = files.get(key) ?? 'the whole file';
      return {
        bytes: Buffer.byteLength(text),
        etag: key,
        modified: new Date(0),
        stream: () => new Blob([text]).stream(),
      };
    },
    localPath: async (key) => `/${key}`,
    pixels: {
      open: async () => rasterOf(cuts, bands),
      png: async (picture) => {
        pictures.push(picture);
        return Buffer.from('png');
      },
      close: async () => {},
    },
    url: 'https://example.org/geoserver',
    title: 'Example',
    provider: 'Example provider',
  };
  const server = create(parts);
  const send = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<MapReply> => {
    const { pathname, searchParams } = new URL(path, 'https://example.org');
    const query: Record<string, string> = {};
    for (const [name, value] of searchParams) {
      const key = name.toLowerCase();
      query[key] = query[key] === undefined ? value : `${query[key]},${value}`;
    }
    const segments = pathname.split('/').filter(Boolean).map(decodeURIComponent);
    return await server.answer({ method: 'GET', segments, query, headers, signal: new AbortController().signal });
  };
  const content = async (path: string): Promise<string> => {
    const { body } = await send(path);
    return await new Response(body instanceof Uint8Array ? Buffer.from(body) : body).text();
  };
  const text = async (path: string): Promise<string> => `${(await send(path)).status} ${await content(path)}`;
  const drawn = async (path: string): Promise<readonly string[]> => {
    pictures.length = 0;
    const { status, body } = await send(path);
    const picture = pictures.at(-1);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    // The fake engine receives only PNG pictures with a palette. Colours of other pictures are read from the response.
    if (picture === undefined) return body instanceof Uint8Array ? await colorsOf(body) : [];
    const { pixels, palette } = picture;
    const colors = palette === null ? [] : Array.from(pixels, (index) => palette[index] ?? []);
    const own = Array.from({ length: pixels.length / 4 }, (_, i) => [...pixels.subarray(4 * i, 4 * i + 4)]);
    return (palette === null ? own : colors).map((color) => Buffer.from([...color]).toString('hex'));
  };
  return { send, content, text, drawn, cuts, bands, server, layers, files, workspaces };
}

async function colorsOf(file: Uint8Array): Promise<readonly string[]> {
  const image = await loadImage(file);
  const { context } = canvasOf(image.width, image.height);
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return Array.from({ length: data.length / 4 }, (_, i) =>
    Buffer.from(data.subarray(4 * i, 4 * i + 4)).toString('hex'),
  );
}

function samplesOn({ crs, west, north, pixelWidth, pixelHeight, cols, rows }: MapGrid): Uint8Array {
  const degrees = crs === 'EPSG:4326';
  return Uint8Array.from({ length: cols * rows }, (_, i) => {
    const [x, y] = [west + ((i % cols) + 0.5) * pixelWidth, north - (Math.floor(i / cols) + 0.5) * pixelHeight];
    const longitude = degrees ? x : (x / 6_378_137 / Math.PI) * 180;
    const latitude = degrees ? y : (Math.atan(Math.sinh(y / 6_378_137)) / Math.PI) * 180;
    const [col, row] = [Math.floor((longitude - GRID.west) * 2), Math.floor((GRID.north - latitude) * 2)];
    return col >= 0 && row >= 0 && col < GRID.cols && row < GRID.rows ? (SAMPLES[row * GRID.cols + col] ?? 0) : 0;
  });
}
