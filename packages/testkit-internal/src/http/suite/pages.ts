import { EXAMPLE_ITEM, EXAMPLE_RUN, EXAMPLE_UID } from '@headwater/http-service';
import { describe, expect } from 'vitest';
import { createSampleService } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, sendRaw, useHarness, type RawAnswer } from './harness.ts';

const CATALOG = '/api/v1/stac/';
const BLOCK = `${CATALOG}sample_state/sample_district/sample_tehsil/`;
const ITEM = `${BLOCK}items/${EXAMPLE_ITEM}/`;
const REPORT_PLACE = 'state=sample_state&district=sample_district&block=sample_tehsil';
const MWS_REPORT = `/api/v1/generate_mws_report/?${REPORT_PLACE}&uid=${EXAMPLE_UID}`;
const TEHSIL_REPORT = `/api/v1/generate_tehsil_report/?${REPORT_PLACE}`;
const RUN = `/api/v1/runs/${EXAMPLE_RUN}/`;
/** Accept header of Chromium and Firefox. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' };
const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const GEOJSON = 'application/geo+json; charset=utf-8';

/** Test cases of addresses that serve HTML and JSON. */
export function pageCases(target: HttpTarget): void {
  describe('pages', () => {
    const harness = useHarness(target);
    const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawAnswer> =>
      sendRaw(harness().host.url, path, { method, headers });

    for (const [path, type] of Object.entries({ [CATALOG]: JSON_TYPE, [BLOCK]: JSON_TYPE, [ITEM]: GEOJSON })) {
      defineCase(target, `${path} is a page for browsers and a JSON document for other clients`, async () => {
        const [page, document] = [await ask(path, BROWSER), await ask(path)];
        expect([page.status, page.headers['content-type']]).toEqual([200, HTML]);
        expect([document.status, document.headers['content-type']]).toEqual([200, type]);
        expect(page.body).toMatch(/^<!doctype html>/);
        expect(page.headers['vary']).toBe('Accept, Accept-Language, Accept-Encoding, Origin');
        expect(document.headers['vary']).toBe('Accept, Accept-Encoding, Origin');
        expect(page.headers['etag']).not.toBe(document.headers['etag']);
        await checkConditions(path, [page, document]);
      });
    }

    /** Checks conditional requests. Each representation has its own ETag. HEAD has the headers of GET. */
    async function checkConditions(path: string, forms: readonly RawAnswer[]): Promise<void> {
      for (const [index, form] of forms.entries()) {
        const asks = index === 0 ? BROWSER : {};
        const [own = '', other = ''] = [form, forms[1 - index]].map((each) => String(each?.headers['etag']));
        const known = await ask(path, { ...asks, 'if-none-match': own });
        expect([known.status, known.body, known.headers['vary']]).toEqual([304, '', form.headers['vary']]);
        expect((await ask(path, { ...asks, 'if-none-match': other })).status).toBe(200);
        const head = await ask(path, asks, 'HEAD');
        expect([head.status, head.body, head.headers['content-length'], head.headers['etag']]).toEqual([
          200,
          '',
          String(form.bytes.byteLength),
          own,
        ]);
      }
    }

    defineCase(
      target,
      'the weights of Accept select the representation; the parameter format overrides them',
      async () => {
        const typeOf = async (path: string, accept?: string): Promise<unknown> =>
          (await ask(path, accept === undefined ? {} : { accept })).headers['content-type'];
        expect(await typeOf(ITEM, 'text/html;q=0.8, application/geo+json')).toBe(GEOJSON);
        expect(await typeOf(ITEM, 'text/html;q=0.8, application/geo+json;q=0.7')).toBe(HTML);
        expect(await typeOf(ITEM, '*/*')).toBe(GEOJSON);
        expect(await typeOf(ITEM, 'application/json, text/plain, */*')).toBe(GEOJSON);
        expect(await typeOf(`${ITEM}?format=html`)).toBe(HTML);
        expect(await typeOf(`${ITEM}?format=json`, 'text/html')).toBe(GEOJSON);
        expect((await ask(`${ITEM}?format=pdf`)).status).toBe(400);
      },
    );
    defineCase(target, 'errors are HTML pages for browsers only', async () => {
      for (const [path, status] of Object.entries({
        [`${CATALOG}nowhere/`]: 404,
        [`${ITEM}?page=0&format=x`]: 400,
        [RUN]: 401,
      })) {
        const [page, problem] = [await ask(path, BROWSER), await ask(path)];
        expect([page.status, page.headers['content-type'], page.headers['vary']]).toEqual([
          status,
          HTML,
          'Accept, Accept-Language, Origin',
        ]);
        expect(page.body).toContain('href="/api/v1/stac/"');
        expect([problem.status, problem.headers['content-type'], problem.headers['vary']]).toEqual([
          status,
          JSON_TYPE,
          'Accept, Origin',
        ]);
        expect(JSON.parse(problem.body)).toMatchObject({ status });
      }
      // For browsers too, errors of the map server are XML, and errors of writing routes are JSON.
      expect((await ask('/geoserver/none/wcs', BROWSER)).headers['content-type']).toContain('xml');
      expect((await ask('/api/v1/lulc_for_tehsil/', BROWSER, 'POST')).headers['content-type']).toBe(JSON_TYPE);
    });
    defineCase(target, 'the page of a run has the access rules of the run, and is not cacheable', async () => {
      const of = async (user: 'owner' | 'other'): Promise<RawAnswer> =>
        ask(RUN, { ...BROWSER, authorization: `Bearer ${await harness().token(user)}` });
      const own = await of('owner');
      expect([own.status, own.headers['content-type'], own.headers['cache-control']]).toEqual([200, HTML, 'no-store']);
      expect(own.body).toContain(`href="${ITEM}"`);
      const [foreign, none] = [await of('other'), await ask(RUN, BROWSER)];
      expect([foreign.status, foreign.body.includes(EXAMPLE_ITEM)]).toEqual([404, false]);
      expect([none.status, none.headers['www-authenticate'] !== undefined]).toEqual([401, true]);
      // Anonymous responses must not show which runs exist.
      const unknown = await ask(RUN.replace('0001/', 'dead/'), BROWSER);
      expect([unknown.status, withoutIds(unknown.body)]).toEqual([401, withoutIds(none.body)]);
    });
    defineCase(
      target,
      'the commands on pages store the token in a variable, and send it from the same variable',
      async () => {
        const owner = { ...BROWSER, authorization: `Bearer ${await harness().token('owner')}` };
        const pages = [
          await ask('/computations/', BROWSER),
          await ask(RUN, BROWSER),
          await ask(RUN, owner),
          await ask('/docs/plain/', BROWSER),
        ];
        for (const [at, { body }] of pages.entries()) {
          expect([at, body]).toEqual([at, expect.stringMatching(/Authorization: Bearer \$\{?TOKEN/)]);
          const signsIn =
            /TOKEN=\$\(curl -sS http:\/\/headwater\.example\/api\/v1\/auth\/login\/|href="\/docs\/plain\/#lines"/;
          expect([at, body]).toEqual([at, expect.stringMatching(signsIn)]);
          expect([at, /Bearer (?!\$TOKEN|&lt;|METRICS_TOKEN_OF)\w+/.exec(body)?.[0]]).toEqual([at, undefined]);
        }
      },
    );
    defineCase(target, 'the content security policy of a page allows only its own script, by its hash', async () => {
      for (const path of ['/', CATALOG, ITEM]) {
        const { headers, body } = await ask(path, BROWSER);
        expect(headers['content-security-policy']).toMatch(
          /^default-src 'none'; style-src 'sha256-[^']+' 'sha256-[^']+'; img-src 'self' data:; .*script-src 'sha256-[^']+'; connect-src 'self'$/,
        );
        expect(body).not.toMatch(/ style=| on\w+="/);
      }
    });
    defineCase(target, 'below a prefix every link of a page has the prefix', async () => {
      const headwater = await createSampleService({ baseUrl: 'http://headwater.example/geo' });
      const host = await target.start({ mounts: [{ service: headwater.service, prefix: '/geo' }] });
      try {
        for (const path of ['/', CATALOG, BLOCK, ITEM, MWS_REPORT, TEHSIL_REPORT]) {
          const { body, status } = await sendRaw(host.url, `/geo${path}`, { headers: BROWSER });
          expect(status).toBe(200);
          const links = [...body.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, link = '']) => link);
          expect(links.length).toBeGreaterThan(4);
          for (const link of links) expect(link).toMatch(/^\/geo\//);
          for (const link of new Set(links))
            expect([link, (await fetch(host.url + decoded(link))).status]).toEqual([link, 200]);
        }
      } finally {
        await host.close();
        await headwater.close();
      }
    });
  });
}

function decoded(link: string): string {
  return link.replaceAll('&amp;', '&');
}

/** A page without request ids and run ids. */
function withoutIds(page: string): string {
  return page.replace(/request [\w-]+/g, '').replace(/runs(?:\/|%2F)[\w-]+/g, '');
}
