import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const EXECUTABLE = process.env['HEADWATER_CHROMIUM'] ?? '/usr/bin/chromium';
/** Folder of the screenshots, which are not in version control. Each run of the page tests overwrites them. */
export const SCREENSHOTS = resolve(import.meta.dirname, '..', '.screenshots');

/** Reason why there is no browser on this machine; undefined if there is one. */
export const noBrowser = existsSync(EXECUTABLE)
  ? undefined
  : `${EXECUTABLE} is missing; install Debian's chromium or set HEADWATER_CHROMIUM`;

/** Starts Chromium without the background requests that it sends by default. */
export async function launchBrowser(): Promise<Browser> {
  const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update'];
  return await chromium.launch({
    executablePath: EXECUTABLE,
    args: ['--no-sandbox', '--disable-gpu', '--disable-sync', ...quiet],
  });
}

/** Records every error of a page. */
export function noteComplaints(page: Page, complaints: string[]): Page {
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('requestfailed', (request) => {
    // Open event streams are aborted if the browser leaves a page, or if the page reloads after its run has ended.
    const why = request.failure()?.errorText ?? 'failed';
    if (why !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${why}`);
  });
  return page;
}

/** Screen size and colour scheme of a page test. */
export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
}

/** A desktop screen and a phone screen, each in the light and in the dark scheme. */
export const SCREENS: readonly Screen[] = [
  { width: 1280, height: 900, scheme: 'light' },
  { width: 1280, height: 900, scheme: 'dark' },
  { width: 390, height: 844, scheme: 'light' },
  { width: 390, height: 844, scheme: 'dark' },
];

/** Opens a browser context with this screen. `token` is sent with each request, as for a signed-in user. */
export async function onScreen(browser: Browser, screen: Screen, token?: string): Promise<BrowserContext> {
  return await browser.newContext({
    viewport: { width: screen.width, height: screen.height },
    colorScheme: screen.scheme,
    ...(token === undefined ? {} : { extraHTTPHeaders: { authorization: `Bearer ${token}` } }),
  });
}

interface Findings {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** Violations that axe finds on the page in its present state: rule and element. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(axe);
  const { violations } = await page.evaluate<Findings>('axe.run(document)');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** Number of pixels by which the page is wider than its screen. */
export async function overflowOf(page: Page): Promise<unknown> {
  return await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Writes a screenshot of the whole page as `{name}-{width}-{scheme}.png`. */
export async function shoot(page: Page, name: string, { width, scheme }: Screen): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}-${scheme}.png`), fullPage: true });
}
