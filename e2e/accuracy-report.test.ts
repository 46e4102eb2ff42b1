import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeGeoTiff } from '@headwater/raster';
import { sampleTruth } from '@headwater/sample-world';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkShown, launchBrowser, noBrowser, noteComplaints, onScreen, SCREENS } from './browser.fixture.ts';

if (noBrowser !== undefined) console.log(`skipped: accuracy reports in a browser: ${noBrowser}`);

const EXAMPLE = resolve(import.meta.dirname, '../examples/validate-against-reference');
const { grid, data: truth } = sampleTruth(2021);

/** Titles that are long or look like markup. */
const HOSTILE = {
  classes: [
    {
      name: 'trees',
      title: 'Trees <b onclick=x> & everything else that is green all year round',
      map: [6],
      reference: [6],
    },
    { name: 'x'.repeat(100), map: [1, 2, 3, 4, 7, 8, 9, 10, 11, 12], reference: [1, 2, 3, 4, 7, 8, 9, 10, 11, 12] },
  ],
  nodata: { map: [0] },
};

describe.skipIf(noBrowser !== undefined)('accuracy reports in Chromium', () => {
  let folder: string;
  let browser: Browser;
  const complaints: string[] = [];
  const reports = new Map<string, string>();

  function report(name: string, reference: string, legend: string): void {
    const main = join(EXAMPLE, 'src', 'main.ts');
    const out = join(folder, name);
    const args = ['--map', join(folder, 'map.tif'), '--reference', reference, '--legend', legend, '--out', out];
    const { status, stderr } = spawnSync(process.execPath, ['--conditions=@headwater/source', main, ...args]);
    expect([status, status === 0 ? '' : stderr.toString()]).toEqual([0, '']);
    reports.set(name, pathToFileURL(join(out, 'report.html')).href);
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'accuracy-report-'));
    const format = { grid, nodata: 0, overviews: 'none', predictor: 1, tileSize: 128 } as const;
    const mapped = truth.map((code, i) => (code >= 8 && i % 9 === 0 ? 6 : code));
    await writeGeoTiff(join(folder, 'map.tif'), { ...format, data: mapped });
    await writeGeoTiff(join(folder, 'truth.tif'), { ...format, data: truth });
    await writeFile(join(folder, 'legend.json'), JSON.stringify(HOSTILE));
    const [points, legend] = [join(EXAMPLE, 'sample', 'points.csv'), join(EXAMPLE, 'legends', 'land-cover.json')];
    report('accuracy-points', points, legend);
    report('accuracy-raster', join(folder, 'truth.tif'), legend);
    report('accuracy-titles', points, join(folder, 'legend.json'));
    browser = await launchBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(['accuracy-points', 'accuracy-raster', 'accuracy-titles'])(
    'axe finds no fault on a desktop and on a phone, light and dark: %s',
    { timeout: 120_000 },
    async (name) => {
      const page = noteComplaints(await browser.newPage(), complaints);
      await page.goto(reports.get(name) ?? '');
      await checkShown(page, name, SCREENS);
      await page.close();
    },
  );

  it('a report needs neither a script nor another file, and shows markup in titles as text', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = noteComplaints(await context.newPage(), complaints);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url().slice(0, 60)));
    await page.goto(reports.get('accuracy-titles') ?? '');
    expect(await page.locator('.matrix thead').innerText()).toContain('Trees <b onclick=x> & everything');
    const { width = 0 } = (await page.locator('figure img').boundingBox()) ?? {};
    expect(width).toBeGreaterThan(300);
    expect(await page.locator('figure svg path.right').count()).toBe(1);
    expect(await page.locator('script').count()).toBe(0);
    expect(requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([]);
    expect(requests.filter((url) => url.startsWith('file:'))).toHaveLength(1);
    await context.close();
  });

  it('a report is printed in light colours, even if the browser uses the dark scheme', async () => {
    const context = await onScreen(browser, { width: 794, height: 1123, scheme: 'dark' });
    const page = await context.newPage();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const address of reports.values()) {
      await page.goto(address);
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
      expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(20, 38, 43)');
      expect((await page.pdf({ format: 'A4' })).byteLength).toBeGreaterThan(20_000);
    }
    await context.close();
  });

  it('the pages of the reports caused no error and no failed request', () => {
    expect(complaints).toEqual([]);
  });
});
