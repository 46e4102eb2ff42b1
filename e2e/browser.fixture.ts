import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../scripts/test-length.mjs';

const EXECUTABLE = process.env['HEADWATER_CHROMIUM'] ?? '/usr/bin/chromium';
/** Folder of the screenshots; not in version control. */
export const SCREENSHOTS = resolve(import.meta.dirname, '..', '.screenshots');
const WRITES_SCREENSHOTS = isLong || process.env['HEADWATER_SCREENSHOTS'] === 'on';

/** Reason why there is no browser on this machine; undefined if there is one. */
export const noBrowser = existsSync(EXECUTABLE)
  ? undefined
  : `${EXECUTABLE} is missing; install Debian's chromium or set HEADWATER_CHROMIUM`;

const WEBGL = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];

/** Starts Chromium without its background requests. With `hasWebGl`, WebGL works without a graphics card. */
export async function launchBrowser({ hasWebGl = false } = {}): Promise<Browser> {
  const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update'];
  return await chromium.launch({
    executablePath: EXECUTABLE,
    args: ['--no-sandbox', '--disable-sync', ...(hasWebGl ? WEBGL : ['--disable-gpu']), ...quiet],
  });
}

/** Records every error of a page. */
export function noteComplaints(page: Page, complaints: string[]): Page {
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    // A status of 4xx for the page itself is not recorded, because the tests check it.
    const isStatus = message.text().startsWith('Failed to load resource: the server responded with a status of 4');
    if (isStatus && message.location().url === page.url()) return;
    complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('requestfailed', (request) => {
    // Aborted requests are not recorded: the browser aborts open event streams when it leaves or reloads a page.
    const why = request.failure()?.errorText ?? 'failed';
    if (why !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${why}`);
  });
  return page;
}

/** Faults that the pages of a suite have shown so far. */
export interface Faults {
  readonly complaints: string[];
  readonly elsewhere: string[];
}

/** Returns empty lists of faults, for the start of a suite. */
export const noFaults = (): Faults => ({ complaints: [], elsewhere: [] });

/** Records the errors of a page, and its requests to other servers than `baseUrl`. */
export function watchPage(page: Page, baseUrl: string, { complaints, elsewhere }: Faults): Page {
  page.on('request', (request) => {
    if (!request.url().startsWith(baseUrl) && !/^(data|about|blob):/.test(request.url())) elsewhere.push(request.url());
  });
  return noteComplaints(page, complaints);
}

/** Fills and sends the sign-in form of the page. */
export async function signInByForm(page: Page, username: string, password: string): Promise<void> {
  await page.locator('#username').fill(username);
  await page.locator('#password').fill(password);
  await page.locator('main form button').click();
}

/** Registers an account by the form of the server, and waits for the account's page. */
export async function registerByForm(
  page: Page,
  baseUrl: string,
  user: Readonly<Record<'name' | 'password', string>>,
): Promise<void> {
  await page.goto(`${baseUrl}/register/`);
  await page.locator('#username').fill(user.name);
  await page.locator('#email').fill(`${user.name}@example.org`);
  for (const field of ['#password', '#password_confirm']) await page.locator(field).fill(user.password);
  await page.locator('main form button').click();
  await page.waitForURL('**/dashboard/');
}

/** Screen size and colour scheme of a page test. */
export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
  /** Language of the browser; default: English. */
  readonly locale?: string;
}

const DESKTOP = { width: 1280, height: 900 } as const;
const PHONE = { width: 390, height: 844 } as const;

/** A desktop and a phone screen, each in the light and in the dark scheme. */
export const SCREENS: readonly Screen[] = [
  { ...DESKTOP, scheme: 'light' },
  { ...DESKTOP, scheme: 'dark' },
  { ...PHONE, scheme: 'light' },
  { ...PHONE, scheme: 'dark' },
];

/**
 * Languages of a browser, with two screens each. Together, the screens contain each pair of width and scheme, of width
 * and language, and of scheme and language.
 */
export const LANGUAGES = [
  inLanguage('en-GB', { ...DESKTOP, scheme: 'light' }, { ...PHONE, scheme: 'dark' }),
  inLanguage('hi-IN', { ...PHONE, scheme: 'light' }, { ...DESKTOP, scheme: 'dark' }),
] as const;

/** A language of the browser with its screens. */
export type Language = (typeof LANGUAGES)[number];

function inLanguage<L extends string>(locale: L, first: Screen, last: Screen) {
  return {
    locale,
    first: { ...first, locale },
    screens: [
      { ...first, locale },
      { ...last, locale },
    ],
  } as const;
}

/** Opens a browser context with this screen. Each request has `token`, as for a signed-in user. */
export async function onScreen(browser: Browser, screen: Screen, token?: string): Promise<BrowserContext> {
  return await browser.newContext({
    viewport: { width: screen.width, height: screen.height },
    colorScheme: screen.scheme,
    locale: screen.locale ?? 'en-GB',
    ...(token === undefined ? {} : { extraHTTPHeaders: { authorization: `Bearer ${token}` } }),
  });
}

/** Changes the screen of an open page without loading the page again. */
export async function showOn(page: Page, { width, height, scheme }: Screen): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: scheme });
}

interface Findings {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns violations of WCAG 2.2 A and AA. `hasSizes: false` skips the slow rule about sizes of links. */
export async function violationsOf(page: Page, { hasSizes = true } = {}): Promise<readonly string[]> {
  const options = JSON.stringify({ rules: { 'target-size': { enabled: hasSizes } }, resultTypes: ['violations'] });
  // The script is loaded once per document, because further checks are faster with the compiled script.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  const { violations } = await page.evaluate<Findings>(`axe.run(document, ${options})`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** Number of pixels by which the page is wider than its screen. */
export async function overflowOf(page: Page): Promise<unknown> {
  return await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Writes a screenshot as `{name}-{width}-{scheme}.png`, if HEADWATER_SCREENSHOTS is on, and in `test:long`. */
export async function shoot(
  page: Page,
  name: string,
  { width, scheme }: Pick<Screen, 'width' | 'scheme'>,
): Promise<void> {
  if (!WRITES_SCREENSHOTS) return;
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}-${scheme}.png`), fullPage: true });
}

/** Checks on each screen that the open page has no violation and fits; takes screenshots (`shoot`). */
export async function checkShown(page: Page, name: string, screens: readonly Screen[]): Promise<void> {
  for (const screen of screens) {
    const { width, scheme, locale = 'en' } = screen;
    await showOn(page, screen);
    const found = [name, width, scheme, await violationsOf(page), await overflowOf(page)];
    expect(found).toEqual([name, width, scheme, [], 0]);
    await shoot(page, `${name}-${locale.slice(0, 2)}`, screen);
  }
}

/** Loads all pictures of the page, also those outside of the screen. */
export async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(`Promise.all([...document.images].map((image) => {
    image.loading = 'eager';
    return image.complete || new Promise((loaded) => { image.onload = image.onerror = loaded; });
  }))`);
}

/** Natural width of a loaded picture, in pixels of the file. */
export async function widthOf(page: Page, selector: string): Promise<number> {
  return Number(await page.locator(selector).evaluate((element): unknown => Reflect.get(element, 'naturalWidth')));
}

/** Width of an element on the screen, in pixels. */
export async function lengthOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).boundingBox();
  return box?.width ?? 0;
}

/** Colours that fill more than 1 % of a picture, as `#rrggbb`, except the outlines (`#232323`). */
export async function coloursOf(page: Page, selector: string): Promise<readonly string[]> {
  const found = await page.evaluate(`(async () => {
    const image = document.querySelector(${JSON.stringify(selector)});
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.naturalWidth, height: image.naturalHeight });
    const pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    const counts = new Map();
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] !== 255) continue;
      const colour = '#' + [data[at], data[at + 1], data[at + 2]].map((part) => part.toString(16).padStart(2, '0')).join('');
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    return [...counts].filter(([colour, count]) => count > data.length / 400 && colour !== '#232323').map(([colour]) => colour);
  })()`);
  return Array.isArray(found) ? found.map(String) : [];
}
