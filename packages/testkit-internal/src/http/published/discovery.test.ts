import { EXAMPLE_RUN, EXAMPLE_TABLE, toFetchHandler } from '@headwater/http-service';
import { lulcPipeline } from '@headwater/land-cover';
import { describe, expect, it } from 'vitest';
import { SAMPLE_PLACE } from '../fixture/sample-place.ts';
import { outlinePipeline } from '../../pipelines/outline-pipeline.ts';
import { jsonInit } from '../suite/harness.ts';
import { BASE, HTML, linksOf } from './places.fixture.ts';
import { startSample } from './published.fixture.ts';

const BARE = { geometry: SAMPLE_PLACE.geometry, mws: [], villages: [] };
const EVIL = `"><script>alert('x')</script>`;
type Send = (path: string, init?: RequestInit) => Promise<Response>;

const titleOf = (page: string): string => /<title>([^<]*)<\/title>/.exec(page)?.[1] ?? '';
/** Opens every reachable page, and fails for a dead link. Returns titles by address. */
async function crawl(send: Send): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  const seen = new Set(['/']);
  for (const path of seen) {
    const answer = await send(path, HTML);
    // Pages of users redirect visitors to the sign-in page.
    const leads = path.startsWith('/dashboard/');
    expect([path, answer.status]).toEqual([path, leads ? 303 : 200]);
    if (leads) continue;
    if (!String(answer.headers.get('content-type')).startsWith('text/html')) continue;
    const text = await answer.text();
    // Titles of layers are in English on Hindi pages too, so the titles of Hindi pages get a prefix.
    const isHindi = /[?&]lang=hi/.test(path);
    if (!/[?&]lang=en/.test(path)) titles.set(path, `${isHindi ? 'hi: ' : ''}${titleOf(text)}`);
    for (const link of linksOf(text, path)) seen.add(link);
  }
  return titles;
}

describe('all pages', () => {
  it('have different titles, and no link is dead', { timeout: 60_000 }, async () => {
    const { headwater, send } = await startSample();
    const { places } = headwater.stores;
    // A second "Sample Tehsil" without published data, in a district that is also called "Sample Tehsil".
    await places.saveBundle({ ...BARE, state: 'Other State', district: 'Sample Tehsil', tehsil: 'Sample Tehsil' });
    const many = Array.from({ length: 35 }, (_, at) => ({
      ...BARE,
      state: 'Far State',
      district: 'Far',
      tehsil: `Sample ${at}`,
    }));
    for (const bundle of many) await places.saveBundle(bundle);
    const titles = await crawl(async (path, init) => {
      // Adds links to a search and to two lists of runs, because no page has such links.
      const answer = await send(path, init);
      if (path !== '/') return answer;
      const also = ['/places/?q=sample', '/api/v1/runs/', '/api/v1/runs/?limit=1&offset=1'];
      const links = also.map((each) => `<a href="${each.replaceAll('&', '&amp;')}">x</a>`).join('');
      return new Response((await answer.text()) + links, {
        status: answer.status,
        headers: { 'content-type': 'text/html' },
      });
    });
    await headwater.close();
    expect(titles.size).toBeGreaterThan(60);
    // A sign-in page, the first page of a list, and the reference have several addresses with equal titles.
    const isSame = (path: string): boolean => /[?&]next=|offset=0(?:&|$)|^\/docs\/plain\//.test(path);
    const byTitle = [
      ...Map.groupBy(
        [...titles].filter(([path]) => !isSame(path)),
        ([, title]) => title,
      ),
    ].filter(([, own]) => own.length > 1);
    expect(byTitle.map(([title, own]) => [title, own.map(([path]) => path)])).toEqual([]);
    for (const title of titles.values()) expect(title).toMatch(/^[^{}]+$/);
    expect([...titles.values()].filter((title) => title.includes(', page 2'))).not.toEqual([]);
    for (const path of ['/places/?q=sample&page=2', '/computations/', '/api/v1/stac/other_state/sample_tehsil/'])
      expect([...titles.keys()]).toContain(path);
  });

  it('contain no route in their text', async () => {
    const { headwater, send } = await startSample();
    for (const path of ['/', '/places/', '/api/v1/stac/sample_state/sample_district/sample_tehsil/']) {
      const text = await (await send(path, HTML)).text();
      const prose = text.replace(/<(pre|style|script)[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ');
      expect([path, /\/api\/|\bPOST\b|\bGET\b/.exec(prose)]).toEqual([path, null]);
    }
    await headwater.close();
  });
});

describe('pages with lists', () => {
  it('of a tehsil link its report, its tables, its workbook, and the computations that published nothing for the tehsil', async () => {
    const { headwater, send } = await startSample({ pipelines: [lulcPipeline, outlinePipeline] });
    const place = '/api/v1/stac/sample_state/sample_district/sample_tehsil/';
    const textOf = async (path: string): Promise<string> =>
      (await (await send(path, HTML)).text()).replace(/\s+/g, ' ');
    const text = await textOf(place);
    const query = 'state=sample_state&amp;district=sample_district&amp;block=sample_tehsil';
    for (const link of [
      `/api/v1/generate_tehsil_report/?${query}`,
      `/api/v1/generate_stats_excel_file/?${query}`,
      '/api/v1/tables/sample_state/sample_district/sample_tehsil/',
      '#layers',
    ])
      expect(text).toContain(`href="${link}"`);
    // Land cover is published, so the page lists only the other pipeline as missing.
    const missing = (page: string): readonly string[] =>
      [...page.matchAll(/href="\/computations\/#([\w-]+)"/g)].map(([, id = '']) => id);
    expect(missing(text)).toEqual([outlinePipeline.name]);
    expect(await textOf('/computations/')).toContain(`id="${outlinePipeline.name}"`);
    const body = {
      state: 'Sample State',
      district: 'Sample District',
      block: 'Sample Tehsil',
      eo_account_id: 1,
      wait: true,
    };
    expect((await send(`/api/v1/${outlinePipeline.route}/`, jsonInit(body))).status).toBe(200);
    expect(missing(await textOf(place))).toEqual([]);
    await headwater.close();
  });

  it('the lists of tables and of runs are HTML pages for browsers and JSON for programs', async () => {
    const { headwater, send } = await startSample();
    const tables = '/api/v1/tables/sample_state/sample_district/sample_tehsil/';
    for (const [path, link] of [
      [tables, `${tables}${EXAMPLE_TABLE}/`],
      ['/api/v1/runs/', `/api/v1/runs/${EXAMPLE_RUN}/`],
    ] as const) {
      const [page, document] = [await send(path, HTML), await send(path)];
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain(`href="${link}"`);
      expect(String(document.headers.get('content-type'))).toMatch(/^application\/json/);
      expect(String(document.headers.get('vary'))).toContain('Accept');
    }
    const anonymous = await toFetchHandler(headwater.service)(new Request(`${BASE}/api/v1/runs/`, HTML));
    expect(anonymous.status).toBe(401);
    await headwater.close();
  });
});

describe('the search of places', () => {
  it('finds states, districts and tehsils by name, and shows what is published in each of these places', async () => {
    const { headwater, send } = await startSample();
    const { places } = headwater.stores;
    for (const state of ['Sample State', 'Far State'])
      await places.saveBundle({ ...BARE, state, district: 'Rampur', tehsil: 'Sample Tehsil' });
    const found = async (q: string): Promise<string> =>
      (await (await send(`/places/?q=${encodeURIComponent(q)}`, HTML)).text())
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ');
    const tehsils = await found('  sample tehsil ');
    expect(tehsils).toContain('Sample Tehsil Tehsil in Sample District, Sample State: layers: 2');
    expect(tehsils).toContain('Sample Tehsil Tehsil in Rampur, Sample State: nothing is published yet');
    expect(tehsils).toContain('Sample Tehsil Tehsil in Rampur, Far State: nothing is published yet');
    expect(await found('SAMPLE ST')).toContain('Sample State State: tehsils: 1, layers: 2');
    expect(await found('district')).toContain('Sample District District in Sample State: tehsils: 1, layers: 2');
    expect(await found('nowhere')).toContain('No state, district or tehsil has a name like this');
    await headwater.close();
  });

  it('works with a form without script, and escapes the text of users', async () => {
    const { headwater, send } = await startSample();
    await headwater.stores.places.saveBundle({
      ...BARE,
      state: 'Evil',
      district: 'A <b>bold</b> name',
      tehsil: 'Sample <i>',
    });
    const first = await send('/', HTML);
    expect(first.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(await first.text()).toMatch(
      /<form class="search" role="search" method="get" action="\/places\/">[\s\S]*name="q"/,
    );
    for (const q of [EVIL, 'bold', '%', "' or 1=1 --", 'नगर']) {
      const answer = await send(`/places/?q=${encodeURIComponent(q)}`, HTML);
      const text = await answer.text();
      expect([q, answer.status]).toEqual([q, 200]);
      expect(text).not.toMatch(/<script>alert|<b>bold|<i>/);
    }
    expect(await (await send(`/places/?q=${encodeURIComponent(EVIL)}`, HTML)).text()).toContain('&lt;script&gt;alert');
    for (const bad of [`?q=${'x'.repeat(101)}`, '?box=1,2,3', '?box=<b>', '?box=5,5,1,1', '?page=0', '?lang=xx'])
      expect([bad, (await send(`/places/${bad}`, HTML)).status]).toEqual([bad, 400]);
    await headwater.close();
  });
});
