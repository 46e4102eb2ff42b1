import { expect, it } from 'vitest';
import { mountedLinks } from './mounted-links.ts';

const filter = mountedLinks({ baseUrl: 'https://maps.example/geo', isMounted: (path) => path === '/stac/' });
const body =
  '{"links":[{"href":"https://maps.example/geo/stac/"},{"href":"https://maps.example/geo/other/"}],"area":0.0000001}';
const headers = { 'content-type': 'application/geo+json' };

it('removes links to operations that are not mounted from JSON texts', () => {
  expect(filter({ status: 200, headers, body })).toMatchObject({
    body: '{"links":[{"href":"https://maps.example/geo/stac/"}],"area":1e-7}',
  });
});

it('does not change a reply with a content-length header, because its body is a stored file', () => {
  const reply = { status: 200, headers: { ...headers, 'content-length': String(body.length) }, body };
  expect(filter(reply)).toBe(reply);
});
