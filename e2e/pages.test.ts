import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { SAMPLE_PLACE, SAMPLE_YEARS } from '@headwater/sample-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkShown,
  coloursOf,
  type Language,
  LANGUAGES,
  launchBrowser,
  lengthOf,
  loadPictures,
  noBrowser,
  noFaults,
  onScreen,
  overflowOf,
  SCREENS,
  shoot,
  violationsOf,
  watchPage,
  widthOf,
} from './browser.fixture.ts';
import { type Client, signIn } from './client.ts';
import { PASSWORD, type SampleServer, startSampleServer } from './sample-server.fixture.ts';
import { validateSample } from './sample-validation.fixture.ts';

if (noBrowser !== undefined) console.log(`skipped: pages in a browser: ${noBrowser}`);

const CATALOG = '/api/v1/stac/';
const BLOCK = `${CATALOG}virtapradesh/nirmalgarh/jalsrota/`;
const ITEM = `${BLOCK}items/virtapradesh_nirmalgarh_jalsrota_land_use_land_cover`;
const TABLES = '/api/v1/tables/virtapradesh/nirmalgarh/jalsrota/';
const REPORT_PLACE = '?state=virtapradesh&district=nirmalgarh&block=jalsrota';
const MWS_REPORT = `/api/v1/generate_mws_report/${REPORT_PLACE}`;
const UNKNOWN_RUN = '/api/v1/runs/0190a000-0000-7000-8000-000000000001/';

const RASTER = `${ITEM}_raster_${SAMPLE_YEARS[0]}/`;
const VECTOR = `${ITEM}_vector/`;

/** Paths of pages by the names of their screenshots. */
const PAGES: Readonly<Record<string, string>> = {
  first: '/',
  places: '/places/',
  'places-found': '/places/?q=jal',
  'places-none': '/places/?q=nowhere',
  computations: '/computations/',
  docs: '/docs/plain/',
  catalogue: CATALOG,
  state: `${CATALOG}virtapradesh/`,
  district: `${CATALOG}virtapradesh/nirmalgarh/`,
  tehsil: BLOCK,
  raster: RASTER,
  'raster-class': `${RASTER}?class=6`,
  vector: VECTOR,
  tables: TABLES,
  table: `${TABLES}lulc_vector/`,
  regions: '/api/v1/regions/',
  report: `${MWS_REPORT}&uid=12_100174`,
  'report-tehsil': `/api/v1/generate_tehsil_report/${REPORT_PLACE}`,
};
const PROBLEMS: Readonly<Record<string, readonly [path: string, status: number]>> = {
  missing: [`${CATALOG}nowhere/`, 404],
  nothing: ['/nothing/here', 404],
  'missing-report': [`${MWS_REPORT}&uid=0_0`, 404],
  'unknown-class': [`${RASTER}?class=99`, 400],
  'sign-in': [UNKNOWN_RUN, 401],
};
/** Maximum bytes of the first page; `document` (gzip) contains styles and script. */
const MOST = { pictures: 200_000, document: 60_000 };

describe.skipIf(noBrowser !== undefined)('the pages in Chromium', () => {
  let dataDir: string;
  let server: SampleServer;
  let browser: Browser;
  let page: Page;
  let client: Client;
  let validation: string;
  const faults = noFaults();
  const watched = (on: Page): Page => watchPage(on, server.baseUrl, faults);
  const open = async (path: string, on = page): Promise<number> =>
    (await on.goto(server.baseUrl + path))?.status() ?? 0;
  const startRun = async (year: number): Promise<string> => {
    const place = { state: SAMPLE_PLACE.state, district: SAMPLE_PLACE.district, block: SAMPLE_PLACE.tehsil };
    const body = { ...place, start_year: year, end_year: year, eo_account_id: 1 };
    const { body: run } = await client.post<{ run_id: string }>('/api/v1/lulc_for_tehsil/', body);
    return `/api/v1/runs/${run.run_id}/`;
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'headwater-pages-'));
    server = await startSampleServer({ dataDir });
    browser = await launchBrowser();
    page = watched(await browser.newPage());
    client = await signIn(server.baseUrl, server.superuser, PASSWORD);
    validation = await validateSample(client);
    await client.post('/api/export-asset', { region: [78.5, 17.5, 78.52, 17.52], year: SAMPLE_YEARS[0] });
  }, 400_000);
  afterAll(async () => {
    await browser.close();
    await server.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  it('the first page has a title and a heading, and every link on it works', async () => {
    await open('/');
    expect(await page.title()).toContain('Headwater');
    expect(await page.locator('h1').innerText()).not.toBe('');
    const links = await page
      .locator('a[href]')
      .evaluateAll((anchors) => anchors.map((anchor) => anchor.getAttribute('href') ?? ''));
    // The attributes are resolved here, because the property `href` of an SVG link is an object, not an address.
    const own = [...new Set(links.map((href) => new URL(href, server.baseUrl).href))].filter((href) =>
      href.startsWith(server.baseUrl),
    );
    expect(own.map((href) => new URL(href).pathname)).toEqual(
      expect.arrayContaining(['/docs/', '/api/health', CATALOG, RASTER, VECTOR]),
    );
    for (const href of own) expect([(await fetch(href)).status, href]).toEqual([200, href]);
  });

  it('a place can be found by keyboard and without script, and its page leads to report, tables and workbook', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    const still = watched(await context.newPage());
    await open('/', still);
    expect(await overflowOf(still)).toBe(0);
    await still.getByLabel('Name of a state, district or tehsil').focus();
    await still.keyboard.type('jalsr');
    await still.keyboard.press('Enter');
    await still.waitForURL(/\/places\/\?q=jalsr/);
    expect(await still.locator('.found li').allInnerTexts()).toEqual([
      expect.stringContaining('Nirmalgarh, Virtapradesh'),
    ]);
    await still.getByRole('link', { name: 'Jalsrota' }).click();
    await still.waitForURL((url) => url.pathname === BLOCK);
    const [workbook] = await Promise.all([
      still.waitForEvent('download'),
      still.getByRole('link', { name: 'Workbook' }).click(),
    ]);
    expect(workbook.suggestedFilename()).toMatch(/\.xlsx$/);
    await still.getByRole('link', { name: 'Tables' }).first().click();
    await still.getByRole('link', { name: 'lulc_vector', exact: true }).click();
    expect(await still.locator('tbody tr').count()).toBeGreaterThan(0);
    await open(BLOCK, still);
    await still.getByRole('link', { name: 'Report' }).click();
    await still.waitForURL(/generate_tehsil_report/);
    await open(BLOCK, still);
    await still.getByRole('link', { name: 'Slope', exact: true }).click();
    await still.waitForURL(/\/computations\/#/);
    expect(await still.locator(':target h3').innerText()).toBe('Slope');
    await context.close();
  });

  it('the language switch leads to the page in Hindi and back; the copy buttons are also in Hindi', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const hindi = watched(await context.newPage());
    await open(`${BLOCK}?page=1`, hindi);
    await hindi.getByRole('link', { name: 'हिन्दी में' }).click();
    await hindi.waitForURL((url) => url.search === '?page=1&lang=hi');
    expect(await hindi.locator('html').getAttribute('lang')).toBe('hi');
    await hindi.getByRole('button', { name: 'कॉपी करें: यह दस्तावेज़ लाने का आदेश' }).click();
    await hindi.getByText('कॉपी हो गया').waitFor();
    await hindi.getByRole('link', { name: 'In English' }).click();
    await hindi.waitForURL((url) => url.search === '?page=1&lang=en');
    expect(await hindi.locator('html').getAttribute('lang')).toBe('en');
    await context.close();
  });

  it('the map of the first page leads to the place', async () => {
    await open('/');
    await page.getByRole('link', { name: /^Jalsrota, layers: / }).click();
    await page.waitForURL((url) => url.pathname === BLOCK);
  });

  it('the first page links to the page of regions; only the page of regions shows the regions and their map', async () => {
    await open('/');
    expect(await page.locator('main').innerText()).not.toContain('region_');
    await page.getByRole('link', { name: 'Regions' }).click();
    await page.waitForURL(/\/api\/v1\/regions\//);
    await expect.poll(() => widthOf(page, '.layers img')).toBeGreaterThan(100);
    expect(await page.locator('.publications > li').count()).toBe(1);
    expect(await page.locator('h3').innerText()).toMatch(/^region_[0-9a-f]{16}$/);
  });

  it('one click leads to the map and legend of the sample, a second click to its download', async () => {
    await open('/');
    await page.getByRole('img', { name: /land cover .*synthetic sample/ }).click();
    await page.waitForURL(/\/items\//);
    await expect.poll(() => widthOf(page, 'figure img')).toBeGreaterThan(100);
    expect(await page.locator('.chart tbody tr').count()).toBeGreaterThan(5);
    expect(await page.locator('.chart caption').innerText()).toContain('Legend');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^GeoTIFF/ }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.tif$/);
    expect(await download.failure()).toBeNull();
  });

  it('every layer of a tehsil has a preview that loads', async () => {
    await open(BLOCK);
    const images = page.locator('.layers img');
    expect(await images.count()).toBe(9);
    for (const image of await images.all()) {
      await image.scrollIntoViewIfNeeded();
      await expect
        .poll(() => image.evaluate((element): unknown => Reflect.get(element, 'naturalWidth')))
        .toBeGreaterThan(100);
    }
  });

  it('the preview of the vector has a caption and the colours of its legend', async () => {
    await open(VECTOR);
    expect(await page.locator('figcaption').innerText()).toContain('largest class');
    const legend = await page
      .locator('.chart .swatch rect')
      .evaluateAll((rects) => rects.map((rect) => rect.getAttribute('fill')?.toLowerCase()));
    const drawn = await coloursOf(page, 'figure img');
    expect(drawn.length).toBeGreaterThan(3);
    for (const colour of drawn) expect(legend).toContain(colour);
  });

  it.each(['raster', 'vector'])('the scale bar of a %s has the right length at every width', async (kind) => {
    const item = await (await fetch(server.baseUrl + (PAGES[kind] ?? ''))).json();
    const [west = 0, south = 0, east = 0, north = 0] = (item as { readonly bbox: readonly number[] }).bbox;
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await open(PAGES[kind] ?? '');
      await expect.poll(() => widthOf(page, 'figure img')).toBeGreaterThan(100);
      const [picture, bar] = await Promise.all([lengthOf(page, 'figure img'), lengthOf(page, '.scale .length')]);
      const [, count = '', unit] = /Scale bar: (\d+) (m|km) /.exec(await page.locator('.scaletext').innerText()) ?? [];
      const metres = Number(count) * (unit === 'km' ? 1000 : 1);
      // Length on the sphere, which differs from the ellipsoid by less than half a percent.
      const across = ((east - west) * Math.PI * 6_371_000 * Math.cos((((south + north) / 2) * Math.PI) / 180)) / 180;
      expect((bar / picture) * across).toBeGreaterThan(metres * 0.99);
      expect((bar / picture) * across).toBeLessThan(metres * 1.01);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('the scale bar of a report fits its map at every width', async () => {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await open(PAGES['report'] ?? '');
      const [picture, bar] = await Promise.all([lengthOf(page, 'svg.outlines'), lengthOf(page, '.scale .length')]);
      expect(picture).toBeGreaterThan(100);
      expect(picture).toBeLessThanOrEqual(width);
      // The bar is 1, 2 or 5 times a power of ten long, and at most 40 % of the picture.
      expect(bar / picture).toBeGreaterThan(0.1);
      expect(bar / picture).toBeLessThanOrEqual(0.41);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('the page of a year links to the other years', async () => {
    await open(RASTER);
    const years = page.locator('.years li');
    expect(await years.count()).toBe(SAMPLE_YEARS.length);
    await years.last().locator('a').click();
    await page.waitForURL((url) => url.pathname !== RASTER);
    expect(await page.locator('.years [aria-current]').count()).toBe(1);
  });

  it('a validation is shown as a report that has the colours of the validated layer', async () => {
    await open(validation);
    expect(await page.locator('h1').innerText()).toMatch(/^Consistency, not accuracy: /);
    expect(await page.locator('.figures').innerText()).toMatch(/Consistency, by area of the map\s+\d+\.\d %/i);
    const colours = await page
      .locator('.matrix tbody .swatch rect')
      .evaluateAll((rects) => rects.map((rect) => rect.getAttribute('fill')));
    expect(colours.length).toBeGreaterThan(5);
    expect(await page.locator('.areas .bar .range').count()).toBe(colours.length);
    await page.locator('dl.facts a[href*="/items/"]').click();
    await page.waitForURL(/\/items\//);
    const legend = await page
      .locator('.chart .swatch rect')
      .evaluateAll((rects) => rects.map((rect) => rect.getAttribute('fill')?.toLowerCase()));
    for (const colour of colours) expect(legend).toContain(colour);
  });

  it('a command can be copied with JavaScript, and is shown as text without JavaScript', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const copying = watched(await context.newPage());
    await open(RASTER, copying);
    await copying.getByRole('button', { name: 'Copy the command that fetches the GeoTIFF' }).click();
    await copying.getByText('Copied').waitFor();
    const command = String(await copying.evaluate('navigator.clipboard.readText()'));
    expect(command).toMatch(/^curl -f -o \S+\.tif 'http:\/\/localhost:\d+\/\S+\.tif'$/);
    await context.close();
    const still = await browser.newContext({ javaScriptEnabled: false });
    const plain = await still.newPage();
    await open(RASTER, plain);
    expect(await plain.getByRole('button').count()).toBe(0);
    expect(await plain.locator('main').innerText()).toContain(command);
    await still.close();
  });

  it('the reference lists every operation of the OpenAPI document', async () => {
    await open('/docs/plain/');
    const { paths } = (await (await fetch(`${server.baseUrl}/api/v1/openapi.json`)).json()) as {
      paths: Record<string, unknown>;
    };
    const text = await page.locator('body').innerText();
    for (const path of Object.keys(paths)) expect(text).toContain(path);
  });

  it('the page of a run shows its progress, then its result', { timeout: 180_000 }, async () => {
    const [screen] = SCREENS;
    if (screen === undefined) throw new Error('no screen');
    const context = await onScreen(browser, screen, client.token);
    const live = watched(await context.newPage());
    const path = await startRun(SAMPLE_YEARS[0]);
    const waiting = await startRun(SAMPLE_YEARS[1] ?? 0);
    expect(await open(waiting, live)).toBe(200);
    await live.getByText('Live: this page updates automatically').waitFor();
    expect(await violationsOf(live)).toEqual([]);
    await shoot(live, 'run-live', screen);
    await live.getByText('The run ended: success').waitFor({ timeout: 150_000 });
    expect(await live.locator('main a[href*="/items/"]').count()).toBeGreaterThan(0);
    expect(await open(path, live)).toBe(200);
    await context.close();
  });

  it.each(LANGUAGES)(
    'axe finds no fault on a desktop and on a phone, $locale',
    { timeout: 240_000 },
    async (language) => {
      const context = await onScreen(browser, language.first);
      const page = watched(await context.newPage());
      for (const [name, path] of Object.entries({ ...PAGES, validation })) {
        // The API reference is always in English, and axe needs many seconds, so it is checked only once.
        if (name === 'docs' && language.locale !== 'en-GB') continue;
        expect([name, await open(path, page)]).toEqual([name, 200]);
        await loadPictures(page);
        await checkShown(page, name, language.screens);
      }
      for (const [name, [path, status]] of Object.entries(PROBLEMS)) {
        expect([name, await open(path, page)]).toEqual([name, status]);
        await checkShown(page, name, language.screens);
      }
      await checkRun(language);
      await context.close();
    },
  );

  async function checkRun({ first, screens }: Language): Promise<void> {
    const own = await onScreen(browser, first, client.token);
    const run = watched(await own.newPage());
    expect(await open(await startRun(SAMPLE_YEARS[0]), run)).toBe(200);
    await checkShown(run, 'run', screens);
    // Waits, because the reload at the end of the run would interrupt the next page.
    const ended = run.getByText(/The run ended|गणना समाप्त/);
    await ended.first().waitFor({ timeout: 60_000 });
    expect(await open('/api/v1/runs/', run)).toBe(200);
    await checkShown(run, 'runs', screens);
    await own.close();
  }

  it('the first page is small: its pictures, and its document with styles and script', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const fresh = watched(await context.newPage());
    const sizes: Promise<{ readonly type: string; readonly bytes: number; readonly encoding: string | undefined }>[] =
      [];
    fresh.on('response', (response) => {
      const request = response.request();
      const weighed = async () => {
        await response.finished();
        const { responseBodySize: bytes } = await request.sizes();
        return { type: request.resourceType(), bytes, encoding: response.headers()['content-encoding'] };
      };
      sizes.push(weighed());
    });
    await open('/', fresh);
    await loadPictures(fresh);
    await fresh.waitForLoadState('networkidle');
    const all = await Promise.all(sizes);
    const sum = (isCounted: (type: string) => boolean): number =>
      all.filter(({ type }) => isCounted(type)).reduce((total, { bytes }) => total + bytes, 0);
    const [pictures, document] = [sum((type) => type === 'image'), sum((type) => type !== 'image')];
    console.log(`first page, bytes over the wire: pictures ${pictures}, document with styles and script ${document}`);
    expect(all.filter(({ type }) => type === 'image').length).toBeGreaterThan(0);
    expect(pictures).toBeGreaterThan(1000);
    expect(pictures).toBeLessThanOrEqual(MOST.pictures);
    expect(document).toBeGreaterThan(1000);
    expect(document).toBeLessThanOrEqual(MOST.document);
    await context.close();
  });

  it('no page caused an error or a failed request, or contacted another server', () => {
    expect(faults).toEqual({ complaints: [], elsewhere: [] });
  });
});
