import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '../scripts/test-length.mjs';
import {
  launchBrowser,
  noBrowser,
  noFaults,
  noteComplaints,
  onScreen,
  SCREENS,
  shoot,
  violationsOf,
  watchPage,
} from './browser.fixture.ts';
import { signIn } from './client.ts';
import { PASSWORD, type SampleServer, startSampleServer } from './sample-server.fixture.ts';

/** Tested screens: a light desktop and a dark phone, or all screens with `npm run test:long`. */
const TESTED = sized(
  SCREENS.filter(({ width, scheme }) => (width === 1280) === (scheme === 'light')),
  SCREENS,
);

if (noBrowser !== undefined) console.log(`skipped: the API reference in a browser: ${noBrowser}`);
const noGuide = !existsSync(resolve(import.meta.dirname, '../docs/site/dist/index.html'));
if (noGuide) console.log('skipped: the documentation site in a browser: run npm run docs first');
const noCurl = spawnSync('curl', ['--version']).status !== 0;
if (noCurl) console.log('skipped: the command lines of the API reference: curl is missing; install it');
const run = promisify(execFile);

describe('the API reference of the listening server', () => {
  let dir: string;
  let server: SampleServer;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'headwater-docs-'));
    await writeSecondPlace(join(dir, 'data', 'places', 'second'));
    server = await startSampleServer({ dataDir: join(dir, 'data') });
    const client = await signIn(server.baseUrl, server.superuser, PASSWORD);
    const body = { ...SECOND, block: SECOND.tehsil, eo_account_id: 1 };
    const made = await client.post('/api/v1/generate_mws_layer/?wait=true', body);
    if (made.status !== 200) throw new Error(`generate_mws_layer responded ${JSON.stringify(made)}`);
  }, 400_000);
  afterAll(async () => {
    await server.stop('SIGKILL');
    await rm(dir, { recursive: true, force: true });
  });

  describe.skipIf(noBrowser !== undefined)('in Chromium', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchBrowser();
    });
    afterAll(() => browser.close());

    const fits = 'nothing scrolls sideways, axe finds no fault, and the console has no error, at $width px, $scheme';
    it.each(TESTED)(fits, { timeout: 180_000 }, async (screen) => {
      const faults = noFaults();
      const context = await onScreen(browser, screen);
      const page = watchPage(await context.newPage(), server.baseUrl, faults);
      await page.goto(`${server.baseUrl}/docs/plain/`);
      // Opens only one operation. If all operations were open, the page would exceed the maximum height of a
      // screenshot.
      await page.locator('#compute_lulc_for_tehsil > summary').click();
      await shoot(page, 'docs', screen);
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
      const over = await page.evaluate(
        `[...document.querySelectorAll('html, pre, dl, section, main')]
          .filter((each) => each.scrollWidth > each.clientWidth + 1)
          .map((each) => each.tagName + '.' + each.className + ' ' + each.textContent.slice(0, 60))`,
      );
      expect([over, await violationsOf(page, { hasSizes: false })]).toEqual([[], []]);
      expect(faults).toEqual(noFaults());
      await context.close();
    });

    it.skipIf(noGuide)(
      'the documentation site has pages, a list of pages and a search, and requests nothing from another host',
      async () => {
        const faults = noFaults();
        const page = watchPage(
          await browser.newPage({ viewport: { width: 1280, height: 844 } }),
          server.baseUrl,
          faults,
        );
        await page.goto(`${server.baseUrl}/docs/guide/`);
        await page.getByRole('link', { name: 'Your own store', exact: true }).first().click();
        await page.getByRole('heading', { level: 1, name: 'Your own store' }).waitFor();
        await page.getByRole('button', { name: 'Search' }).click();
        await page.getByRole('searchbox').fill('EO_STAC_API_URL');
        await page.locator('#localsearch-list a[href*="reference/variables"]').first().click();
        await page.getByRole('heading', { level: 1, name: 'Variables of the server' }).waitFor();
        await page.reload();
        await page.getByRole('heading', { name: 'EO_STAC_API_URL' }).waitFor();
        expect(faults).toEqual(noFaults());
        await page.close();
      },
      60_000,
    );

    const sends = 'a form of the viewer sends a request, and the console has no error, at $width px, $scheme';
    it.each(TESTED)(sends, { timeout: 60_000 }, async (screen) => {
      const complaints: string[] = [];
      const context = await onScreen(browser, screen);
      const page = noteComplaints(await context.newPage(), complaints);
      // The document names localhost. On a page of 127.0.0.1 the viewer must still send its requests to the origin of
      // the page.
      await page.goto(`${server.baseUrl.replace('localhost', '127.0.0.1')}/docs/`);
      await page.locator('#operations-tag-system').click();
      await page.locator('#operations-system-getHealth .opblock-summary').click();
      await page.locator('#operations-system-getHealth .try-out__btn').click();
      await page.locator('#operations-system-getHealth .execute').click();
      const answer = page.locator('#operations-system-getHealth .live-responses-table .response');
      await answer.waitFor();
      expect(await answer.innerText()).toMatch(/^200[\s\S]*"status": "ok"/);
      await shoot(page, 'try-it', screen);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(screen.width);
      expect(complaints).toEqual([]);
      await context.close();
    });

    it('every link that the viewer makes from the document works', async () => {
      // High enough for all operations, because the viewer renders only operations in view.
      const page = await browser.newPage({ viewport: { width: 1280, height: 20_000 } });
      await page.route('**/viewer.js', async (route) => {
        const script = await (await route.fetch()).text();
        const opened = script.replace("docExpansion: 'none'", "docExpansion: 'list'");
        await route.fulfill({ body: opened, contentType: 'text/javascript; charset=utf-8' });
      });
      await page.goto(`${server.baseUrl}/docs/`);
      await page.locator('.opblock').nth(120).waitFor();
      const [ids, links] = await page.evaluate<readonly [readonly string[], readonly string[]]>(
        `[[...document.querySelectorAll('[id]')].map(({ id }) => id),
          [...new Set([...document.querySelectorAll('#api-viewer a[href]')].map((each) => each.getAttribute('href')))]]`,
      );
      // The viewer builds the id of an operation's element from the tag and id of the operation.
      const inPage = links.filter((link) => link.startsWith('#/')).map(idOfLink);
      expect(inPage.length).toBeGreaterThan(100);
      const known = new Set(ids);
      expect(inPage.filter((id) => !known.has(`operations-${id}`) && !known.has(`operations-tag-${id}`))).toEqual([]);
      for (const link of links.filter((each) => !each.startsWith('#'))) {
        const url = new URL(link, `${server.baseUrl}/docs/`);
        if (url.origin === new URL(server.baseUrl).origin)
          expect([link, (await fetch(url)).status]).toEqual([link, 200]);
        else expect(url.href).toBe('https://spdx.org/licenses/Apache-2.0.html');
      }
      await page.close();
    }, 180_000);
  });

  describe.skipIf(noCurl)('the command lines of the API reference', () => {
    let text: string;
    let token = '';
    let key = '';
    beforeAll(async () => {
      text = await (await fetch(`${server.baseUrl}/docs/plain/`)).text();
    });

    it('sign in and store the token, and an API key if one is needed', async () => {
      const [, first = ''] = /id="lines"[\s\S]*?<code>(NAME=[\s\S]*?)<\/code>/.exec(text) ?? [];
      const lines = plain(first).replace('your name', server.superuser).replace('your password', PASSWORD);
      const { stdout } = await run('sh', ['-c', `${lines}\nprintf '%s %s' "$TOKEN" "$KEY"`]);
      [token = '', key = ''] = stdout.split(' ');
      expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
      expect(key).toMatch(lines.includes('KEY=') ? /^\w{8}\.\w{32}$/ : /^$/);
    });

    it('get the documented status, and print the status on a separate line', async () => {
      const saved = await mkdtemp(join(dir, 'saved-'));
      const lines = [...text.matchAll(/<code data-status="(\d+)">([\s\S]*?)<\/code>/g)];
      const document = (await (await fetch(`${server.baseUrl}/api/v1/openapi.json`)).json()) as { paths: object };
      expect(lines.length).toBeGreaterThan(
        Object.values(document.paths).flatMap((item: object) => Object.keys(item)).length,
      );
      const env = { PATH: process.env['PATH'] ?? '', NAME: server.superuser, PASSWORD, TOKEN: token, KEY: key };
      const wrong: string[] = [];
      for (const [, promised = '', escaped = ''] of lines) {
        const line = plain(escaped);
        const { stdout } = await run('sh', ['-c', line], { cwd: saved, env, maxBuffer: 1e8 });
        const [, status = ''] = /\n(\d{3})\n$/.exec(stdout) ?? [];
        // Two statuses may differ from the documentation. A reused result has 200 instead of 202. The guide has
        // 200 instead of 404 if it was built.
        const isFound = status === '200' && (promised === '202' || line.includes('/docs/guide/'));
        if (status !== promised && !isFound) wrong.push(`${line}\n${stdout.slice(-600)}`);
      }
      expect(wrong).toEqual([]);
      const files = await readdir(saved);
      expect(files.map((file) => file.slice(file.lastIndexOf('.')))).toEqual(
        expect.arrayContaining(['.tif', '.geojson', '.html']),
      );
      for (const file of files) expect((await stat(join(saved, file))).size).toBeGreaterThan(0);
    }, 300_000);

    it('use the place with the most layers and all its years, not the newest publication', () => {
      expect(text).toContain('the published layers of Jalsrota');
      expect(text).not.toContain(SECOND.tehsil);
      const years = [...plain(text).matchAll(/"start_year":\d+,"end_year":\d+/g)].map(([pair]) => pair);
      expect(new Set(years)).toEqual(new Set(['"start_year":2021,"end_year":2023']));
    });

    it('use names of published data, not the examples of the operations table', () => {
      const successes = [...text.matchAll(/<code data-status="2\d\d">([\s\S]*?)<\/code>/g)].map(([, line]) => line);
      expect(successes.join('\n')).not.toMatch(
        /sample_(rasters|vectors|raster_)|Sample (State|District|Tehsil)|0190a000/,
      );
    });
  });
});

/** Id of the element for a link such as `#/public%20data/getStates`. */
const idOfLink = (link: string): string => decodeURIComponent(link.slice(2)).replaceAll('/', '-').replaceAll(' ', '_');

/** This place sorts before the sample, so pages list it first. */
const SECOND = { state: 'Himalaya', district: 'Kullu', tehsil: 'Manali' } as const;

async function writeSecondPlace(folder: string): Promise<void> {
  const square = (west: number) => {
    const [east, south, north] = [west + 0.03, 32.2, 32.24];
    return {
      type: 'Polygon',
      coordinates: [
        [
          [west, south],
          [east, south],
          [east, north],
          [west, north],
          [west, south],
        ],
      ],
    };
  };
  const feature = (west: number, properties: object) => ({ type: 'Feature', properties, geometry: square(west) });
  const collection = (features: readonly object[]) => JSON.stringify({ type: 'FeatureCollection', features });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'boundary.geojson'), collection([feature(77.1, SECOND)]));
  await writeFile(join(folder, 'mws.geojson'), collection([feature(77.1, { uid: '7_1' })]));
}

function plain(escaped: string): string {
  return escaped
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
