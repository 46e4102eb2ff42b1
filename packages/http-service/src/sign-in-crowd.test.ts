import { expect, it } from 'vitest';
import { toFetchHandler } from './fetch-handler.ts';
import { createHeadwater } from './headwater.ts';

it('a crowd that signs in at once is told 503 and when to come again; who came first is answered', async () => {
  const gate = Promise.withResolvers<void>();
  let running = 0;
  const hasher = {
    hash: async () => 'decoy',
    verify: async () => {
      running += 1;
      expect(running).toBeLessThanOrEqual(2);
      await gate.promise;
      running -= 1;
      return false;
    },
  };
  const { service } = createHeadwater({ baseUrl: 'http://localhost', secret: 's3cret '.repeat(5), hasher });
  const handler = toFetchHandler(service);
  const attempt = (index: number): Promise<Response> => {
    const body = JSON.stringify({ username: `name${index}`, password: 'x' });
    const headers = { 'content-type': 'application/json' };
    const request = new Request('http://localhost/api/v1/auth/login/', { method: 'POST', headers, body });
    return handler(request, { remoteAddress: `10.0.${index}.1` });
  };
  const crowd = Array.from({ length: 100 }, (_, index) => attempt(index));
  const refused = await Promise.race(crowd);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await refused.json()).toMatchObject({
    code: 'unavailable',
    detail: expect.stringContaining('try again in 5 s'),
  });
  gate.resolve();
  const statuses = (await Promise.all(crowd)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([401, 503]));
  expect(statuses.filter((status) => status === 401)).toHaveLength(2 + 64);
});
