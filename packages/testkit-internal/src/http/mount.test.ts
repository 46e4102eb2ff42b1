import { FEATURES, type Feature, toFetchHandler } from '@headwater/http-service';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSampleService } from './fixture/sample-service.ts';

const BASE = 'http://headwater.example/geo';

async function serviceWith(mount: readonly Feature[]) {
  const { service, close } = await createSampleService({ baseUrl: BASE, mount });
  onTestFinished(() => close());
  const handle = toFetchHandler(service);
  const read = async (path: string, accept = 'application/json'): Promise<Response> =>
    handle(new Request(`http://localhost${path}`, { headers: { accept } }));
  return { service, read };
}

/** Links to this service, as paths without the prefix. */
function ownLinks(text: string, isPage: boolean): readonly string[] {
  const hrefs = isPage
    ? Array.from(text.matchAll(/<a\b[^>]*\shref="([^"#?][^"]*)"/g), ([, href = '']) => href.replaceAll('&amp;', '&'))
    : Array.from(text.matchAll(/"rel":"[^"]*","href":"([^"]*)"|"href":"([^"]*)","rel"/g), ([, a, b]) => a ?? b ?? '');
  return hrefs
    .map((href) => new URL(href, `${BASE}/`))
    .filter(({ href }) => href.startsWith(`${BASE}/`))
    .map(({ pathname, search }) => pathname.slice('/geo'.length) + search);
}

describe.each<readonly [mount: readonly Feature[], starts: readonly string[]]>([
  [['stac-api'], ['/api/v1/stac-api/', '/api/v1/stac/']],
  [
    ['stac-api', 'public-data', 'reports'],
    ['/api/v1/stac-api/', '/api/v1/stac/', '/no-such-page/'],
  ],
  [
    ['discovery', 'system'],
    ['/', '/docs/'],
  ],
])('a service with %j', (mount, starts) => {
  it('has links only to addresses of mounted operations', async () => {
    const { service, read } = await serviceWith(mount);
    const [open, seen] = [[...starts], new Set<string>()];
    for (let path = open.pop(); path !== undefined && seen.size < 40; path = open.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      for (const accept of ['application/json', 'text/html']) {
        const answer = await read(path, accept);
        const type = answer.headers.get('content-type') ?? '';
        if (!/json|html/.test(type)) continue;
        const links = ownLinks(await answer.text(), type.startsWith('text/html'));
        expect(links.filter((link) => !service.owns(link)).map((link) => `${path} links ${link}`)).toEqual([]);
        open.push(...links);
      }
    }
    expect(seen.size).toBeGreaterThan(starts.length);
  });
});

it('the OpenAPI document names only operations of mounted features; other addresses return 404; health is always mounted', async () => {
  const { read } = await serviceWith(['system', 'public-data']);
  const { paths, tags } = (await (await read('/api/v1/openapi.json')).json()) as { paths: object; tags: object };
  const named = Object.keys(paths);
  expect(named).toContain('/api/v1/get_active_locations/');
  expect(named).toContain('/api/health');
  for (const other of [
    '/',
    '/login/',
    '/dashboard/',
    '/admin/',
    '/api/v1/auth/login/',
    '/api/v1/stac-api/',
    '/api/jobs',
  ]) {
    expect([other, (await read(other)).status, named.includes(other)]).toEqual([other, 404, false]);
  }
  expect(JSON.stringify(tags)).not.toContain('"auth"');
  const alone = await serviceWith(['regions']);
  expect((await alone.read('/api/health')).status).toBe(200);
  const reference = await alone.read('/docs/');
  expect(reference.status).toBe(404);
  expect(await reference.text()).not.toContain('GET /docs/');
  expect(await (await read('/nowhere/')).text()).toContain('GET /docs/ lists all addresses');
});

it('the first page and the reference link the documentation site if the service has it', async () => {
  for (const guide of [undefined, { open: async () => undefined }]) {
    const { service, close } = await createSampleService({ baseUrl: BASE, ...(guide && { guide }) });
    onTestFinished(() => close());
    for (const path of ['/', '/docs/', '/docs/plain/', '/?lang=hi']) {
      const answer = await toFetchHandler(service)(new Request(`http://localhost${path}`));
      const hasLink = (await answer.text()).includes('<a href="/geo/docs/guide/');
      expect([path, hasLink]).toEqual([path, guide !== undefined]);
    }
  }
});

it('every feature can be mounted alone, but dashboard and admin need the sign-in; the error for an unknown feature lists the known features', async () => {
  for (const feature of FEATURES) {
    const needsSignIn = feature === 'dashboard' || feature === 'admin';
    const { service } = await serviceWith(needsSignIn ? [feature, 'sign-in'] : [feature]);
    expect(service.paths).toContain('/api/health');
  }
  const wrong: Feature[] = JSON.parse('["stac"]');
  await expect(serviceWith(wrong)).rejects.toThrow(/mount\.0: .*"stac-api"/);
});
