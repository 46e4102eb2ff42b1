import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRaster } from '@headwater/raster';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkShown,
  coloursOf,
  LANGUAGES,
  launchBrowser,
  noBrowser,
  noFaults,
  onScreen,
  overflowOf,
  watchPage,
} from './browser.fixture.ts';
import { signIn } from './client.ts';
import { PASSWORD, type SampleServer, startSampleServer } from './sample-server.fixture.ts';

if (noBrowser !== undefined) console.log(`skipped: maps of measured values and of places in a browser: ${noBrowser}`);

const BLOCK = '/api/v1/stac/virtapradesh/nirmalgarh/jalsrota/';
const SLOPE = `${BLOCK}items/virtapradesh_nirmalgarh_jalsrota_slope_percentage_raster/`;
const COVER = `${BLOCK}items/virtapradesh_nirmalgarh_jalsrota_land_use_land_cover_raster_2021/`;
const REPORT = '/api/v1/generate_tehsil_report/?state=virtapradesh&district=nirmalgarh&block=jalsrota';
const FIGURE = `${REPORT}&column=lulc_vector:tree_forest_in_ha_2021`;
const BUTTON = { en: 'Open the interactive map', hi: 'इंटरैक्टिव मानचित्र खोलें' } as const;
const TILES = 'https://tiles.example.org';
const BACKGROUNDS = [{ name: 'Streets', url: `${TILES}/{z}/{x}/{y}.png`, attribution: 'Credit of the streets' }];
const RED = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

describe.skipIf(noBrowser !== undefined)('maps of measured values and of places in Chromium', () => {
  let dataDir: string;
  let server: SampleServer;
  let browser: Browser;
  let page: Page;
  const faults = noFaults();
  const { elsewhere } = faults;

  const watched = async (context: BrowserContext): Promise<Page> => {
    await context.route(`${TILES}/**`, (route) =>
      route.fulfill({ contentType: 'image/png', body: Buffer.from(RED, 'base64') }),
    );
    return watchPage(await context.newPage(), server.baseUrl, faults);
  };
  const open = async (path: string, { on = page, language = 'en' }: Opened = {}): Promise<void> => {
    await on.goto('about:blank');
    await on.goto(server.baseUrl + path);
    if (!path.includes('#')) await on.getByRole('button', { name: BUTTON[language] }).click();
    await on.locator('.map-view canvas').first().waitFor();
  };
  const middle = async (): Promise<readonly number[]> =>
    await page.evaluate(`(() => {
      const canvas = document.querySelector('.map-view .ol-layer canvas');
      return [...canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data];
    })()`);
  const facts = async (): Promise<string> => await page.locator('.map-point').innerText();

  interface Opened {
    readonly on?: Page;
    readonly language?: 'en' | 'hi';
  }

  /** Value of the first pixel whose slope and whose neighbours' slopes are above 5.5 %, and a view of this pixel. */
  const steepPixel = async () => {
    const { assets } = (await (await fetch(server.baseUrl + SLOPE)).json()) as {
      assets: Readonly<Record<string, { href: string }>>;
    };
    const [, file = ''] = /\/assets\/(.*)$/.exec(assets['cog']?.href ?? '') ?? [];
    const raster = await openRaster(join(dataDir, 'assets', file));
    const { cols, rows, west, north, pixelWidth, pixelHeight } = raster.grid;
    const values = new Float64Array(cols * rows);
    await raster.readWindow({ col: 0, row: 0, cols, rows }, values);
    raster.close();
    const around = [-1, 0, 1].flatMap((row) => [-1, 0, 1].map((col) => row * cols + col));
    const index = values.findIndex((_, at) => around.every((offset) => Number(values[at + offset]) > 5.5));
    const longitude = west + ((index % cols) + 0.5) * pixelWidth;
    const latitude = north - (Math.floor(index / cols) + 0.5) * pixelHeight;
    return { value: values[index] ?? NaN, view: `#map=19.00/${latitude.toFixed(7)}/${longitude.toFixed(7)}` };
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'headwater-maps-'));
    server = await startSampleServer({ dataDir, env: { MAP_BACKGROUNDS: JSON.stringify(BACKGROUNDS) } });
    browser = await launchBrowser();
    page = await watched(await browser.newContext({ viewport: { width: 1280, height: 900 } }));
    const client = await signIn(server.baseUrl, server.superuser, PASSWORD);
    const place = { state: 'Virtapradesh', district: 'Nirmalgarh', block: 'Jalsrota', eo_account_id: 1, wait: true };
    const { status, body } = await client.post('/api/v1/generate_slope_percentage/', place);
    if (status !== 200) throw new Error(`the slope was not computed: ${JSON.stringify(body)}`);
  }, 400_000);
  afterAll(async () => {
    await browser.close();
    await server.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  it('show a raster of measured values in the colours of its style; Enter shows the value in the middle with its unit', async () => {
    const { value, view } = await steepPixel();
    await open(SLOPE + view);
    const expected = slopeColour(value);
    await expect.poll(async () => distance(await middle(), expected)).toBeLessThanOrEqual(3);
    await page.locator('.map-view').focus();
    await page.keyboard.press('Enter');
    await expect.poll(facts).toMatch(/Value\s/i);
    const [, shown = '', unit] = /([\d.]+) (%)/.exec(await facts()) ?? [];
    expect([Math.abs(Number(shown) - value) < 0.01, unit]).toEqual([true, '%']);
    expect(await page.locator('.map-panel [role=status].hidden').textContent()).toMatch(/^[\d.]+ %, micro-watershed/);
    await page.getByLabel('Opacity of the layer').fill('50');
    const link = (await page.getByRole('link', { name: 'Link to this view' }).getAttribute('href')) ?? '';
    expect(link).toContain('&opacity=50');
    await open(SLOPE + link);
    expect(await page.getByLabel('Opacity of the layer').inputValue()).toBe('50');
    // All stops (values with a colour) of the style must be in the legend.
    expect(await page.locator('.chart tbody th').allInnerTexts()).toContain('35 %');
    expect(await page.locator('.chart input').count()).toBe(0);
  });

  it('compare two years of measured values', async () => {
    const { value, view } = await steepPixel();
    await page.route(`**${SLOPE}`, async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      const [, data = ''] = /data-map="([^"]*)"/.exec(text) ?? [];
      const year = /\{&quot;label&quot;:&quot;[^}]*\}/.exec(data)?.[0] ?? '';
      const later = year.replace(/label&quot;:&quot;[^&]*/, 'label&quot;:&quot;later').replace('true', 'false');
      await route.fulfill({ response, body: text.replace(year, `${year},${later}`) });
    });
    await open(`${SLOPE}${view}&with=later&swipe=20`);
    await page.unroute(`**${SLOPE}`);
    await expect.poll(async () => distance(await middle(), slopeColour(value))).toBeLessThanOrEqual(3);
    expect(await page.locator('.map-year.right').innerText()).toBe('later');
    await page.locator('.map-view').click();
    await expect.poll(facts).toMatch(/Value in later/i);
  });

  it('show lines of latitude and longitude, and a background only after the user chose it; a link restores both', async () => {
    await open(SLOPE);
    expect(elsewhere).toEqual([]);
    const loaded = page.waitForResponse(/graticule/);
    await page.getByLabel('Lines of latitude and longitude').check();
    await loaded;
    await page.getByLabel('Background').selectOption('Streets');
    await expect.poll(() => elsewhere.length).toBeGreaterThan(0);
    expect(elsewhere.every((address) => address.startsWith(`${TILES}/`))).toBe(true);
    expect(await page.locator('.map-credit').innerText()).toBe('Credit of the streets');
    const link = (await page.getByRole('link', { name: 'Link to this view' }).getAttribute('href')) ?? '';
    expect(link).toMatch(/&lines=1&background=Streets$/);
    await open(SLOPE + link);
    expect(await page.getByLabel('Lines of latitude and longitude').isChecked()).toBe(true);
    expect(await page.getByLabel('Background').inputValue()).toBe('Streets');
    await page.getByLabel('Background').selectOption('');
    expect(await page.locator('.map-credit').count()).toBe(0);
    elsewhere.length = 0;
  });

  it('are in Hindi in a Hindi browser, and link to English with the same view', async () => {
    const context = await browser.newContext({ locale: 'hi-IN' });
    const hindi = await watched(context);
    await open(SLOPE, { on: hindi, language: 'hi' });
    expect(await hindi.getByLabel('परत की अपारदर्शिता').count()).toBe(1);
    expect(await hindi.locator('.mapplace').getAttribute('lang')).toBe('hi');
    await hindi.locator('.mapplace').getByRole('link', { name: 'In English' }).click();
    await hindi.waitForURL(/\?lang=en#map=/);
    await hindi.getByLabel('Opacity of the layer').waitFor();
    await context.close();
  });

  it('show, on the map of places, the outline of a place and its layers with links', async () => {
    await open('/places/');
    await expect.poll(async () => (await middle())[3]).toBe(255);
    await page.keyboard.press('Enter');
    const panel = page.locator('.map-point');
    await expect.poll(() => panel.locator('li').count()).toBeGreaterThan(3);
    expect(await panel.innerText()).toMatch(/^Jalsrota\s+Nirmalgarh, Virtapradesh: layers: \d+/);
    expect(await panel.locator('li a').allInnerTexts()).toContain('Slope in percent of Jalsrota (synthetic sample)');
    expect(await page.locator('.map-breaks li').allInnerTexts()).toEqual([expect.stringMatching(/^layers: \d+$/)]);
    await panel.getByRole('link', { name: 'Jalsrota', exact: true }).click();
    await page.waitForURL((url) => url.pathname === BLOCK);
  });

  it('are shown on the page of places, without script, as a drawing with links', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await watched(context);
    await plain.goto(`${server.baseUrl}/places/`);
    expect(await plain.locator('svg.placesmap a').count()).toBe(1);
    expect(await plain.locator('.mapplace button').count()).toBe(0);
    await context.close();
  });

  it('include the map of a report; the map can be coloured by keyboard and without script, and printed', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    const plain = await watched(context);
    await plain.goto(server.baseUrl + REPORT);
    await plain.locator('.choices summary').first().focus();
    await plain.keyboard.press('Enter');
    await plain.keyboard.press('Tab');
    await plain.keyboard.press('Enter');
    await plain.waitForURL(/column=lulc_vector/);
    expect(await plain.locator('.outlines .area').count()).toBe(20);
    expect(await plain.locator('.breaks li').count()).toBeGreaterThan(1);
    await plain.emulateMedia({ media: 'print' });
    expect(await plain.locator('.outlines').isVisible()).toBe(true);
    expect(await plain.locator('.breaks').isVisible()).toBe(true);
    expect(await plain.locator('.choices').isVisible()).toBe(false);
    await context.close();
  });

  it.each(LANGUAGES)(
    'have no fault for axe and are not wider than the screen on a desktop and on two phones, $locale',
    async ({ locale, first, screens }) => {
      const context = await onScreen(browser, first);
      const shown = await watched(context);
      const language = locale === 'hi-IN' ? 'hi' : 'en';
      const all = [...screens, { ...first, width: 360, height: 740, scheme: 'dark' as const }];
      for (const [name, path] of Object.entries({ measured: SLOPE, 'map-places': '/places/' })) {
        await open(path, { on: shown, language });
        await shown.locator('.map-switch input').check();
        await shown.locator('.map-view').click();
        await expect.poll(() => shown.locator('.map-point .name').count()).toBe(1);
        await checkShown(shown, name, all);
      }
      await shown.goto(server.baseUrl + FIGURE);
      await checkShown(shown, 'report-figures', all);
      await context.close();
    },
    120_000,
  );

  it('show only one class of a layer after the link of this class is used, by keyboard and without script, also in another year', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    const still = await watched(context);
    await still.goto(server.baseUrl + COVER);
    await still.getByRole('link', { name: 'Trees and forest' }).focus();
    await still.keyboard.press('Enter');
    await still.waitForURL((url) => url.search === '?class=6');
    await still.getByRole('img', { name: /^Map: .*, only the class Trees and forest$/ }).waitFor();
    expect(await overflowOf(still)).toBe(0);
    await still.locator('.years a').last().click();
    await still.waitForURL((url) => url.pathname !== COVER && url.search === '?class=6');
    await still.getByRole('link', { name: 'Show all classes' }).click();
    await still.waitForURL((url) => url.search === '');
    await context.close();
    await page.goto(`${server.baseUrl}${COVER}?class=6`);
    expect(await coloursOf(page, 'figure img')).toEqual(['#38761d']);
    await page.getByRole('button', { name: 'Open the interactive map' }).click();
    await page.getByRole('checkbox', { name: 'Trees and forest' }).waitFor();
    expect(await page.locator('.chart input:checked').count()).toBe(1);
    expect(await page.locator('.chart a').count()).toBe(0);
  });

  it('cause no error in the console of these pages, and contact another origin only if the user chose it', () => {
    expect(faults).toEqual({ complaints: [], elsewhere: [] });
  });
});

function slopeColour(value: number): readonly number[] {
  const stops = [
    [0, 0x1a9850],
    [1, 0x66bd63],
    [3, 0xa6d96a],
    [5, 0xfee08b],
    [10, 0xfdae61],
    [15, 0xf46d43],
    [35, 0xa50026],
  ] as const;
  const at = stops.findIndex(([stop]) => stop >= value);
  const [to, upper] = stops.at(at) ?? stops[0];
  const [from, lower] = stops.at(Math.max(0, at - 1)) ?? stops[0];
  const share = at <= 0 ? 1 : (value - from) / (to - from);
  return [16, 8, 0].map((shift) => {
    const [low, high] = [(lower >> shift) & 255, (upper >> shift) & 255];
    return Math.round(low + (high - low) * share);
  });
}

function distance(colour: readonly number[], expected: readonly number[]): number {
  return Math.max(...expected.map((channel, index) => Math.abs(channel - (colour[index] ?? NaN))));
}
