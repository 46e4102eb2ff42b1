import { EXAMPLE_ITEM, EXAMPLE_TABLE, EXAMPLE_UID, type Headwater } from '@headwater/http-service';
import { describe, expect, onTestFinished } from 'vitest';
import { SAMPLE_PLACE } from '../fixture/sample-place.ts';
import { createSampleService, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget, RunningHost } from '../targets/target.ts';
import { defineCase, useHarness } from './harness.ts';
import { createScreenBrowser, type Fields, type ScreenBrowser } from './screen-browser.ts';
import { signInBrowser } from './screens.ts';

const CATALOG = '/api/v1/stac/';
const BLOCK = `${CATALOG}sample_state/sample_district/sample_tehsil/`;
const TABLES = '/api/v1/tables/sample_state/sample_district/sample_tehsil/';
const REPORT = '/api/v1/generate_tehsil_report/?state=sample_state&district=sample_district&block=sample_tehsil';
const DEVANAGARI = /\p{Script=Devanagari}/u;
const HINDI = { 'accept-language': 'hi-IN,hi;q=0.9,en;q=0.8' };

/** Public pages in every language, each with a text in Hindi. */
const PAGES: Readonly<Record<string, string>> = {
  '/': 'नया क्या है',
  '/places/?q=sample': 'नाम के स्थान',
  '/computations/': 'गणनाएँ',
  [CATALOG]: 'सब प्रकाशन',
  [`${CATALOG}sample_state/`]: 'इस राज्य की परतें',
  [`${CATALOG}sample_state/sample_district/`]: 'Sample State में।',
  [BLOCK]: 'परतों का विस्तार',
  [`${BLOCK}items/${EXAMPLE_ITEM}/`]: 'इस परत के बारे में',
  [TABLES]: 'की तालिकाएँ',
  [`${TABLES}${EXAMPLE_TABLE}/`]: 'स्तंभ',
  '/api/v1/regions/': 'सबसे नए पहले|कोई क्षेत्र नहीं है',
  '/docs/plain/': 'संदर्भ केवल अंग्रेज़ी में है',
  '/docs/': 'एपीआई संदर्भ',
  [REPORT]: 'की रिपोर्ट',
  [REPORT.replace('tehsil_report/', 'mws_report/') + `&uid=${EXAMPLE_UID}`]: 'सूक्ष्म जलग्रहण',
};

/** Part of a page from the element `main` to the end. */
const mainOf = (body: string): string => body.slice(body.indexOf('<main'));
const withLanguage = (path: string, lang: string): string => `${path}${path.includes('?') ? '&' : '?'}lang=${lang}`;

function ownTexts(body: string): string {
  let text = mainOf(body).replace(/<(svg|pre|code|script|style)\b[\s\S]*?<\/\1>/g, ' ');
  // Each round removes the innermost English elements, because these elements may be nested.
  const english = /<(\w+)\b[^>]*\blang="en"[^>]*>(?:(?!<\/?\1\b)[\s\S])*<\/\1>/g;
  for (let before = ''; before !== text;) [before, text] = [text, text.replace(english, ' ')];
  return text.replace(/<[^>]*>/g, ' ');
}

/** Test cases of languages and of the user name in the header. */
export function languageCases(target: HttpTarget): void {
  describe('the languages of pages', () => {
    const harness = useHarness(target);
    const browser = (): ScreenBrowser => createScreenBrowser(harness().host.url);

    for (const [path, text] of Object.entries(PAGES)) {
      defineCase(target, `${path} exists in English and in Hindi, each with its own ETag`, async () => {
        const own = browser();
        const english = await own.open(path);
        const byHeader = await own.open(path, HINDI);
        const byAddress = await own.open(withLanguage(path, 'hi'));
        const back = await own.open(withLanguage(path, 'en'), HINDI);
        for (const [page, language] of [
          [english, 'en'],
          [byHeader, 'hi'],
          [byAddress, 'hi'],
          [back, 'en'],
        ] as const) {
          expect([page.status, page.headers.get('content-language')]).toEqual([200, language]);
          expect(page.body).toContain(`<html lang="${language}">`);
          expect(String(page.headers.get('vary'))).toContain('Accept-Language');
          expect(page.headers.get('cache-control')).toBe('no-cache');
          expect(DEVANAGARI.test(ownTexts(page.body))).toBe(language === 'hi');
        }
        expect(mainOf(byHeader.body)).toMatch(new RegExp(text, 'u'));
        const [tag, otherTag] = [english, byHeader].map((page) => String(page.headers.get('etag')));
        expect(tag).not.toBe(otherTag);
        expect((await own.open(path, { ...HINDI, 'if-none-match': otherTag ?? '' })).status).toBe(304);
        expect((await own.open(path, { ...HINDI, 'if-none-match': tag ?? '' })).status).toBe(200);
      });
    }

    defineCase(
      target,
      'the language switch leads to the same page in the other language, with the same query',
      async () => {
        for (const path of [...Object.keys(PAGES), '/login/?next=%2Fdashboard%2F', `${CATALOG}nowhere/?a=1`]) {
          const own = browser();
          const page = await own.open(path);
          const link = /<a class="screen" href="([^"]*)" hreflang="hi" lang="hi"\s*>([^<]*)<\/a\s*>/.exec(page.body);
          expect([path, link?.[2]]).toEqual([path, 'हिन्दी में']);
          const to = new URL((link?.[1] ?? '').replaceAll('&amp;', '&'), `http://h${path}`);
          const from = new URL(path, 'http://h');
          expect(to.pathname).toBe(from.pathname);
          expect(Object.fromEntries(to.searchParams)).toEqual({ ...Object.fromEntries(from.searchParams), lang: 'hi' });
          const other = await own.open(to.pathname + to.search);
          expect([path, other.status]).toEqual([path, page.status]);
          expect(other.body).toContain('<html lang="hi">');
          expect(other.body).toContain('hreflang="en"');
        }
      },
    );

    defineCase(target, 'English names of layers and messages are marked on Hindi pages', async () => {
      const item = await browser().open(`${BLOCK}items/${EXAMPLE_ITEM}/`, HINDI);
      expect(item.body).toMatch(/<h1 lang="en">Sample layer 2021<\/h1>/);
      expect(item.body).toMatch(/<div class="prose" lang="en">/);
      const missing = await browser().open(`${CATALOG}nowhere/`, HINDI);
      expect([missing.status, missing.headers.get('content-language')]).toEqual([404, 'hi']);
      expect(missing.body).toMatch(/<h1>नहीं मिला<\/h1>[\s\S]*<p class="notice" lang="en">State collection not found/);
      expect(String(missing.headers.get('vary'))).toContain('Accept-Language');
      const run = await browser().open('/api/v1/runs/', HINDI);
      expect([run.status, run.body]).toEqual([401, expect.stringContaining('यह पृष्ठ खोलने के लिए साइन इन करें')]);
    });

    defineCase(
      target,
      'an unknown language is ignored if the address also has a JSON document, and is refused otherwise',
      async () => {
        for (const path of [CATALOG, BLOCK, `${BLOCK}items/${EXAMPLE_ITEM}/`, TABLES, '/api/v1/regions/']) {
          const [document, own] = [await harness().get(withLanguage(path, 'mr')), await harness().get(path)];
          expect([path, document.status]).toEqual([path, 200]);
          expect([path, document.headers.get('etag')]).toEqual([path, own.headers.get('etag')]);
          const page = await browser().open(withLanguage(path, 'mr'), HINDI);
          expect([path, page.status, page.headers.get('content-language')]).toEqual([path, 200, 'hi']);
        }
        const { status, body } = await browser().open('/?lang=mr');
        expect([status, body.includes('Must be en or hi')]).toEqual([400, true]);
      },
    );

    defineCase(
      target,
      'a known place without layers has a page in Hindi for browsers, and is 404 for other clients',
      async () => {
        const { places } = harness().service.stores;
        const names = { state: SAMPLE_PLACE.state, district: SAMPLE_PLACE.district, tehsil: 'Naya Gaon' };
        const { tehsil } = await places.saveBundle({ ...names, geometry: null, mws: [], villages: [] });
        const path = `${CATALOG}sample_state/sample_district/naya_gaon/`;
        const page = await browser().open(path, HINDI);
        expect([page.status, page.body]).toEqual([200, expect.stringContaining('एक ज्ञात स्थान है')]);
        expect((await harness().get(path)).status).toBe(404);
        await places.removeTehsil(tehsil.id);
      },
    );

    defineCase(
      target,
      'reports, the reference and error pages show who is signed in, and are then private',
      async () => {
        const [visitor, user] = [browser(), browser()];
        expect((await signInBrowser(user)).status).toBe(303);
        for (const path of [REPORT, '/docs/', '/docs/plain/', '/', `${CATALOG}nowhere/`]) {
          const [open, own] = [await visitor.open(path), await user.open(path)];
          expect([path, open.body.includes('href="/login/?next=%2Fdashboard%2F">Sign in</a>')]).toEqual([path, true]);
          const name = `<span class="hidden">Signed in as </span>${SAMPLE_USERS.owner.username}</a>`;
          expect([path, own.body.includes(name), open.body.includes(name)]).toEqual([path, true, false]);
          expect([path, open.headers.get('cache-control'), own.headers.get('cache-control')]).toEqual(
            open.status === 404 ? [path, 'no-store', 'no-store'] : [path, 'no-cache', 'private, no-cache'],
          );
        }
        // A downloaded report must not name the user.
        const file = await user.open(`${REPORT.replace('generate_tehsil', 'download_mws')}&uid=${EXAMPLE_UID}`);
        expect([file.status, file.body.includes(SAMPLE_USERS.owner.username)]).toEqual([200, false]);
        expect(file.body).not.toContain('hreflang');
      },
    );
  });
  describe('the sign-in of a host', () => {
    hostCases(target);
  });
}

interface HostUser {
  readonly headers: Fields | Readonly<Record<string, unknown>>;
  readonly remoteAddress?: string | undefined;
}

function hostCases(target: HttpTarget): void {
  const addresses: (string | undefined)[] = [];
  const userOf = ({ headers, remoteAddress }: HostUser): string | undefined => {
    addresses.push(remoteAddress);
    return typeof headers['x-user'] === 'string' ? headers['x-user'] : undefined;
  };
  const start = async (): Promise<readonly [Headwater, RunningHost]> => {
    const service = await createSampleService({ pages: { userOf, signIn: '/host/sign-in' } });
    const host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
    onTestFinished(async () => {
      await service.close();
      await host.close();
    });
    return [service, host];
  };

  defineCase(
    target,
    'shows a user without an account of this service a page that says so, and does not redirect',
    async () => {
      const [, host] = await start();
      const own = createScreenBrowser(host.url);
      const unknown = { 'x-user': 'no_such_<user>' };
      for (const path of ['/dashboard/', '/api/v1/runs/']) {
        const page = await own.open(path, unknown);
        expect([path, page.status, page.location]).toEqual([path, 403, undefined]);
        expect(page.body).toContain('You are signed in as no_such_&lt;user&gt;, but no active account');
        expect((await own.open(path, { ...unknown, ...HINDI })).body).toContain('चालू खाता नहीं है');
      }
      expect((await own.post('/dashboard/keys/', { name: 'x' }, unknown)).status).toBe(403);
      for (const path of ['/', CATALOG, '/docs/', REPORT, `${CATALOG}nowhere/`]) {
        const page = await own.open(path, unknown);
        expect([path, page.status]).toEqual([path, path.includes('nowhere') ? 404 : 200]);
      }
    },
  );

  defineCase(target, 'receives the address of the client for public pages too', async () => {
    const [, host] = await start();
    const own = createScreenBrowser(host.url);
    for (const path of ['/', '/places/', '/computations/', BLOCK, TABLES, '/api/v1/regions/', '/docs/', REPORT]) {
      addresses.length = 0;
      await own.open(path);
      expect([path, addresses]).toEqual([path, [expect.stringMatching(/^(::ffff:)?127\.0\.0\.1$|^::1$/)]]);
    }
  });

  defineCase(target, 'does not require its users to change a password that they do not use', async () => {
    const [service, host] = await start();
    const account = { username: 'from_host', password: 'tall-river-42', mustChangePassword: true };
    await service.accounts.createUser(account);
    const own = createScreenBrowser(host.url);
    for (const path of ['/dashboard/', '/api/v1/runs/']) {
      const page = await own.open(path, { 'x-user': 'from_host' });
      expect([path, page.status]).toEqual([path, 200]);
    }
  });
}
