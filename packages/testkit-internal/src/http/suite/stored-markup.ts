import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createImporters } from '@headwater/ingest';
import { describe, expect, onTestFinished } from 'vitest';
import type { Headwater } from '@headwater/http-service';
import { SAMPLE_GEOMETRY } from '../fixture/sample-place.ts';
import { createSampleService, SAMPLE_PIPELINES, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';
import { createScreenBrowser, type ScreenBrowser, type Shown } from './screen-browser.ts';
import { signedInBrowser } from './screens.ts';
import { brokenBy, type FoundForm, linksOf, readPage, type ReadPage, type Tag } from './stored-markup-page.ts';

/** Mark that every stored text contains. */
const MARK = 'zq9';
const TEXTS = [
  `${MARK}"><script>${MARK}()</script>`,
  `javascript:${MARK}()//`,
  `${MARK}</title></textarea></style></script><img src=x onerror=${MARK}()>`,
  `' onmouseover='${MARK}()' ${MARK}="`,
  `{{${MARK}}}\${${MARK}}<%= ${MARK} %>`,
  `\u202E${MARK}\u2066 \u202B`,
  `=cmd|'/C ${MARK}'!A1`,
  `${MARK}<b>${'x'.repeat(10_000)}`,
];
/** Valid values by type of field, for fields that refuse a text. */
const PLAIN: Readonly<Record<string, string>> = { number: '1', password: 'tall-river-42' };
/** Maximum number of retries of a form. Some forms report only one invalid field at a time. */
const MOST_TRIES = 4;
const START = [
  '/',
  '/admin/',
  '/dashboard/',
  '/dashboard/compute/',
  '/dashboard/password/',
  '/places/',
  '/computations/',
];
const IMPORT = '/admin/places/import/';
const MOST_PAGES = 250;
/**
 * Links that are not followed: sort orders, languages, combined filters, entries with the address of their list
 * (`list=`), and pages without stored texts.
 */
const SKIPPED = /[?&](?:lang|sort|list)=|(?:q=|by_).*by_|\/logout\/|\/docs\//;

/** Test cases of texts with markup in every field of all forms of the admin and the dashboard. */
export function storedMarkupCases(target: HttpTarget): void {
  describe('texts with markup', () => {
    defineCase(target, 'are found by `readPage` and `brokenBy` if a browser would run them', async () => {
      for (const html of [
        `<p title="a"><script>${MARK}()</script>`,
        '<a href=" java\nscript:alert(1)">x</a>',
        '<img src=x onerror=alert(1)>',
        '<input value="a" onmouseover="b">',
        '<a href="&#106;avascript:x">x</a>',
        `<script>"${MARK}"</script>`,
      ])
        expect([html, brokenBy(MARK, readPage(html)).length]).toEqual([html, 1]);
      const safe = `<title></b>${MARK}</title><p title="&quot;><script>">&lt;img onerror=x&gt; 1 < 2</p><!-- <b onx=1> -->`;
      expect([brokenBy(MARK, readPage(safe)), readPage(safe).text]).toEqual([[], `</b>${MARK}<img onerror=x> 1 < 2`]);
    });

    defineCase(target, 'are shown as texts on every page, regardless of the form by which they were sent', async () => {
      const { url, service } = await start(target);
      const { users } = service.stores;
      const visit = createVisit(String((await users.byUsername(SAMPLE_USERS.operator.username))?.id));
      const [own, again, user] = [
        await signedInBrowser(url),
        await signedInBrowser(url),
        await signedInBrowser(url, SAMPLE_USERS.owner),
      ];
      // An action of the admin ends the newest session, so a further session is opened for this action.
      await signedInBrowser(url, SAMPLE_USERS.other);
      await storeOthers(service, (await users.byUsername(SAMPLE_USERS.other.username))?.id ?? 0);
      const newcomer = createScreenBrowser(url);
      await visit.fill(newcomer, '/register/');
      for (const page of ['/dashboard/', '/dashboard/compute/']) await visit.fill(user, page);
      const index = readPage((await own.open('/admin/')).body);
      const resources = linksOf(index).filter((path) => /^\/admin\/[a-z-]+\/$/.test(path));
      expect(resources.length).toBeGreaterThan(14);
      const withForm: string[] = [];
      for (const list of resources) {
        const links = linksOf(readPage((await own.open(list)).body));
        if (!links.includes(`${list}add/`)) continue;
        withForm.push(list);
        await visit.fill(own, `${list}add/`);
      }
      // `withForm` is read from the index of the admin, so new resources are tested automatically.
      expect(withForm.filter((list) => !visit.stored.has(list))).toEqual([]);
      await visit.crawl(own, true);
      await visit.crawl(again, false);
      await visit.crawl(user, false);
      await visit.crawl(newcomer, false);
      for (const page of ['/forgot/', '/login/']) await visit.fill(createScreenBrowser(url), page);
      expect([...visit.broken]).toEqual([]);
      const shown = [...visit.shown];
      for (const page of [
        /^\/admin\/$/,
        /^\/admin\/audit\//,
        /^\/admin\/users\//,
        /^\/admin\/runs\//,
        /^\/dashboard\/$/,
      ])
        expect([page, shown.some((path) => page.test(path))]).toEqual([page, true]);
    });
  });
}

async function start(target: HttpTarget) {
  const folder = await mkdtemp(join(tmpdir(), 'stored-markup-'));
  const service = await createSampleService({
    imports: {
      importers: (stores) => createImporters({ stores, scratchDir: join(folder, 'import') }),
      scratchDir: join(folder, 'scratch'),
    },
  });
  const host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
  onTestFinished(async () => {
    await service.close();
    await host.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { url: host.url, service };
}

/** Stores a place whose names forms and imports refuse, and a run with `TEXTS` in parameters and log lines. */
async function storeOthers({ stores }: Headwater, ownerId: number): Promise<void> {
  const [state = '', , district = '', tehsil = '', name = ''] = TEXTS;
  const villages = [{ id: 70, name, geometry: SAMPLE_GEOMETRY }];
  await stores.places.saveBundle({ state, district, tehsil, geometry: SAMPLE_GEOMETRY, mws: [], villages });
  const id = '0190a000-0000-7000-8000-0000000e0001';
  const [text = ''] = TEXTS;
  const [{ name: pipeline }] = SAMPLE_PIPELINES;
  await stores.runs.enqueue({ id, pipeline, params: { note: text }, fingerprint: text, ownerId, queue: 'none' });
  for (const message of TEXTS) await stores.runs.appendEvent(id, { kind: 'log', data: { message } });
  await stores.runs.requestCancel(id);
}

/** Opens pages and sends their forms. Forms that would change `spared`, the user who sends the forms, are not sent. */
function createVisit(spared: string) {
  const broken = new Set<string>();
  const stored = new Set<string>();
  const shown = new Set<string>();
  const sentForms = new Set<string>();
  let number = 0;
  const read = (path: string, { body, headers }: Shown) => {
    if (!(headers.get('content-type') ?? '').startsWith('text/html')) return readPage('');
    const page = readPage(body);
    for (const part of brokenBy(MARK, page)) broken.add(`${path}: ${part.slice(0, 300)}`);
    if (page.text.includes(MARK)) shown.add(path);
    return page;
  };
  const send = async (
    own: ScreenBrowser,
    form: FoundForm,
    fields: Readonly<Record<string, string>>,
  ): Promise<Shown> => {
    if (!form.isMultipart) return await own.post(form.action, fields);
    const isImport = form.action === IMPORT;
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) if (!isImport || name === 'token') body.set(name, value);
    if (isImport) {
      body.set('kind', 'places');
      body.set('file', boundaries(fields));
    }
    return await own.postForm(form.action, body);
  };
  /** Sends a form once with each text; a field that refuses a text gets a plain value. */
  const fillForm = async (own: ScreenBrowser, found: FoundForm, path: string): Promise<void> => {
    let form = found;
    const next = ({ forms }: ReadPage): FoundForm =>
      forms.find(({ action }) => action.replace(/\?.*/, '') === found.action.replace(/\?.*/, '')) ?? form;
    // Only two imports are sent, because an import takes long and its file has several texts.
    for (const text of found.action === IMPORT ? TEXTS.slice(0, 2) : TEXTS) {
      number += 1;
      let values = valuesOf(form, text, number);
      let done = await send(own, form, values);
      let page = read(form.action, done);
      for (let tries = 1; tries <= MOST_TRIES && (done.status === 400 || done.status === 409); tries += 1) {
        const wrong = page.tags.flatMap(({ attributes }) => /^(\w+)-error$/.exec(attributes['id'] ?? '')?.[1] ?? []);
        if (wrong.length === 0) break;
        values = {
          ...values,
          ...plainOf(form, wrong, tries === 1 ? `${MARK}"><b/onload=${MARK}()>${number}` : `a${number}`),
        };
        done = await send(own, form, values);
        page = read(form.action, done);
      }
      if (done.status < 400) stored.add(path.replace(/add\/.*/, ''));
      if (done.location?.startsWith('/') === true) form = next(read(done.location, await own.open(done.location)));
      else form = next(page);
    }
  };
  const fill = async (own: ScreenBrowser, path: string): Promise<void> => {
    for (const form of read(path, await own.open(path)).forms) if (hasTexts(form)) await fillForm(own, form, path);
  };
  /** Sends only one form of each kind. */
  const sendForms = async (own: ScreenBrowser, forms: readonly FoundForm[]): Promise<void> => {
    for (const form of forms) {
      const kind = form.action
        .replace(/\?.*/, '')
        .replace(/(?<=^\/\w+\/[\w-]+\/)(?!(?:actions|add|import)\/)[^/]+/, ':id');
      const isOwn = /^\/(?:admin|dashboard)\//.test(form.action) && !/\/(?:password|end)\//.test(kind);
      if (!isOwn || sentForms.has(kind) || form.action.startsWith(`/admin/users/${spared}/`)) continue;
      sentForms.add(kind);
      if (hasTexts(form)) await fillForm(own, form, kind);
      else if (kind.includes('/actions/')) {
        // The form of a list has a button for each action.
        const buttons = kind.endsWith('/actions/') ? form.inputs.filter(({ name }) => name === 'button') : [undefined];
        for (const button of buttons) {
          const asked = read(
            kind,
            await send(own, form, { ...valuesOf(form, '', number), ...rowOf(form, button, spared) }),
          );
          for (const each of asked.forms) if (hasTexts(each)) await fillForm(own, each, kind);
        }
      }
    }
  };
  const crawl = async (own: ScreenBrowser, sends: boolean): Promise<void> => {
    const [seen, queue] = [new Set(START), [...START]];
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const opened = await own.open(path);
      const page = read(path, opened);
      if (sends) await sendForms(own, page.forms);
      const next = [...linksOf(page), ...(opened.location?.startsWith('/') === true ? [opened.location] : [])];
      for (const link of next) {
        if (seen.has(link) || seen.size >= MOST_PAGES || SKIPPED.test(link)) continue;
        seen.add(link);
        queue.push(link);
      }
    }
  };
  return { broken, stored, shown, fill, crawl };
}

const isText = ({ name, attributes: { type = 'text' } }: Tag): boolean =>
  name === 'textarea' || (name === 'input' && ['text', 'email', 'search', 'url', 'password', 'number'].includes(type));

const hasTexts = ({ inputs }: FoundForm): boolean => inputs.some(isText);

/** Values of a form: texts, cut to the length of the field. A select field gets its first non-empty option. */
function valuesOf({ inputs }: FoundForm, text: string, number: number): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  let select = '';
  for (const input of inputs) {
    const { name = '', type = '', value = '', maxlength = '' } = input.attributes;
    if (input.name === 'select') select = name;
    else if (input.name === 'option') values[select] ||= value;
    else if (input.name === 'button') continue;
    else if (isText(input) && type === 'password') values[name] = PLAIN['password'] ?? '';
    else if (isText(input)) values[name] = `${text.slice(0, (Number(maxlength) || 20_000) - 5)}${number}`;
    else if (type === 'hidden') values[name] = value;
    else if (type === 'checkbox' && !name.startsWith('row:')) values[name] = value;
  }
  return values;
}

function rowOf({ inputs }: FoundForm, button: Tag | undefined, spared: string): Readonly<Record<string, string>> {
  const row = inputs.find(({ attributes: { name = '' } }) => name.startsWith('row:') && name !== `row:${spared}`)
    ?.attributes['name'];
  return row === undefined || button === undefined ? {} : { [row]: 'on', action: button.attributes['value'] ?? '' };
}

function plainOf({ inputs }: FoundForm, names: readonly string[], name: string): Readonly<Record<string, string>> {
  const own = inputs.filter(({ attributes }) => names.includes(attributes['name'] ?? ''));
  return Object.fromEntries(
    own.map(({ attributes: { name: field = '', type = '' } }) => {
      if (type === 'email') return [field, `${name}@example.org`];
      return [field, PLAIN[type] ?? (field === 'username' ? `plain_${name.replaceAll(/\W/g, '')}` : '')];
    }),
  );
}

function boundaries({ tehsil = MARK }: Readonly<Record<string, string>>): File {
  const ring = [
    [81, 21],
    [81.1, 21],
    [81.1, 21.1],
    [81, 21],
  ];
  const [state = '', , district = ''] = TEXTS;
  const feature = {
    type: 'Feature',
    properties: { state, district, tehsil },
    geometry: { type: 'Polygon', coordinates: [ring] },
  };
  const name = `"><img src=x onerror=${MARK}()>.geojson`;
  return new File([JSON.stringify({ type: 'FeatureCollection', features: [feature] })], name);
}
