import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openRaster, pointTransform, writeGeoTiff } from '@headwater/raster';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkShown, LANGUAGES, launchBrowser, noBrowser, noFaults, onScreen, watchPage } from './browser.fixture.ts';
import { type SampleServer, startSampleServer } from './sample-server.fixture.ts';

if (noBrowser !== undefined) console.log(`skipped: the map of a layer in a browser: ${noBrowser}`);

const COVER =
  '/api/v1/stac/virtapradesh/nirmalgarh/jalsrota/items/virtapradesh_nirmalgarh_jalsrota_land_use_land_cover';
const RASTER = `${COVER}_raster_2021/`;
const VECTOR = `${COVER}_vector/`;
const BUTTON = /^(Open the interactive map|इंटरैक्टिव मानचित्र खोलें)$/;
const KB = 1000;

interface Pixels {
  readonly cols: number;
  readonly values: Float64Array;
  readonly placeOf: (index: number) => { readonly longitude: number; readonly latitude: number };
}

interface Asset {
  readonly href: string;
  readonly 'classification:classes'?: readonly {
    readonly value: number;
    readonly title: string;
    readonly color_hint?: string;
  }[];
}

describe.skipIf(noBrowser !== undefined)('the map of a layer in Chromium', () => {
  let dataDir: string;
  let server: SampleServer;
  let browser: Browser;
  let page: Page;
  const faults = noFaults();
  const watched = (next: Page): Page => watchPage(next, server.baseUrl, faults);
  const open = async (path: string, on = page): Promise<void> => {
    // Opens an empty page first, because a link that differs only after `#` would not reload the page.
    await on.goto('about:blank');
    await on.goto(server.baseUrl + path);
    if (!path.includes('#')) await on.getByRole('button', { name: BUTTON }).click();
    await on.locator('.map-view canvas').first().waitFor();
  };
  const assetsOf = async (path: string): Promise<Readonly<Record<string, Asset>>> =>
    ((await (await fetch(server.baseUrl + path)).json()) as { assets: Readonly<Record<string, Asset>> }).assets;
  const pixelsOf = async (path: string, key = 'cog'): Promise<Pixels> => {
    const [, file = ''] = /\/assets\/(.*)$/.exec((await assetsOf(path))[key]?.href ?? '') ?? [];
    const raster = await openRaster(join(dataDir, 'assets', file));
    const { cols, rows, west, north, pixelWidth, pixelHeight } = raster.grid;
    const values = new Float64Array(cols * rows);
    await raster.readWindow({ col: 0, row: 0, cols, rows }, values);
    raster.close();
    const placeOf = (index: number) => ({
      longitude: west + ((index % cols) + 0.5) * pixelWidth,
      latitude: north - (Math.floor(index / cols) + 0.5) * pixelHeight,
    });
    return { cols, values, placeOf };
  };
  const linkTo = ({ longitude, latitude }: ReturnType<Pixels['placeOf']>, rest = ''): string =>
    `#map=18.00/${latitude.toFixed(7)}/${longitude.toFixed(7)}${rest}`;
  /** Colour in the middle of the map, `rrggbb`; empty if transparent. */
  const middle = async (): Promise<unknown> =>
    await page.evaluate(`(() => {
      const canvas = document.querySelector('.map-view canvas');
      const [red, green, blue, alpha] = canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data;
      return alpha === 0 ? '' : [red, green, blue].map((each) => each.toString(16).padStart(2, '0')).join('').toUpperCase();
    })()`);
  const classesOf = async () => (await assetsOf(RASTER))['cog']?.['classification:classes'] ?? [];
  const colourOf = async (value: number): Promise<string> =>
    (await classesOf()).find((each) => each.value === value)?.color_hint ?? 'no class';
  const facts = async (): Promise<string> => await page.locator('.map-point .facts').innerText();

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'headwater-map-'));
    server = await startSampleServer({ dataDir });
    browser = await launchBrowser();
    page = watched(await browser.newPage({ viewport: { width: 1280, height: 900 } }));
  }, 400_000);
  afterAll(async () => {
    await browser.close();
    await server.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  it('has the colour of the legend at a known place of each class', async () => {
    const { cols, values, placeOf } = await pixelsOf(RASTER);
    const seen = new Set<number>();
    for (const { value, color_hint: colour } of await classesOf()) {
      const index = placeInside(values, cols, value);
      if (index === -1 || value === 0) continue;
      await open(RASTER + linkTo(placeOf(index)));
      await expect.poll(middle).toBe(colour);
      seen.add(value);
    }
    expect(seen.size).toBeGreaterThan(8);
  });

  it('reads class, confidence and micro-watershed of a clicked point, and of the middle after Enter', async () => {
    const { cols, values, placeOf } = await pixelsOf(RASTER);
    const index = placeInside(values, cols, 6);
    const { values: confidences } = await pixelsOf(RASTER, 'confidence');
    await open(RASTER + linkTo(placeOf(index)));
    await expect.poll(middle).toBe(await colourOf(6));
    await page.locator('.map-view').focus();
    await page.keyboard.press('Enter');
    await expect.poll(facts).toMatch(/Trees and forest/);
    expect(await facts()).toContain(`${confidences[index]} %`);
    expect(await facts()).toMatch(/Micro-watershed\s+12_\d+/);
    expect(await page.locator('.map-panel [role=status].hidden').textContent()).toMatch(
      new RegExp(`^Trees and forest, confidence ${confidences[index]} %, micro-watershed 12_\\d+$`),
    );
    const figures = page.getByRole('region', { name: /^Figures of micro-watershed 12_/ });
    expect(await figures.innerText()).toMatch(/Trees and forest: area in hectares, hydrological year 2021/);
    expect(await figures.innerText()).not.toContain('year 2022 (');
    const water = placeInside(values, cols, 4);
    await open(RASTER + linkTo(placeOf(water)));
    await expect.poll(middle).toBe(await colourOf(4));
    await page.locator('.map-view').click();
    await expect.poll(facts).toMatch(/Water in kharif, rabi and zaid/);
  });

  it('hides a class that is switched off in the legend, and a link restores this state', async () => {
    const { cols, values, placeOf } = await pixelsOf(RASTER);
    await open(RASTER + linkTo(placeOf(placeInside(values, cols, 6))));
    await expect.poll(middle).toBe(await colourOf(6));
    await page.getByRole('checkbox', { name: 'Trees and forest' }).uncheck();
    await expect.poll(middle).toBe('');
    const link = await page.getByRole('link', { name: 'Link to this view' }).getAttribute('href');
    expect(link).toMatch(/^#map=18\.00\/.*&off=6$/);
    await expect.poll(() => page.evaluate('location.hash')).toBe(link);
    await open(RASTER + link);
    await expect.poll(() => page.getByRole('checkbox', { name: 'Trees and forest' }).isChecked()).toBe(false);
    await page.getByRole('checkbox', { name: 'Trees and forest' }).check();
    await expect.poll(middle).toBe(await colourOf(6));
  });

  it('compares two years by a slider that works by keyboard, and a link restores the comparison', async () => {
    const [first, last] = [await pixelsOf(RASTER), await pixelsOf(`${COVER}_raster_2023/`)];
    const index = placeOfChange(first, last);
    const [before, after] = [await colourOf(first.values[index] ?? -1), await colourOf(last.values[index] ?? -1)];
    expect(before).not.toBe(after);
    await open(RASTER + linkTo(first.placeOf(index)));
    await expect.poll(middle).toBe(before);
    await page.getByLabel('Compare 2021-2022 with').selectOption('2023-2024');
    const line = page.getByLabel('Position of the dividing line');
    await line.focus();
    await page.keyboard.press('Home');
    await expect.poll(middle).toBe(after);
    await page.keyboard.press('End');
    await expect.poll(middle).toBe(before);
    for (let step = 0; step < 60; step++) await page.keyboard.press('ArrowLeft');
    await expect.poll(middle).toBe(after);
    // A click shows the class for the year on the clicked side of the dividing line.
    await page.locator('.map-view').click();
    await expect.poll(facts).toMatch(/Class in 2023-2024/i);
    expect(await page.locator('.map-year').allInnerTexts()).toEqual(['2021-2022', '2023-2024']);
    const link = await linkOf(page);
    expect(link).toMatch(/&with=2023-2024&swipe=40$/);
    await open(RASTER + link);
    await expect.poll(middle).toBe(after);
    expect(await page.getByLabel('Position of the dividing line').inputValue()).toBe('40');
  });

  it('moves and zooms by keyboard, and a link restores the view', async () => {
    await open(RASTER);
    const before = await viewOf(page);
    expect(await page.evaluate('document.activeElement.className')).toContain('map-view');
    await page.keyboard.press('+');
    await expect.poll(async () => (await viewOf(page)).zoom).toBeGreaterThan(before.zoom + 0.5);
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await viewOf(page)).longitude).toBeGreaterThan(before.longitude);
    await page.getByLabel('Opacity of the layer').fill('40');
    const link = await linkOf(page);
    expect(link).toContain('&opacity=40');
    await open(RASTER + link);
    expect(await linkOf(page)).toBe(link);
    expect(await page.getByLabel('Opacity of the layer').inputValue()).toBe('40');
    expect(await page.locator('.ol-scale-line-inner').innerText()).toMatch(/^\d+ (m|km)$/);
  });

  it('draws a vector layer with the fills of its style, as the legend shows them, and without fills if the user chose outlines', async () => {
    await open(VECTOR);
    const legend = (await assetsOf(VECTOR))['thumbnail']?.['classification:classes'] ?? [];
    const colours = legend.map(({ color_hint: color = '' }) => color.toUpperCase());
    const aside = async (): Promise<unknown> =>
      await page.evaluate(`(() => {
        const canvas = document.querySelector('.map-view canvas');
        const data = canvas.getContext('2d').getImageData(canvas.width / 2 + 40, canvas.height / 2 + 40, 1, 1).data;
        return data[3] === 0 ? '' : [...data.slice(0, 3)].map((each) => each.toString(16).padStart(2, '0')).join('').toUpperCase();
      })()`);
    await expect.poll(async () => colours.includes(String(await aside()))).toBe(true);
    await page.getByLabel('Colour the areas by').selectOption('Outlines only');
    await expect.poll(aside).toBe('');
    await open(VECTOR + (await linkOf(page)));
    await expect.poll(aside).toBe('');
  });

  it('colours micro-watersheds by a column, with a table of the same figures', async () => {
    await open(VECTOR);
    const column = page.getByLabel('Colour the areas by');
    await column.selectOption('tree_forest_area_2021');
    expect(await page.locator('.map-breaks li').count()).toBeGreaterThan(1);
    await page.getByText('These figures as a table').click();
    expect(await page.locator('.map-zones tbody tr').count()).toBe(20);
    const href = (await assetsOf(VECTOR))['geojson']?.href ?? '';
    const { features } = (await (await fetch(href)).json()) as { features: { properties: Record<string, number> }[] };
    const most = Math.max(...features.map(({ properties }) => properties['tree_forest_area_2021'] ?? 0));
    const [first = ''] = await page.locator('.map-zones tbody td').allInnerTexts();
    expect(Number(first)).toBeCloseTo(most, 1);
    await page.locator('.map-view').click();
    await expect.poll(facts).toMatch(/Micro-watershed\s+12_\d+/);
    const fills = await page
      .locator('.map-breaks rect')
      .evaluateAll((all) => all.map((each) => each.getAttribute('fill')?.slice(1).toUpperCase()));
    const aside: unknown = await page.evaluate(`(() => {
      const canvas = document.querySelector('.map-view canvas');
      const data = canvas.getContext('2d').getImageData(canvas.width / 2 + 40, canvas.height / 2 + 40, 1, 1).data;
      return [...data.slice(0, 3)].map((each) => each.toString(16).padStart(2, '0')).join('').toUpperCase();
    })()`);
    expect(fills).toContain(aside);
    await open(VECTOR + (await linkOf(page)));
    expect(await page.getByLabel('Colour the areas by').inputValue()).toBe('tree_forest_area_2021');
  });

  it('draws a file in UTM with many blocks at the right places, and loads only parts of the file', async () => {
    const { path, placeOf, valueAt } = await writeSquares(dataDir);
    const ranges: string[] = [];
    await page.route(/_raster_2021\.tif$/, async (route) => {
      const [, from = '', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(route.request().headers()['range'] ?? '') ?? [];
      ranges.push(`${from}-${to}`);
      const bytes = await readFile(path);
      const last = Math.min(Number(to), bytes.length - 1);
      const headers = { 'content-range': `bytes ${from}-${last}/${bytes.length}`, 'content-type': 'image/tiff' };
      await route.fulfill({ status: 206, headers, body: bytes.subarray(Number(from), last + 1) });
    });
    for (const [column, row] of [
      [5, 5],
      [205, 118],
      [330, 310],
      [61, 301],
    ] as const) {
      await open(RASTER + linkTo(placeOf(column, row)));
      await expect.poll(middle).toBe(await colourOf(valueAt(column, row)));
      expect(await page.locator('.map-panel [role=status]').first().textContent()).toBe('');
    }
    await page.unroute(/_raster_2021\.tif$/);
    expect(ranges).not.toContain('-');
  });

  it('loads scripts of at most 20 kB (gzip) before it is opened, 120 kB for a vector layer, and 350 kB for a raster', async () => {
    const weigh = async (path: string, isOpened: boolean): Promise<number> => {
      const context = await browser.newContext();
      const fresh = watched(await context.newPage());
      const sizes: Promise<number>[] = [];
      fresh.on('response', (response) => {
        if (response.url().includes('/map/files/'))
          sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
      });
      await fresh.goto(server.baseUrl + path);
      await fresh.getByRole('button', { name: BUTTON }).waitFor();
      if (isOpened) {
        await fresh.getByRole('button', { name: BUTTON }).click();
        await fresh.locator('.map-view').click();
        await fresh.locator('.map-point .facts').waitFor();
      }
      const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      await context.close();
      return total;
    };
    const weights = [await weigh(RASTER, false), await weigh(VECTOR, true), await weigh(RASTER, true)];
    console.log(`script of the map, bytes by gzip: ${weights.join(', ')}`);
    const [before = Infinity, withMap = Infinity, withPixels = Infinity] = weights;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThanOrEqual(20 * KB);
    expect(withMap).toBeLessThanOrEqual(120 * KB);
    expect(withPixels).toBeGreaterThan(withMap);
    expect(withPixels).toBeLessThanOrEqual(350 * KB);
  });

  it('shows the raster and names the missing part if its polygons or another year cannot be read', async () => {
    const { cols, values, placeOf } = await pixelsOf(RASTER);
    const context = await browser.newContext();
    const broken = await context.newPage();
    await broken.route(/\.geojson$|raster_2023\/cog$|_confidence\.tif$/, (route) => route.fulfill({ status: 503 }));
    await open(RASTER + linkTo(placeOf(placeInside(values, cols, 6))), broken);
    const failure = broken.locator('.map-panel [role=status]').first();
    await expect.poll(() => failure.textContent()).toMatch(/^A part of the map could not be read \(.*503/);
    await broken.locator('.map-view').click();
    await expect.poll(() => broken.locator('.map-point').innerText()).toMatch(/Trees and forest/);
    expect(await broken.locator('.map-point').innerText()).not.toMatch(/confidence|micro-watershed/i);
    await broken.getByLabel('Compare 2021-2022 with').selectOption('2023-2024');
    await expect.poll(() => failure.textContent()).toMatch(/could not be read/);
    await context.close();
  });

  it('is absent without script; the page still shows the picture and the figures', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = watched(await context.newPage());
    await plain.goto(server.baseUrl + RASTER);
    expect(
      await plain
        .getByRole('img', { name: /^Map: / })
        .first()
        .isVisible(),
    ).toBe(true);
    expect(await plain.locator('.chart tbody tr').count()).toBeGreaterThan(5);
    expect(await plain.getByRole('button').count()).toBe(0);
    await context.close();
  });

  it.each(LANGUAGES)(
    'has no fault for axe and is not wider than the screen on a desktop and on two phones, $locale',
    async ({ first, screens }) => {
      const context = await onScreen(browser, first);
      const shown = watched(await context.newPage());
      const swiped = '#map=14.20/17.49990/78.51940&off=7&with=2023-2024&swipe=50';
      for (const [name, path] of [
        ['map-raster', RASTER + swiped],
        ['map-vector', `${VECTOR}#map=13.80/17.49990/78.51940&column=tree_forest_area_2021`],
      ] as const) {
        await open(path, shown);
        await shown.locator('.map-view').click();
        await shown.locator('.map-point .facts').waitFor();
        await checkShown(shown, name, [...screens, { ...first, width: 360, height: 740 }]);
      }
      await context.close();
    },
    120_000,
  );

  it('causes no error in the console of these pages, and contacts no other origin', () => {
    expect(faults).toEqual({ complaints: [], elsewhere: [] });
  });
});

/** A COG with squares of 20 x 20 pixels of three classes. */
async function writeSquares(folder: string) {
  const [west, north] = pointTransform('EPSG:4326', 'EPSG:32644')(78.502, 17.5165);
  const size = 400;
  const grid = { crs: 'EPSG:32644', west, north, pixelWidth: 10, pixelHeight: 10, cols: size, rows: size };
  const valueAt = (column: number, row: number): number =>
    [1, 4, 6][(Math.floor(column / 20) + Math.floor(row / 20)) % 3] ?? 0;
  const data = Uint8Array.from({ length: size * size }, (_, at) => valueAt(at % size, Math.floor(at / size)));
  const path = join(folder, 'squares.tif');
  await writeGeoTiff(path, { grid, data, nodata: 0, overviews: 'mode', predictor: 1, tileSize: 64 });
  const toDegrees = pointTransform('EPSG:32644', 'EPSG:4326');
  const placeOf = (column: number, row: number) => {
    const [longitude, latitude] = toDegrees(west + (column + 0.5) * 10, north - (row + 0.5) * 10);
    return { longitude, latitude };
  };
  return { path, valueAt, placeOf };
}

/** Index in the middle of 5 x 5 pixels of a class; -1 if there is none. */
function placeInside(values: Float64Array, cols: number, value: number): number {
  const around = [-2, -1, 0, 1, 2].flatMap((row) => [-2, -1, 0, 1, 2].map((col) => row * cols + col));
  return values.findIndex((_, index) => around.every((offset) => values[index + offset] === value));
}

/** Index in the middle of 3 x 3 pixels whose class changes from the first to the last year. */
function placeOfChange(first: Pixels, last: Pixels): number {
  const around = [-1, 0, 1].flatMap((row) => [-1, 0, 1].map((col) => row * first.cols + col));
  const [from, to] = [first.values, last.values];
  return from.findIndex(
    (value, index) =>
      value > 0 &&
      (to[index] ?? 0) > 0 &&
      value !== to[index] &&
      around.every((offset) => from[index + offset] === value && to[index + offset] === to[index]),
  );
}

async function linkOf(page: Page): Promise<string> {
  return (await page.getByRole('link', { name: 'Link to this view' }).getAttribute('href')) ?? '';
}

async function viewOf(page: Page): Promise<{ readonly zoom: number; readonly longitude: number }> {
  const hash = await linkOf(page);
  const [, zoom = '', , longitude = ''] = /#map=([\d.]+)\/([\d.]+)\/([\d.]+)/.exec(hash) ?? [];
  return { zoom: Number(zoom), longitude: Number(longitude) };
}
