import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestFor } from '@headwater/core/runs';
import { validate } from '@headwater/stac';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPipelines } from '../packages/server/src/pipelines.ts';
import { areaSuite } from './area-suite.fixture.ts';
import { exportSuite } from './export-suite.fixture.ts';
import {
  launchBrowser,
  loadPictures,
  noBrowser,
  noteComplaints,
  onScreen,
  overflowOf,
  SCREENS,
  violationsOf,
} from './browser.fixture.ts';
import { crawl, noGdal, noJudges, type StacDocument, storedFile, validCogs, validDocuments } from './judges.fixture.ts';
import { layerFaults } from './layer-faults.fixture.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

if (noJudges !== undefined) console.log(`skipped: checks of all layers by independent programs: ${noJudges}`);
if (noBrowser !== undefined) console.log(`skipped: pages of all layers: ${noBrowser}`);
if (noGdal !== undefined) console.log(`skipped: GDAL's checks of all layers: ${noGdal}`);

/** Limit for a first start with all layers on two idle cores, s. */
const BOUND_S = 60;
const CORES = 2;

let dataDir: string;
let server: ServerProcess;
let documents: readonly StacDocument[];
let items: readonly StacDocument[];
let summary = '';
let seconds = Number.NaN;
/** Load average per core. Above 1, the time limit of the first start is multiplied by this value. */
let crowd = Number.NaN;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-all-'));
  const from = performance.now();
  server = await startServerProcess({ dataDir, args: ['--all-layers'] });
  [summary] = await server.printed(/ {2}Layers of [\s\S]*All layers: .*\n/, 600_000);
  seconds = (performance.now() - from) / 1000;
  crowd = Math.max(...loadavg()) / CORES;
  documents = [...(await crawl(`${server.baseUrl}/api/v1/stac/`)).values()];
  items = documents.filter(({ type }) => type === 'Feature');
}, 700_000);
afterAll(async () => {
  await server.stop('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

const stored = (href: string): string => storedFile(dataDir, href);
function filesOf(type: string): readonly string[] {
  const assets = items.flatMap((item) => Object.values(item.assets ?? {}));
  const own = assets.filter((asset) => asset.type?.startsWith(type) === true && asset.href.includes('/api/v1/assets/'));
  return [...new Set(own.map(({ href }) => stored(href)))];
}

it('a first start computes every layer that can be requested with only place, years and account, and prints the names of all other layers', () => {
  const members = { state: 'a', district: 'b', tehsil: 'c', startYear: 2021, endYear: 2023, eoAccountId: 1 };
  for (const pipeline of createPipelines()) {
    const outcome = 'request' in requestFor(pipeline, members) ? 'computed in' : 'left out: its request needs';
    expect(summary).toMatch(new RegExp(`^ {2}${pipeline.name} +${outcome}`, 'm'));
  }
  expect(summary).toMatch(/, 0 unchanged, 1 left out, 0 failed in/);
  for (const { id } of items) expect(summary).toContain(`/items/${id}/`);
});

it(`a first start takes at most ${BOUND_S} s with database and sample, or proportionally longer on a busy machine`, () => {
  const figures = `${seconds.toFixed(1)} s, load ${crowd.toFixed(2)} per core`;
  console.log(`a first start with all layers took ${figures}`);
  expect(seconds, figures).toBeLessThan(BOUND_S * Math.max(1, crowd));
});

describe('the documents', () => {
  it('pass our own validator', () => {
    expect(items.length).toBeGreaterThan(25);
    for (const document of documents)
      expect([
        document.id,
        validate(document, { profile: 'headwater' }).filter(({ severity }) => severity === 'error'),
      ]).toEqual([document.id, []]);
  });

  it.skipIf(noJudges !== undefined)('pass pystac and stac-validator', { timeout: 300_000 }, async () => {
    expect(await validDocuments(documents, dataDir)).toBe(documents.length);
  });
});

describe.skipIf(noGdal !== undefined)('the files', () => {
  it('are COGs according to GDAL if they are rasters', { timeout: 300_000 }, () => {
    const files = filesOf('image/tiff; application=geotiff; profile=cloud-optimized');
    expect(files.length).toBeGreaterThan(10);
    expect(validCogs(files)).toBe(files.length);
    for (const path of files) expect(execFileSync('gdalinfo', [path], { encoding: 'utf8' })).toContain('LAYOUT=COG');
  });

  it('have, according to OGR, as many features as their Items state, if they are vectors', { timeout: 300_000 }, () => {
    const vectors = items.filter(({ assets }) => assets?.['geojson'] !== undefined);
    expect(vectors.length).toBeGreaterThan(10);
    for (const { id, assets, properties } of vectors) {
      const path = stored(assets?.['geojson']?.href ?? '');
      const summaryText = execFileSync('ogrinfo', ['-ro', '-so', '-al', path], { encoding: 'utf8' });
      expect([id, Number(/Feature Count: (\d+)/.exec(summaryText)?.[1])]).toEqual([
        id,
        properties?.['table:row_count'],
      ]);
    }
  });
});

it('each layer has a picture, a legend, styles, a unique title with its years, and a bbox that contains it', async () => {
  const faults = await Promise.all(items.map((item) => layerFaults(item, stored)));
  expect(faults.flat()).toEqual([]);
  expect(new Set(items.map(({ properties }) => properties?.['title'])).size).toBe(items.length);
});

describe.skipIf(noBrowser !== undefined)('the pages in Chromium', () => {
  const [desk, , , phone] = SCREENS;
  const isTable = (href: string): boolean => href.includes('/api/v1/tables/');
  function addresses(): ReadonlySet<string> {
    const links = items.flatMap((item) => item.links.filter(({ rel }) => rel === 'self' || rel === 'collection'));
    const assets = items.flatMap((item) => Object.values(item.assets ?? {}));
    const tables = assets.filter(({ href, type }) => isTable(href) && type === 'application/json');
    return new Set([...links, ...tables].map(({ href }) => href));
  }
  /** Throws for a failed request, an axe violation, a page that is too wide, or a missing image. */
  async function checkPage(page: Page, href: string): Promise<void> {
    const answer = await page.goto(href);
    await loadPictures(page);
    const found = [href, answer?.status(), await violationsOf(page), await overflowOf(page)];
    expect(found).toEqual([href, 200, [], 0]);
    const images = page.locator('main img');
    const sizes = await images.evaluateAll((all) => all.map((each): unknown => Reflect.get(each, 'naturalWidth')));
    expect([href, isTable(href) || (sizes.length > 0 && sizes.every((width) => Number(width) > 100))]).toEqual([
      href,
      true,
    ]);
  }

  const title = 'of every layer, every table and the tehsil have no fault at $width px, $scheme';
  it.each([desk, phone])(title, { timeout: 600_000 }, async (screen) => {
    if (screen === undefined) throw new Error('no screen');
    const browser = await launchBrowser();
    try {
      const complaints: string[] = [];
      const page = noteComplaints(await (await onScreen(browser, screen)).newPage(), complaints);
      for (const href of addresses()) await checkPage(page, href);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});

areaSuite(() => ({ dataDir, items }));
exportSuite(() => ({ dataDir, server, documents }));

it('the next start recomputes nothing', { timeout: 120_000 }, async () => {
  await server.stop('SIGINT');
  server = await startServerProcess({ dataDir, args: ['--all-layers'] });
  const [again] = await server.printed(/ {2}Layers of .*\n/, 60_000);
  expect(again).toMatch(new RegExp(`: 0 computed, ${createPipelines().length - 1} unchanged, 1 left out, 0 failed in`));
});
