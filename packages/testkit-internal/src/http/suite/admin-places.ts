import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Importer } from '@headwater/core';
import { createImporters } from '@headwater/ingest';
import { EXAMPLE_RUN, type Headwater } from '@headwater/http-service';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { createSampleService, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget, RunningHost } from '../targets/target.ts';
import { defineCase } from './harness.ts';
import { createScreenBrowser, type Fields, hiddenFields, type ScreenBrowser, type Shown } from './screen-browser.ts';
import { actOn, signedInBrowser, signInBrowser } from './screens.ts';

const PLACES = '/admin/places/';
const IMPORT = '/admin/places/import/';
const IMPORT_CHECKED = '/admin/places/import/checked/';
const MARKUP = '<img src=x onerror=alert(1)>';
const MAX_BYTES = 300_000;
const PLACE = { state: 'Typed "State"', district: 'D', tehsil: 'T' };

interface Sent {
  readonly status: number;
  readonly body: string;
}

/** Test cases of the admin's places and uploads, and of attacks. */
export function adminPlaceCases(target: HttpTarget, isWhole: boolean): void {
  /** Defines a test case that does not depend on the adapter, if `isWhole` is true. */
  const ofService: typeof defineCase = (...of) => {
    if (isWhole) defineCase(...of);
  };
  describe('places of the admin', () => {
    let [folder, host, service]: [string, RunningHost | undefined, Headwater | undefined] = ['', undefined, undefined];
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'admin-places-'));
      const scratchDir = join(folder, 'scratch');
      service = await createSampleService({
        imports: {
          importers: (stores) => createImporters({ stores, scratchDir: join(folder, 'import') }),
          scratchDir,
          maxBytes: MAX_BYTES,
        },
      });
      host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
    });
    afterAll(async () => {
      await service?.close();
      // A closing service deletes uploaded files.
      expect(await left()).toEqual([]);
      await host?.close();
      await rm(folder, { recursive: true, force: true });
    });

    const url = (): string => host?.url ?? '';
    const signedIn = (who: keyof typeof SAMPLE_USERS = 'operator'): Promise<ScreenBrowser> =>
      signedInBrowser(url(), SAMPLE_USERS[who]);
    const cookieOf = (own: ScreenBrowser): string =>
      [...own.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const tokenOf = async (own: ScreenBrowser): Promise<string> =>
      hiddenFields((await own.open(IMPORT)).body)['token'] ?? '';
    const send = async (own: ScreenBrowser, body: FormData, headers: Fields = {}): Promise<Sent> => {
      const init = { origin: url(), cookie: cookieOf(own), accept: 'text/html', ...headers };
      const answer = await fetch(url() + IMPORT, { method: 'POST', headers: init, body, redirect: 'manual' });
      return { status: answer.status, body: mainOf(await answer.text()) };
    };
    const upload = async (own: ScreenBrowser, file: File, fields: Fields = {}): Promise<Sent> =>
      send(own, formOf({ token: await tokenOf(own), kind: 'places', dry_run: 'on', ...fields }, file));
    const left = (): Promise<readonly string[]> => readdir(join(folder, 'scratch')).catch(() => []);
    const idOf = async (name: string): Promise<string> => {
      const { units } = (await service?.stores.lookups.listUnits({ limit: 999, offset: 0 })) ?? { units: [] };
      const unit = units.find((each) => each.name === name);
      return `${unit?.level}-${unit?.id}`;
    };
    const act = async (own: ScreenBrowser, name: string, action: string): Promise<string> => {
      const page = `${PLACES}${await idOf(name)}/`;
      return (await actOn(own, { page, action }, { confirmed: 'yes' })).body;
    };

    ofService(
      target,
      'lists places as a tree with search, filters and links, and shows a tehsil with its map',
      async () => {
        const own = await signedIn();
        const { body } = await own.open(PLACES);
        expect(body.replace(/\s+/g, ' ')).toMatch(/Sample State<.*Sample District<.*Sample Tehsil</);
        expect(body).toContain('/admin/places/?q=Sample%20State%20Sample%20District');
        expect((await own.open(`${PLACES}?q=sample+state+sample+d&by_level=district`)).body).toContain(
          'Sample District',
        );
        for (const none of ['%25', 'nowhere', '%3Cb%3E'])
          expect((await own.open(`${PLACES}?q=${none}`)).body).toContain('No entries match');
        const tehsil = (await own.open(`${PLACES}${await idOf('Sample Tehsil')}/`)).body;
        for (const part of ['<svg', 'Micro-watersheds', EXAMPLE_RUN, '/api/v1/stac/sample_state/'])
          expect([part, tehsil.includes(part)]).toEqual([part, true]);
        for (const id of ['tehsil-0', 'tehsil-99999', 'village-1', 'tehsil-99999999999', '1'])
          expect([id, (await own.open(`${PLACES}${id}/`)).status]).toEqual([id, 404]);
      },
    );

    ofService(target, 'a state lists its districts, and a district its tehsils, with what is published', async () => {
      const own = await signedIn();
      const rowOf = async (page: string, below: string): Promise<string> => {
        const { body } = await own.open(`${PLACES}${await idOf(page)}/`);
        const rows = body.slice(body.indexOf('id="below"')).match(/<tr>[^]*?<\/tr>/g) ?? [];
        const row = rows.find((each) => each.includes(`>${below}</a>`)) ?? '';
        return row
          .replace(/<a href="([^"]*)">/, '$1 ')
          .replace(/<[^>]*>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim();
      };
      // The sample has two Items. Both describe layers of this tehsil.
      const [district, tehsil] = [await idOf('Sample District'), await idOf('Sample Tehsil')];
      expect(await rowOf('Sample State', 'Sample District')).toBe(`${PLACES}${district}/ Sample District yes 1 1 2`);
      expect(await rowOf('Sample District', 'Sample Tehsil')).toMatch(
        new RegExp(`^${PLACES}${tehsil}/ Sample Tehsil yes \\d+ \\d+ 2$`),
      );
      expect((await own.open(`${PLACES}${tehsil}/`)).body).not.toContain('id="below"');
    });

    ofService(target, 'the index links the pages of the catalogue under the name STAC browser', async () => {
      const { body } = await (await signedIn()).open('/admin/');
      expect(body).toMatch(/<h3><a href="\/api\/v1\/stac\/">STAC browser<\/a><\/h3>/);
    });

    ofService(
      target,
      'a superuser checks and imports a file, then activates its tehsil and removes that tehsil',
      async () => {
        const own = await signedIn();
        const checked = await upload(own, geoJson({ tehsil: 'Nagri' }));
        expect([checked.status, checked.body]).toEqual([200, expect.stringContaining('Nothing is stored yet')]);
        expect([await idOf('Nagri'), (await left()).length]).toEqual(['undefined-undefined', 1]);
        const { token = '', checked: id = '' } = hiddenFields(checked.body);
        const done = await own.post(IMPORT_CHECKED, { token, checked: id });
        expect([done.status, done.body]).toEqual([200, expect.stringContaining('The file is imported')]);
        expect([await idOf('Nagri'), await left()]).toEqual([expect.stringMatching(/^tehsil-\d+$/), []]);
        expect((await own.post(IMPORT_CHECKED, { token, checked: id })).body).toContain('no longer kept');
        const again = await upload(own, geoJson({ tehsil: 'Nagri' }), { dry_run: '' });
        expect(again.body.replace(/\s+/g, ' ')).toContain('<dt>Unchanged</dt> <dd>1</dd>');
        expect((await own.open('/admin/')).body).toContain('in.geojson');
        const active = async (): Promise<string> => await (await fetch(`${url()}/api/v1/proposed_blocks/`)).text();
        expect(await act(own, 'Nagri', 'activate')).toContain('Activate its state and district first.');
        for (const name of ['Uploaded State', 'Uploaded District', 'Nagri']) await act(own, name, 'activate');
        expect(await active()).toContain('Nagri');
        const path = `${PLACES}${await idOf('Uploaded State')}/`;
        const asked = await own.post(`${path}actions/deactivate/`, { token });
        expect(asked.body).toContain('the 1 tehsils below it');
        expect(await active()).toContain('Nagri');
        await own.post(`${path}actions/deactivate/`, { token, confirmed: 'yes' });
        expect(await active()).not.toContain('Nagri');
        await act(own, 'Nagri', 'remove');
        expect(await idOf('Uploaded State')).toBe('undefined-undefined');
      },
    );

    ofService(
      target,
      'the audit log has the fields of a place before and after each change, and can be sorted by time',
      async () => {
        const own = await signedIn();
        const place = { state: 'Audited State', district: 'Audited District', tehsil: 'Bero' };
        await upload(own, geoJson(place), { dry_run: '' });
        for (const name of ['Audited State', 'Audited District', 'Bero']) await act(own, name, 'activate');
        const id = await idOf('Bero');
        expect((await own.open(`${PLACES}${id}/`)).body).toMatch(/id="history"[^]*Active: no →\s+yes/);
        expect((await own.open(`${PLACES}${id}/?lang=hi`)).body).toMatch(/सक्रिय: नहीं →\s+हाँ/);
        await act(own, 'Bero', 'remove');
        const log = async (query: string): Promise<readonly string[]> => {
          const { body } = await own.open(`/admin/audit/?by_kind=places&${query}`);
          return [...body.matchAll(/<td><a href="(\/admin\/audit\/\d+\/)[?"]/g)].map(([, href = '']) => href);
        };
        const [newest = ''] = await log('q=Bero');
        const removed = (await own.open(newest)).body.replace(/\s+/g, ' ');
        for (const row of [
          'Name</th> <td>Bero</td> <td>—',
          'State</th> <td>Audited State</td> <td>—',
          'Active</th> <td>yes</td> <td>—',
        ])
          expect([row, removed.includes(row)]).toEqual([row, true]);
        const order = async (query: string) => (await log(query)).map((href) => Number(/\d+/.exec(href)?.[0]));
        const [falling, rising] = [await order('sort=-at'), await order('sort=at')];
        expect(falling.length).toBeGreaterThan(4);
        expect([falling, rising]).toEqual([falling.toSorted((a, b) => b - a), falling.toReversed()]);
        const imports = await log('by_action=import&q=in.geojson');
        const imported = (await own.open(imports[0] ?? '')).body.replace(/\s+/g, ' ');
        expect(imported).toMatch(/States<\/th> <td>(\d+)<\/td> <td>(\d+)<[^]*Tehsils<\/th> <td>\d+<\/td> <td>\d+</);
        expect(imported).toMatch(/Stored<\/th> <td>—<\/td> <td>1</);
      },
    );

    ofService(target, 'a tehsil with published data is not removed, and the page says why', async () => {
      const own = await signedIn();
      const id = await idOf('Sample Tehsil');
      const { token = '' } = hiddenFields((await own.open(`${PLACES}${id}/`)).body);
      const asked = await own.post(`${PLACES}${id}/actions/remove/`, { token });
      expect(asked.body).toContain('This tehsil cannot be removed, because its data are served under its name');
      expect(await act(own, 'Sample Tehsil', 'remove')).toContain('published layers');
      expect(await idOf('Sample Tehsil')).toBe(id);
    });

    ofService(
      target,
      'refused and hostile files change nothing; a response with status 400 is the form with the typed texts',
      async () => {
        const own = await signedIn();
        const bomb = zipSync({ 'in.shp': new Uint8Array(40_000_000), 'in.dbf': new Uint8Array(10) });
        const files: readonly (readonly [File, number, string])[] = [
          [fileOf('<html><script>alert(1)</script>', 'in.html'), 400, 'cannot be imported as places'],
          [fileOf('<svg onload="alert(1)"/>', 'in.geojson'), 400, 'id="file-error"'],
          [fileOf('{"type": "FeatureCollection", "features": []', 'in.geojson'), 400, 'id="file-error"'],
          [new File([Uint8Array.from(bomb)], 'in.zip'), 400, 'id="file-error"'],
          [new File([Uint8Array.from(zipSync({ '../../evil.shp': strToU8('x') }))], 'in.zip'), 400, 'id="file-error"'],
          [fileOf('x', `${'a'.repeat(60_000)}${MARKUP}.geojson`), 400, ''],
          [fileOf('x'.repeat(MAX_BYTES + 1), 'in.geojson'), 413, ''],
        ];
        for (const [file, status, text] of files) {
          const sent = await upload(own, file, { ...PLACE, dry_run: '' });
          expect([file.name.slice(0, 40), sent.status]).toEqual([file.name.slice(0, 40), status]);
          expect(sent.body).toContain(text);
          expect(sent.body).not.toContain('<script>alert');
          expect(sent.body).not.toContain('<img src=x');
          if (status === 400 && text !== '') expect(sent.body).toContain('value="Typed &quot;State&quot;"');
        }
        expect(await left()).toEqual([]);
        for (const [fields, text] of [
          [{ kind: 'nothing' }, 'is not one of places'],
          [{ state: 'Only a state' }, 'This field is required'],
          [{ options: '{"styles": "/etc/passwd"}' }, 'id="options-error"'],
          [{ is_superuser: 'true' }, ''],
        ] as const) {
          const sent = await upload(own, geoJson({ tehsil: 'Refused' }), { dry_run: '', ...fields });
          expect([fields, sent.status, sent.body]).toEqual([fields, 400, expect.stringContaining(text)]);
        }
        expect(await idOf('Refused')).toBe('undefined-undefined');
      },
    );

    ofService(target, 'markup and paths in names are shown as text on every page', async () => {
      const own = await signedIn();
      const names = { state: `S ${MARKUP}`, district: `D ${MARKUP}`, tehsil: `T ${MARKUP}` };
      const file = new File([await geoJson(names).text()], `../../etc/${MARKUP}.geojson`);
      const sent = await upload(own, file, { dry_run: '' });
      const village = geoJson({ ...names, vill_id: 9, vill_name: `V ${MARKUP}` });
      const pages = [sent.body, (await upload(own, village, { kind: 'villages', dry_run: '' })).body];
      const id = await idOf(names.tehsil);
      if (sent.body.includes('The file is imported')) expect(id).toMatch(/^tehsil-/);
      for (const path of [
        '/admin/',
        PLACES,
        `${PLACES}?q=img`,
        `${PLACES}${id}/`,
        '/places/?q=img',
        '/api/v1/stac/',
        '/',
      ])
        pages.push((await own.open(path)).body);
      for (const page of pages) expect(page).not.toContain('<img src=x');
      expect((await left()).filter((name) => !name.startsWith('checked-'))).toEqual([]);
    });

    ofService(
      target,
      'only the superuser who uploaded a checked file can import it, with the token of the form',
      async () => {
        const own = await signedIn();
        const { token = '', checked = '' } = hiddenFields((await upload(own, geoJson({ tehsil: 'Own' }))).body);
        await service?.accounts.createSuperuser({ username: 'second', password: 'second-password-1' });
        const other = createScreenBrowser(url());
        await signInBrowser(other, { username: 'second', password: 'second-password-1' });
        const answer = await other.post(IMPORT_CHECKED, { token: await tokenOf(other), checked });
        expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('no longer kept')]);
        expect((await own.post(IMPORT_CHECKED, { token: 'x', checked })).status).toBe(403);
        expect((await own.post(IMPORT_CHECKED, { token, checked }, { origin: 'https://evil.example' })).status).toBe(
          403,
        );
        expect(await idOf('Own')).toBe('undefined-undefined');
        for (let count = 0; count < 6; count += 1) await upload(own, geoJson({ tehsil: `Kept ${count}` }));
        expect(await left()).toHaveLength(4);
        expect((await own.post(IMPORT_CHECKED, { token, checked })).body).toContain('no longer kept');
      },
    );

    ofService(
      target,
      'a second click during the import of a checked file is refused; the first import is completed',
      async () => {
        const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const run: Importer['run'] = async ({ isTrial, fileName, path }) => {
          // Removes the uploaded file during its check, so that it cannot be kept for an import.
          if (fileName === 'gone.geojson') await rm(path);
          if (isTrial !== true) {
            begun.resolve();
            await go.promise;
          }
          return { kind: 'places', fileName, stored: 1, unchanged: 0, refusedCount: 0, refused: [], repaired: [] };
        };
        const imports = {
          importers: () => [{ kind: 'places' as const, endings: ['.geojson'], run }],
          scratchDir: join(folder, 'slow'),
        };
        const slow = await createSampleService({ imports });
        const there = await target.start({ mounts: [{ service: slow.service, prefix: '' }] });
        onTestFinished(async () => {
          await slow.close();
          await there.close();
        });
        const own = createScreenBrowser(there.url);
        expect((await signInBrowser(own, SAMPLE_USERS.operator)).status).toBe(303);
        const headers = { origin: there.url, cookie: cookieOf(own), accept: 'text/html' };
        const check = async (file: File): Promise<string> => {
          const body = formOf({ token: await tokenOf(own), kind: 'places', dry_run: 'on' }, file);
          return mainOf(await (await fetch(there.url + IMPORT, { method: 'POST', headers, body })).text());
        };
        const notKept = await check(fileOf('{}', 'gone.geojson'));
        expect([notKept.includes('Nothing is stored yet'), hiddenFields(notKept)['checked']]).toEqual([
          true,
          undefined,
        ]);
        const { token = '', checked = '' } = hiddenFields(await check(geoJson({ tehsil: 'Slow' })));
        const first = own.post(IMPORT_CHECKED, { token, checked });
        await begun.promise;
        const second = await own.post(IMPORT_CHECKED, { token, checked });
        expect([second.status, second.body]).toEqual([409, expect.stringContaining('is being imported')]);
        go.resolve();
        const done = await first;
        expect([done.status, done.body]).toEqual([200, expect.stringContaining('The file is imported')]);
      },
    );

    defineCase(
      target,
      'if the session has ended, the form of an import is shown after the sign-in with the typed texts, without the file',
      async () => {
        const own = await signedIn();
        const file = geoJson({ tehsil: 'Absent' });
        const returned = async (sent: Shown): Promise<string> => {
          expect(sent.status).toBe(303);
          const done = await own.submit(sent.location ?? '', SAMPLE_USERS.operator);
          return (await own.open(done.location ?? '')).body;
        };
        const typed = { ...PLACE, kind: 'villages', options: '{"name": "a & b"}' };
        const form = formOf({ token: await tokenOf(own), ...typed }, file);
        own.cookies.delete('headwater_session');
        const body = await returned(await own.postForm(IMPORT, form));
        expect(body).toMatch(/<option value="villages"\s+selected/);
        for (const text of ['value="Typed &quot;State&quot;"', '{&quot;name&quot;: &quot;a &amp; b&quot;}'])
          expect(body).toContain(text);
        expect(body).not.toMatch(/id="dry_run"[^>]* checked/);
        expect((await left()).filter((name) => name.startsWith('upload-'))).toEqual([]);
        const { token = '', checked = '' } = hiddenFields((await upload(own, file)).body);
        own.cookies.delete('headwater_session');
        const kept = hiddenFields(await returned(await own.post(IMPORT_CHECKED, { token, checked })));
        expect(kept['checked']).toBe(checked);
        expect((await own.post(IMPORT_CHECKED, kept)).body).toContain('The file is imported');
      },
    );

    defineCase(target, 'senders without the right to import are refused before their file is read', async () => {
      const [own, user] = [await signedIn(), await signedIn('owner')];
      const token = await tokenOf(own);
      const begun = async (cookie: string, fields: Fields, headers: Fields = {}): Promise<number> =>
        await statusOfBegun(url() + IMPORT, { origin: url(), cookie, ...headers }, fields);
      const cookie = cookieOf(own);
      const fields = { token, kind: 'places', dry_run: '' };
      expect(await begun('', fields)).toBe(303);
      expect(await begun(cookieOf(user), fields)).toBe(403);
      expect(await begun(cookie, fields, { origin: 'https://evil.example' })).toBe(403);
      expect(await begun(cookie, { ...fields, token: 'x'.repeat(43) })).toBe(403);
      expect(await begun(cookie, { kind: 'places' })).toBe(403);
      expect(await begun(cookie, { ...fields, kind: 'nothing' })).toBe(400);
      expect((await user.open(IMPORT)).status).toBe(403);
      expect((await user.open(PLACES)).status).toBe(403);
      expect((await left()).filter((name) => name.startsWith('upload-'))).toEqual([]);
    });
  });
}

const mainOf = (page: string): string => page.slice(page.indexOf('<main'));

function formOf(fields: Fields, file: File): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', file, file.name);
  return body;
}

const fileOf = (text: string, name: string): File => new File([text], name);

function geoJson(properties: Readonly<Record<string, string | number>>): File {
  const ring = [
    [80, 20],
    [80.1, 20],
    [80.1, 20.1],
    [80, 20.1],
    [80, 20],
  ];
  const feature = {
    type: 'Feature',
    properties: { state: 'Uploaded State', district: 'Uploaded District', ...properties },
    geometry: { type: 'Polygon', coordinates: [ring] },
  };
  return fileOf(JSON.stringify({ type: 'FeatureCollection', features: [feature] }), 'in.geojson');
}

function statusOfBegun(address: string, headers: Fields, fields: Fields): Promise<number> {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="in.geojson"\r\n\r\n{';
  return new Promise((resolve, reject) => {
    const sent = request(address, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x', 'content-length': '200000' },
    });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      resolve(answer.statusCode ?? 0);
      sent.destroy();
    });
    sent.write(parts.join('') + head);
  });
}
