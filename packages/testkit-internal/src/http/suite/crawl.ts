import { EXAMPLE_RUN } from '@headwater/http-service';
import { describe, expect, onTestFinished } from 'vitest';
import { createSampleService, publishAsSample, SAMPLE_USERS } from '../fixture/sample-service.ts';
import { SAMPLE_PLACE } from '../fixture/sample-place.ts';
import { itemAt } from '../published/places.fixture.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';
import { createScreenBrowser, type ScreenBrowser } from './screen-browser.ts';

const ORIGIN = 'http://headwater.example';
/** Test cases that open every page of a superuser, with a prefix and in Hindi. */
export function prefixedCrawlCases(target: HttpTarget): void {
  describe('all pages of a superuser below a prefix', () => {
    defineCase(target, 'have the prefix, the language and their own title, and no link is dead', async () => {
      const own = await start(target, { who: 'operator', prefix: '/geo' });
      const from = ['/geo/?lang=hi', '/geo/dashboard/?lang=hi', '/geo/admin/?lang=hi'];
      const titles = await crawl(own, { prefix: '/geo', lang: 'hi', from, parameters: 1 });
      expect(titles.size).toBeGreaterThan(250);
      expect(sameTitles(titles)).toEqual([]);
    });
  });
}

/** Test cases that open every page of users and superusers. */
export function crawlCases(target: HttpTarget): void {
  describe('all pages of signed-in users', () => {
    defineCase(target, 'have their own title, and no link is dead', async () => {
      const own = await start(target, { who: 'owner', prefix: '' });
      const titles = await crawl(own, { prefix: '', from: ['/', '/dashboard/'], parameters: 2 });
      expect([...titles.keys()].filter((path) => path.startsWith('/admin/'))).toEqual([]);
      for (const path of ['/dashboard/downloads/?page=2', '/dashboard/compute/', '/api/v1/runs/'])
        expect([...titles.keys()]).toContain(path);
      expect(sameTitles(titles)).toEqual([]);
    });

    defineCase(
      target,
      'of superusers have their own title; the title of a list contains its filters, its order and its page number',
      async () => {
        const own = await start(target, { who: 'operator', prefix: '' });
        const titles = await crawl(own, { prefix: '', from: ['/', '/dashboard/', '/admin/'], parameters: 2 });
        expect(sameTitles(titles)).toEqual([]);
        expect(titles.get('/admin/notes/?by_color=red&sort=-text')).toBe(
          'Notes, Colour: Red, by Text, descending - Admin',
        );
        expect(titles.get('/admin/users/?by_active=yes&page=2')).toBe('Users, Active: Yes, page 2 - Admin');
      },
    );
  });
}

interface Crawl {
  readonly prefix: string;
  readonly lang?: 'hi' | undefined;
  readonly from: readonly string[];
  /**
   * Maximum number of query parameters of a followed link; `lang` is not counted, and `q` counts twice. Without a
   * limit, all filters of all lists would be opened.
   */
  readonly parameters: number;
}

/** Opens every reachable page, and fails for a wrong link. Returns titles by address. */
async function crawl(
  own: ScreenBrowser,
  { prefix, lang, from, parameters }: Crawl,
): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  const seen = new Map(from.map((path) => [path, 'the start']));
  const faults: string[] = [];
  for (const [path, linkedBy] of seen) {
    const { status, headers, body } = await own.open(path);
    const isPage = String(headers.get('content-type')).startsWith('text/html');
    if (status !== 200) faults.push(`${linkedBy} links ${path}, which returns ${status}`);
    if (!isPage || status !== 200) continue;
    titles.set(path, /<title>([^<]*)<\/title>/.exec(body)?.[1] ?? '');
    if (lang !== undefined && queryOf(path).get('lang') !== lang) {
      faults.push(`${linkedBy} links ${path} without its language`);
      continue;
    }
    const searches = body.match(/<form[^>]* method="get"[^]*?<\/form>/g) ?? [];
    if (lang !== undefined && !searches.every((form) => form.includes(`name="lang" value="${lang}"`)))
      faults.push(`a search of ${path} loses the language`);
    for (const link of linksOf(body, path)) {
      if (link.startsWith(`${ORIGIN}/`)) faults.push(`${path} links ${link} with the public origin`);
      if (!link.startsWith('/')) continue;
      if (!link.startsWith(`${prefix}/`)) faults.push(`${path} links ${link} outside of the prefix`);
      else if (!seen.has(link) && isFollowed(link, { lang, parameters })) seen.set(link, path);
    }
  }
  expect([...new Set(faults)]).toEqual([]);
  return titles;
}

const queryOf = (path: string): URLSearchParams => new URL(path, ORIGIN).searchParams;

/** True for a link to follow. Pages in other languages and long queries are skipped. */
function isFollowed(link: string, { lang, parameters }: Pick<Crawl, 'lang' | 'parameters'>): boolean {
  const query = [...queryOf(link)];
  const isOther = query.some(([name, value]) => name === 'lang' && value !== lang);
  const searches = query.filter(([name]) => name === 'q').length;
  return !isOther && query.filter(([name]) => name !== 'lang').length + searches <= parameters;
}

/** Links of a page, without their fragments. Links to this host begin with `/`; others are whole addresses. */
function linksOf(body: string, from: string): readonly string[] {
  const host = 'http://of-this-page.example';
  return [...body.matchAll(/<a\s[^>]*?href="([^"]*)"/g)].map(([, href = '']) => {
    const url = new URL(href.replaceAll('&amp;', '&').replaceAll('&#39;', "'"), host + from);
    url.searchParams.sort();
    return url.origin === host ? url.pathname + url.search : url.href;
  });
}

/** Titles that several addresses share, with their addresses. Addresses that repeat another page are left out. */
function sameTitles(titles: ReadonlyMap<string, string>): readonly (readonly string[])[] {
  const named = [...titles].filter(([path]) => !/[?&](?:next|list)=|[?&]offset=0(?:&|$)|\/docs\/plain\//.test(path));
  return [...Map.groupBy(named, ([, title]) => title)]
    .filter(([, own]) => own.length > 1)
    .map(([title, own]) => [title, ...own.map(([path]) => path)]);
}

async function start(
  target: HttpTarget,
  { who, prefix }: { readonly who: 'owner' | 'operator'; readonly prefix: string },
): Promise<ScreenBrowser> {
  const sample = await createSampleService({ baseUrl: ORIGIN + prefix, validateResponses: false });
  const host = await target.start({ mounts: [{ service: sample.service, prefix }] });
  onTestFinished(async () => {
    await sample.close();
    await host.close();
  });
  const { accounts, apiKeys, stores } = sample;
  const user = await stores.users.byUsername(SAMPLE_USERS.owner.username);
  if (user === undefined) throw new Error('fixture: the owner is missing');
  for (let at = 0; at < 52; at++) await accounts.createUser({ username: `reader_${at}`, password: 'tall-river-42' });
  await apiKeys.generate({ kind: 'user', user }, { name: 'laptop' });
  for (let at = 0; at < 25; at++)
    await stores.places.saveBundle({ ...SAMPLE_PLACE, district: `District ${at % 2}`, tehsil: `Tehsil ${at}` });
  await publishAsSample(sample, {
    items: [
      ...Array.from({ length: 25 }, (_, at) => itemAt(`sample_state/district_${at % 2}/tehsil_${at}`, [75 + at, 20])),
      itemAt('regions/custom/region_0123456789abcdef', [75, 23]),
    ],
    layers: [],
    timings: {},
  });
  const { id: organizationId } = await stores.people.addOrganization('Water Board', true);
  await stores.teams.createProject({ name: 'Canals', organizationId });
  for (let at = 0; at < 24; at++)
    await stores.runs.enqueue({
      id: EXAMPLE_RUN.replace(/..$/, String(at + 50)),
      pipeline: 'lulc',
      params: { startYear: 2000 + at },
      fingerprint: `crawl ${at}`,
      ownerId: user.id,
    });
  const own = createScreenBrowser(host.url);
  expect((await own.submit(`${prefix}/login/`, SAMPLE_USERS[who])).status).toBe(303);
  return own;
}
