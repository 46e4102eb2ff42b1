import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServerProcess, type ServerProcess } from './server-process.ts';

const EXECUTABLE = process.env['HEADWATER_CHROMIUM'] ?? '/usr/bin/chromium';
const absent = !existsSync(EXECUTABLE);
if (absent)
  console.log(
    `skipped: pages in a browser: ${EXECUTABLE} is absent; install Debian's chromium or set HEADWATER_CHROMIUM`,
  );

describe.skipIf(absent)('the pages in Chromium', () => {
  let dataDir: string;
  let server: ServerProcess;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'headwater-pages-'));
    server = await startServerProcess({ dataDir });
    await server.printed(/land cover of the sample is done in/, 300_000);
    browser = await chromium.launch({
      executablePath: EXECUTABLE,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
    page = await browser.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
  }, 400_000);
  afterAll(async () => {
    await browser.close();
    await server.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  it('the first page explains itself and every link on it answers', async () => {
    await page.goto(`${server.baseUrl}/`);
    expect(await page.title()).toContain('Headwater');
    expect(await page.locator('h1').innerText()).not.toBe('');
    const links = await page
      .locator('a[href]')
      .evaluateAll((anchors) => anchors.map((anchor): string => Reflect.get(anchor, 'href')));
    const own = [...new Set(links)].filter((href) => href.startsWith(server.baseUrl));
    expect(own.map((href) => new URL(href).pathname)).toEqual(
      expect.arrayContaining(['/docs/', '/api/health', '/api/v1/stac/']),
    );
    for (const href of own) expect([(await fetch(href)).status, href]).toEqual([200, href]);
  });

  it('shows a preview of every published layer that really loads', async () => {
    const images = page.locator('.layers img');
    expect(await images.count()).toBe(4);
    for (const image of await images.all()) {
      await image.scrollIntoViewIfNeeded();
      await expect
        .poll(() => image.evaluate((element): unknown => Reflect.get(element, 'naturalWidth')))
        .toBeGreaterThan(100);
    }
  });

  it('the reference lists every operation of the OpenAPI document', async () => {
    await page.goto(`${server.baseUrl}/docs/`);
    const { paths } = (await (await fetch(`${server.baseUrl}/api/v1/openapi.json`)).json()) as {
      paths: Record<string, unknown>;
    };
    const text = await page.locator('body').innerText();
    for (const path of Object.keys(paths)) expect(text).toContain(path);
  });

  it('fits a phone without scrolling sideways', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['/', '/docs/']) {
      await page.goto(`${server.baseUrl}${path}`);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect([path, overflow]).toEqual([path, 0]);
    }
  });

  it('nothing on the pages failed to load or complained', () => {
    expect(complaints).toEqual([]);
  });
});
