import { EXAMPLE_ITEM, EXAMPLE_RUN, EXAMPLE_TABLE, EXAMPLE_UID, type Headwater } from '@headwater/http-service';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createSampleService, SAMPLE_USERS } from './fixture/sample-service.ts';
import {
  createScreenBrowser,
  type Fields,
  formFields,
  hiddenFields,
  type ScreenBrowser,
} from './suite/screen-browser.ts';
import { createPipelines } from '@headwater/server';
import { signInBrowser } from './suite/screens.ts';
import { fetchTarget } from '@headwater/testkit/http';
import type { RunningHost } from './targets/target.ts';

// A new language needs only an entry in the list of languages. The test language has the English texts in brackets.
vi.mock('../../../http-service/src/wire/languages.ts', async (original) => {
  const { LANGUAGE_FACTS } = await original<{ readonly LANGUAGE_FACTS: object }>();
  const { CATALOGUE } = await vi.importActual<{
    readonly CATALOGUE: Readonly<Record<string, { readonly en: string }>>;
  }>('../../../http-service/src/pages/catalogue.ts');
  const texts = Object.fromEntries(Object.entries(CATALOGUE).map(([name, { en }]) => [name, `⟦${en}⟧`]));
  return { LANGUAGE_FACTS: { ...LANGUAGE_FACTS, qaa: { link: '⟦In brackets⟧', dates: 'qaa', numbers: 'qaa', texts } } };
});

const CATALOG = '/api/v1/stac/';
const BLOCK = `${CATALOG}sample_state/sample_district/sample_tehsil/`;
const TABLES = '/api/v1/tables/sample_state/sample_district/sample_tehsil/';
const PLACE = 'state=Sample+State&district=Sample+District&tehsil=Sample+Tehsil';
const BLOCK_QUERY = 'state=sample_state&district=sample_district&block=sample_tehsil';

const PUBLIC = [
  '/',
  '/places/',
  '/places/?q=sample',
  '/places/?q=nowhere',
  '/computations/',
  CATALOG,
  `${CATALOG}sample_state/`,
  `${CATALOG}sample_state/sample_district/`,
  BLOCK,
  `${BLOCK}items/${EXAMPLE_ITEM}/`,
  TABLES,
  `${TABLES}${EXAMPLE_TABLE}/`,
  '/api/v1/regions/',
  `/api/v1/generate_tehsil_report/?${BLOCK_QUERY}`,
  `/api/v1/generate_mws_report/?${BLOCK_QUERY}&uid=${EXAMPLE_UID}`,
  '/login/',
  '/register/',
];

const OWN = [
  '/logout/',
  '/dashboard/',
  '/dashboard/password/',
  '/dashboard/downloads/',
  '/dashboard/compute/',
  `/dashboard/compute/?${PLACE}`,
  `/dashboard/compute/?${PLACE}&layer=lulc_for_tehsil`,
  `/dashboard/compute/?${PLACE}&layer=lulc_for_tehsil&start_year=2021&end_year=2022&eo_account_id=1&check=1`,
  '/api/v1/runs/',
  `/api/v1/runs/${EXAMPLE_RUN}/`,
];

const inBrackets = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}lang=qaa`;

const DATA = [
  // Products, a version, and names of the sample.
  /Headwater( Spatio Temporal Asset Catalog| 0\.0\.0)?|^Node\.js$/g,
  /Sample (State|District|Tehsil|Tank|layer 2021|raster|vector)|Vector 2021-2022|Admin Boundary|\bMWS\b/g,
  /\b(operator|test_user_0042|someone_else|sample data|retired|old@example\.org)\b/g,
  // Names of groups, and lines of a log.
  /\b(Organization Admin|Project Manager|Member)\b|^\d\d:\d\d:\d\d .*$|^(an example line|state (queued|success|running .*))$/g,
  // Identifiers, licences, kinds of files and sizes.
  /\b\w+_\w+\b|\b[0-9a-f]{8}[0-9a-f-]*|CC-BY-4\.0/g,
  /\b(GeoTIFF|geojson|COG|CSV|JSON|WFS|xlsx|kB|local|fixture|validate|state-1)\b/g,
  // Dates in the browser's language.
  /\b(Jan(uary)?|Feb(ruary)?|Mar(ch)?|Apr(il)?|May|June?|July?|Aug(ust)?|Sep(tember)?|Oct(ober)?|Nov(ember)?|Dec(ember)?) \d+, \d{4}|\bUTC\b/g,
  // Texts of the sample's layer and tables.
  /\(raster\),|^(Built-up|Raster layer|Synthetic result for suites that need a published Item\.)$/g,
  /\b(uid|id|row|samples|note|village ids|latitude|longitude|mws|terrain|dem)\b/g,
  /^(Micro-watershed|ha|Area|A remark|Villages that it touches)$/,
  // Untranslated messages of the API about health and about addresses, and a menu of QGIS.
  /^(in memory, lost with the process|not started: runs are stored and wait|no pixel engine is configured)$/,
  /^(sources of scenes are not checked|free space is not measured|folders are not checked)$/,
  /^State collection not found: nowhere$/,
  /Layer › Add Layer › Add Raster Layer…/,
] as const;

/** Untranslated texts of a page: those outside of the brackets and not matched by `DATA`. */
function plainTexts(page: string): readonly string[] {
  const html = page
    .replace(/<(style|script|pre|code|svg)\b[\s\S]*?<\/\1\s*>/g, ' ')
    .replace(/<meta name="viewport"[^>]*>/g, ' ')
    .replace(/<a\b[^>]*\bhreflang=[\s\S]*?<\/a\s*>/g, ' ');
  const named = /\b(?:alt|title|aria-label|placeholder|content|data-copy|data-live|data-away)="([^"]*)"/g;
  const attributes = [...html.matchAll(named)].map(([, text = '']) => text);
  const texts = [...attributes, ...html.replace(/<[^>]*>/g, '\n').split('\n')].map((text) => text.trim());
  const left = texts.filter((text) => /\p{L}{2}/u.test(withoutData(outside(text).trim())));
  return [...new Set(left)];
}

/** Innermost brackets are removed first, because translated texts may be nested. */
function outside(text: string): string {
  const next = text.replace(/⟦[^⟦⟧]*⟧/g, ' ');
  return next === text ? text : outside(next);
}

const withoutData = (text: string): string =>
  DATA.reduce((left, data) => left.replace(data, ' ').trim(), text.replace(/&[#\w]+;/g, ' ').trim());

let [service, host]: [Headwater | undefined, RunningHost | undefined] = [undefined, undefined];
beforeAll(async () => {
  service = await createSampleService({ adminResources: () => [], pipelines: createPipelines() });
  host = await fetchTarget.start({ mounts: [{ service: service.service, prefix: '' }] });
});
afterAll(async () => {
  await service?.close();
  await host?.close();
});

const signedIn = async (user: Fields): Promise<ScreenBrowser> => {
  const own = createScreenBrowser(host?.url ?? '');
  await signInBrowser(own, { username: user['username'] ?? '', password: user['password'] ?? '' });
  return own;
};

async function look(own: ScreenBrowser, path: string, status = 200): Promise<string> {
  const page = await own.open(inBrackets(path));
  expect([path, page.status, plainTexts(page.body)]).toEqual([path, status, []]);
  return page.body;
}

async function refused(own: ScreenBrowser, path: string, fields: Fields): Promise<void> {
  const { body, status } = await own.post(inBrackets(path), fields);
  expect([path, fields, status, plainTexts(body)]).toEqual([path, fields, 400, []]);
  expect(body).toContain('⟦');
}

it.each(PUBLIC)('the page %s is in the third language', async (path) => {
  await look(createScreenBrowser(host?.url ?? ''), path);
});

it('the page of an error is in the third language', async () => {
  await look(createScreenBrowser(host?.url ?? ''), `${CATALOG}nowhere/`, 404);
});

it('the pages of a user are in the third language', async () => {
  const owner = await signedIn(SAMPLE_USERS.owner);
  for (const path of OWN) await look(owner, path);
  const checked = await owner.open(OWN.find((path) => path.endsWith('&check=1')) ?? '');
  const estimate = await owner.post(inBrackets('/dashboard/compute/'), formFields(checked, 'check', true));
  expect([estimate.status, plainTexts(estimate.body)]).toEqual([200, []]);
  expect(estimate.body).toContain('id="estimate"');
  const layers = await look(owner, `/dashboard/compute/?${PLACE}`);
  for (const [, layer = ''] of layers.matchAll(/[?&;]layer=(\w+)/g))
    await look(owner, `/dashboard/compute/?${PLACE}&layer=${layer}`);
});

it('the pages of the admin are in the third language', async () => {
  const operator = await signedIn(SAMPLE_USERS.operator);
  const index = await look(operator, '/admin/');
  await look(operator, '/admin/places/import/');
  const lists = [...index.matchAll(/<h3><a href="(\/admin\/[\w-]+\/)\?/g)].map(([, list = '']) => list);
  expect(lists.length).toBeGreaterThan(12);
  for (const list of lists) {
    const shown = await look(operator, list);
    if (shown.includes(`${list}add/`)) await look(operator, `${list}add/`);
    const row = new RegExp(`href="(${list}(?!add/)[^"?/]+/)\\?`).exec(shown)?.[1];
    if (row === undefined) continue;
    const page = await look(operator, row);
    for (const [, action = ''] of page.matchAll(/action="(\/admin\/[^"]+\/actions\/[^"?]+)/g)) {
      const asked = await operator.open(inBrackets(action));
      expect([action, plainTexts(asked.body)]).toEqual([action, []]);
    }
  }
});

it('refused forms have their reasons in the third language', async () => {
  const visitor = createScreenBrowser(host?.url ?? '');
  const form = hiddenFields((await visitor.open(inBrackets('/register/'))).body);
  const faulty = [
    { username: '', password: '', email: 'x' },
    { username: 'a b', password: '12345678', password_confirm: 'x', email: `${'x'.repeat(300)}@y` },
    { username: 'test_user_0042', password: 'password', password_confirm: 'password' },
    { username: 'newcomer', password: 'Newcomer1', password_confirm: 'Newcomer1', organization: 'none' },
    { username: 'раypal', password: 'tall-river-42', password_confirm: 'tall-river-42' },
    { username: 'x'.repeat(151), first_name: 'x'.repeat(151), password: 'short' },
  ];
  for (const fields of faulty) await refused(visitor, '/register/', { ...form, ...fields });
  const owner = await signedIn(SAMPLE_USERS.owner);
  const { token = '' } = hiddenFields((await owner.open('/dashboard/')).body);
  await refused(owner, '/dashboard/keys/', { token, expiry_days: 'x' });
  const [old_password, good] = [SAMPLE_USERS.owner.password, 'tall-river-42'];
  for (const [old, text, again] of [
    ['wrong', good, good],
    [old_password, good, 'other'],
    [old_password, old_password, old_password],
    [old_password, '1', '1'],
  ] as const)
    await refused(owner, '/dashboard/password/', {
      token,
      old_password: old,
      new_password: text,
      confirm_password: again,
    });
  const compute = `/dashboard/compute/?${PLACE}&layer=lulc_for_tehsil&check=1`;
  for (const years of ['start_year=x&end_year=y', 'start_year=1990&end_year=2090', 'start_year=2022&end_year=2020']) {
    await look(owner, `${compute}&${years}&eo_account_id=1`, 400);
    await look(owner, `${compute}&${years}`, 400);
  }
});

it('refused forms of the admin have their reasons in the third language', async () => {
  const operator = await signedIn(SAMPLE_USERS.operator);
  const add = async (list: string, ...forms: readonly Fields[]): Promise<void> => {
    const { token = '' } = hiddenFields((await operator.open(`/admin/${list}/add/`)).body);
    for (const fields of forms) {
      const { status, body } = await operator.post(inBrackets(`/admin/${list}/add/`), { token, ...fields });
      expect([list, fields, status, plainTexts(body)]).toEqual([list, fields, status === 409 ? 409 : 400, []]);
    }
  };
  await add('users', {}, { username: 'x'.repeat(151) }, { username: 'a b', email: 'x', password: '1234567' });
  await add('users', { username: SAMPLE_USERS.owner.username, password: 'tall-river-42' });
  await add('organizations', {}, { name: 'x'.repeat(151) }, { name: '\u202e' });
  await add('projects', {}, { name: 'a', organization: 'nowhere' });
  await add('eo-accounts', {}, { name: 'a', platform: 'x' }, { name: 'a', platform: 'local', account_email: 'x' });
  const { token = '' } = hiddenFields((await operator.open('/admin/users/3/')).body);
  await refused(operator, '/admin/users/3/actions/disable/', { token, confirmed: 'yes' });
});
