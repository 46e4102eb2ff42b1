import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import type { Position } from 'geojson';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '../../scripts/test-length.mjs';
import { launchBrowser, noBrowser, noFaults, watchPage } from '../browser.fixture.ts';
import { type Color, colorDistance, isSymbolColor, polygonColor, rasterColor, symbolColors } from './colors.fixture.ts';
import { storedRasters, type StoredRaster, type StyledLayer, VECTORS } from './every-layer.fixture.ts';
import { mapWorld, type MapWorld } from './map-world.fixture.ts';

const [WIDTH, HEIGHT] = [512, 384];
const LIBRARIES = ['OpenLayers', 'MapLibre GL'] as const;

interface TileJson {
  readonly tiles: readonly [string];
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly vector_layers?: readonly { readonly id: string }[];
}

/** Centre (degrees), zoom (for tiles of 256 pixels), and the points at which colours are compared. */
interface MapView {
  readonly center: Position;
  readonly zoom: number;
  readonly expected: readonly (readonly [place: Position, color: Color])[];
}

/** View of a layer: the greatest whole zoom at which it fits, and at most 100 points. */
function viewOf(layer: StyledLayer | StoredRaster, maxzoom: number): MapView {
  const [west, south, east, north] = layer.box;
  const center = [(west + east) / 2, (south + north) / 2];
  // At the layers' latitudes, a degree of latitude is at most 1.2 times as long as a degree of longitude.
  const fits = Math.log2((360 / 256) * Math.min(WIDTH / (east - west), HEIGHT / (north - south) / 1.2));
  const zoom = Math.min(maxzoom, Math.floor(fits));
  const degrees = 360 / 256 / 2 ** zoom;
  const isArea = 'bands' in layer || layer.style.geometry === 'polygon';
  if (!isArea) return { center, zoom, expected: symbolColors(layer) };
  const found: (readonly [Position, Color])[] = [];
  for (let i = 0; i < 4000; i += 1) {
    // These places cover the extent of the layer evenly.
    const place = [
      west + ((i * 0.754_877_666) % 1) * (east - west),
      south + ((i * 0.569_840_291) % 1) * (north - south),
    ];
    const color = 'bands' in layer ? rasterColor(layer, place, 2) : polygonColor(layer, place, 3 * degrees);
    if (color !== undefined) found.push([place, color]);
  }
  const colored = found.filter(([, color]) => color[3] > 0);
  const empty = found.filter(([, color]) => color[3] === 0);
  return {
    center,
    zoom,
    expected: [...colored.slice(0, 60), ...empty.slice(0, 40), ...colored.slice(60)].slice(0, 100),
  };
}

describe.skipIf(noBrowser !== undefined)('tiles in Chromium', () => {
  let world: MapWorld;
  let browser: Browser;
  let page: Page;
  const faults = noFaults();
  let layers: readonly (StyledLayer | StoredRaster)[] = [];

  beforeAll(async () => {
    layers = [...VECTORS, ...(await storedRasters())];
    world = await mapWorld(layers);
    browser = await launchBrowser({ hasWebGl: true });
    const { origin } = new URL(world.url);
    page = watchPage(await browser.newPage({ viewport: { width: 800, height: 600 } }), origin, faults);
    await servePage(page, origin);
    await page.goto(`${origin}/drawn/`);
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  const tileJson = async ({ workspace, name }: StyledLayer | StoredRaster): Promise<TileJson> => {
    const address = `${world.url}/tiles/${encodeURIComponent(workspace)}/${encodeURIComponent(name)}.json`;
    return (await (await fetch(address)).json()) as TileJson;
  };

  it.each(
    LIBRARIES.flatMap((library) => ['png', 'webp', 'mvt'].map((format) => ({ library, format }))).map(
      (form, offset) => ({ ...form, offset }),
    ),
  )('$library draws $format of layers in the colours of their styles', async ({ library, format, offset }) => {
    // A short run draws a third of the layers in each format.
    for (const [at, layer] of layers.entries()) {
      if ((at + offset) % sized(3, 1) !== 0) continue;
      const isVector = format === 'mvt';
      if (isVector && 'bands' in layer) continue;
      const { tiles, minzoom, maxzoom, vector_layers } = await tileJson(layer);
      const { expected, ...view } = viewOf(layer, maxzoom);
      const options = {
        library,
        tiles: tiles[0].replace(/\.(?:png|mvt)(?=\?)/, `.${format}`),
        isVector,
        minzoom,
        maxzoom,
        name: vector_layers?.[0]?.id,
        style: 'style' in layer ? layer.style : undefined,
        places: expected.map(([place]) => place),
        ...view,
      };
      const drawn: readonly (readonly number[])[] = await page.evaluate(`draw(${JSON.stringify(options)})`);
      const wrong = expected.flatMap(([place, color], at) => {
        const pixels = drawn[at] ?? [];
        const colors = Array.from({ length: 9 }, (_, i): Color => {
          const [r = 0, g = 0, b = 0, a = 0] = pixels.slice(4 * i, 4 * i + 4);
          return [r, g, b, a];
        });
        const isSymbol = 'style' in layer && layer.style.geometry !== 'polygon';
        const isEqual = isSymbol
          ? colors.some((each) => isSymbolColor(each, color))
          : colorDistance(colors[4] ?? [0, 0, 0, 0], color) <= 1;
        return isEqual ? [] : [{ place, color, drawn: colors[4] }];
      });
      const { workspace, name } = layer;
      expect([workspace, name, wrong.length, wrong.slice(0, 3), expected.length > 20]).toEqual([
        workspace,
        name,
        0,
        [],
        true,
      ]);
    }
  });

  it('causes no error in the console', () => {
    expect(faults).toEqual({ complaints: [], elsewhere: [] });
  });
});

async function servePage(page: Page, origin: string): Promise<void> {
  const script = await build({
    entryPoints: [join(import.meta.dirname, 'draw-layers.mjs')],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const library = resolve(import.meta.dirname, '../../node_modules/maplibre-gl/dist');
  await page.route(`${origin}/drawn/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.replace('/drawn/', '');
    if (name === '')
      await route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><script type="module" src="page.mjs"></script>',
      });
    else if (name === 'page.mjs')
      await route.fulfill({ contentType: 'text/javascript', body: script.outputFiles[0]?.text ?? '' });
    else await route.fulfill({ contentType: 'text/javascript', body: await readFile(join(library, name)) });
  });
}
