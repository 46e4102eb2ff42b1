import { EXAMPLE_NAMES, EXAMPLE_PLACE, EXAMPLE_UID } from '@headwater/http-service';
import { describe, expect } from 'vitest';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, sendRaw, useHarness, type RawAnswer } from './harness.ts';

const API = '/api/v1/';
const HTML = 'text/html; charset=utf-8';
const NAMES = { state: 'Sample State', district: 'Sample District' };
const ONE = { ...EXAMPLE_PLACE, uid: EXAMPLE_UID };

/** Test cases of reports. Only the route for the address of a report needs an API key. */
export function reportCases(target: HttpTarget): void {
  describe('reports', () => {
    const harness = useHarness(target);
    const search = (query: Readonly<Record<string, string>>): string => new URLSearchParams(query).toString();
    const addressOf = async (query: Readonly<Record<string, string>>): Promise<{ status: number; body: unknown }> => {
      const headers = { 'x-api-key': await harness().key() };
      const answer = await harness().get(`${API}get_mws_report/?${search(query)}`, { headers });
      return { status: answer.status, body: await answer.json() };
    };
    const page = (
      kind: 'mws' | 'tehsil',
      query: Readonly<Record<string, string>>,
      { method, ...headers }: Readonly<Record<string, string>> = {},
    ): Promise<RawAnswer> =>
      sendRaw(harness().host.url, `${API}generate_${kind}_report/?${search(query)}`, {
        method: method ?? 'GET',
        headers,
      });

    defineCase(target, 'a key is needed for the address of a report, but not for the page of the report', async () => {
      const url = `http://headwater.example/api/v1/generate_mws_report/?state=sample_state&district=sample_district&block=sample_tehsil&uid=${EXAMPLE_UID}`;
      for (const query of [
        { ...EXAMPLE_NAMES, mws_id: EXAMPLE_UID },
        { ...EXAMPLE_PLACE, uid: EXAMPLE_UID },
        { ...NAMES, tehsil: 'SAMPLE TEHSIL', uid: EXAMPLE_UID },
      ])
        expect(await addressOf(query)).toEqual({ status: 200, body: { Mws_report_url: url } });
      const opened = await harness().get(url.replace('http://headwater.example', ''));
      expect([opened.status, opened.headers.get('content-type')]).toEqual([200, HTML]);
    });

    defineCase(target, 'no address is returned for an unknown micro-watershed or place', async () => {
      const none = {
        status: 404,
        body: {
          error: expect.stringMatching(
            /^Data not found for the given mws_id: Sample Tehsil has no micro-watershed 12_1;/,
          ),
        },
      };
      expect(await addressOf({ ...EXAMPLE_NAMES, mws_id: '12_1' })).toMatchObject(none);
      expect(await addressOf({ ...EXAMPLE_NAMES, tehsil: 'Nowhere', mws_id: EXAMPLE_UID })).toMatchObject({
        status: 404,
      });
      expect(await addressOf(EXAMPLE_NAMES)).toMatchObject({ status: 400, body: { mws_id: [expect.any(String)] } });
      const { places } = harness().service.stores;
      const bare = { ...NAMES, tehsil: 'Bare', geometry: null, mws: [], villages: [] };
      const { tehsil } = await places.saveBundle(bare);
      expect(await addressOf({ ...NAMES, tehsil: 'Bare', mws_id: EXAMPLE_UID })).toMatchObject({
        status: 404,
        body: {
          error:
            'Mws Layer not found for the given location. A superuser can import the missing boundaries of Bare: POST /api/v1/import/mws/.',
        },
      });
      const report = await page('tehsil', { ...NAMES, block: 'Bare' });
      expect([report.status, report.body.includes('No micro-watersheds are known')]).toEqual([200, true]);
      await places.removeTehsil(tehsil.id);
    });

    defineCase(target, 'a report has a map with a scale bar, figures with their source, and no script', async () => {
      const { status, headers, body } = await page('mws', ONE);
      expect([status, headers['content-type'], headers['content-language']]).toEqual([200, HTML, 'en']);
      expect(headers['vary']).toBe('Accept-Language, Accept-Encoding, Origin');
      expect(headers['content-security-policy']).not.toContain('script-src');
      expect(body).not.toMatch(/<script| style=| on\w+="/);
      expect(body).toMatch(/^<!doctype html>\s*<html lang="en">/);
      for (const text of [
        `<h1>Micro-watershed ${EXAMPLE_UID}</h1>`,
        'Tehsil Sample Tehsil, district Sample District, state Sample State',
        '<path class="own"',
        '<path class="near"',
        'Scale bar: 2 km from west to east, at latitude 24.0° N',
        'Mostly hills and valleys',
        'Vegetation index (NDVI)',
        '0.31',
        'items/sample_state_sample_district_sample_tehsil_sample_vector/',
        '@media print',
      ])
        expect(body).toContain(text);
      // A report has no section for a table that is not published.
      expect(body).not.toContain('Surface water by season');
      const known = { 'if-none-match': String(headers['etag']) };
      expect((await page('mws', ONE, known)).status).toBe(304);
      const head = await page('mws', ONE, { method: 'HEAD' });
      expect([head.status, head.headers['content-length']]).toEqual([200, String(Buffer.byteLength(body))]);
    });

    defineCase(target, 'a report downloads as a file with the content of its page', async () => {
      const query = search({ ...ONE, lang: 'hi' });
      const saved = await harness().get(`${API}download_mws_report/?${query}`);
      expect([saved.status, saved.headers.get('content-type')]).toEqual([200, HTML]);
      expect(saved.headers.get('content-disposition')).toBe(
        `attachment; filename="sample_district_sample_tehsil_${EXAMPLE_UID}.html"`,
      );
      // The part after the header of a page. The links in the header depend on the user and on the address.
      const mainOf = (body: string): string => body.slice(body.indexOf('<main'));
      expect(mainOf(await saved.text())).toBe(mainOf((await page('mws', { ...ONE, lang: 'hi' })).body));
      const unknown = await harness().get(`${API}download_mws_report/?${search({ ...ONE, uid: '0_0' })}`);
      expect([unknown.status, unknown.headers.get('content-disposition')]).toEqual([404, null]);
    });

    defineCase(target, 'a report of a tehsil has links to the reports of its micro-watersheds', async () => {
      const { body } = await page('tehsil', EXAMPLE_PLACE);
      const links = [...body.matchAll(/href="([^"]*generate_mws_report[^"]*)"/g)].map(([, link = '']) => link);
      expect(links).toHaveLength(2);
      for (const link of links) {
        const answer = await harness().get(link.replaceAll('&amp;', '&'));
        expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('generate_tehsil_report')]);
      }
    });

    defineCase(target, 'pages and errors are in the language of the reader', async () => {
      const hindi = { 'accept-language': 'hi-IN,hi;q=0.9,en;q=0.8' };
      for (const answer of [
        await page('mws', ONE, hindi),
        await page('mws', { ...ONE, lang: 'hi' }, { 'accept-language': 'en' }),
      ]) {
        expect([answer.status, answer.headers['content-language']]).toEqual([200, 'hi']);
        for (const text of ['<html lang="hi">', 'सूक्ष्म जलग्रहण 12_100174', 'अधिकतर पहाड़ियाँ और घाटियाँ', 'lang=en'])
          expect(answer.body).toContain(text);
      }
      expect((await page('mws', { ...ONE, lang: 'en' }, hindi)).body).toContain('<html lang="en">');
      for (const [kind, query, status] of [
        ['mws', { ...ONE, uid: '0_0' }, 404],
        ['mws', { ...ONE, block: 'Nowhere' }, 404],
        ['tehsil', { ...EXAMPLE_PLACE, state: 'Nowhere' }, 404],
        ['mws', EXAMPLE_PLACE, 400],
        ['mws', { ...ONE, uid: "1' or 1=1" }, 400],
        ['tehsil', { ...EXAMPLE_PLACE, block: '<script>' }, 400],
      ] as const) {
        const [translated, english] = [
          await page(kind, query, hindi),
          await page(kind, { ...query, lang: 'en' }, hindi),
        ];
        expect([translated.status, translated.headers['content-type'], english.status]).toEqual([status, HTML, status]);
        expect(translated.body).toContain('<html lang="hi">');
        expect(translated.body).toContain(status === 404 ? '<h1>नहीं मिला</h1>' : '<h1>पता ठीक नहीं है</h1>');
        expect(english.body).toContain('<html lang="en">');
        expect(translated.headers['vary']).toBe('Accept-Language, Origin');
        expect(translated.body).not.toContain('<script');
      }
      const other = await page('mws', { ...ONE, lang: 'fr' });
      expect([other.status, other.body.includes('Must be en or hi.')]).toEqual([400, true]);
    });
  });
}
