import { createApiKeys } from '@headwater/identity';
import { toFetchHandler } from '@headwater/http-service';
import { sampleFrame, samplePlace } from '@headwater/sample-world';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../config/read-config.ts';
import { type SmallService, startSmallService } from '../small-service.fixture.ts';
import { pointInside, smokeTest, smokeTestCommand } from './smoke-test.ts';

const BASE = 'http://headwater.example.org';

let service: SmallService;
let apiKey: string;
beforeAll(async () => {
  service = await startSmallService({ places: [samplePlace(7, sampleFrame(4))] });
  const { stores } = service.headwater;
  const user = await stores.users.byUsername('asha');
  if (user === undefined) throw new Error('the service has no account');
  apiKey = (await createApiKeys({ stores, clock: { now: () => new Date() } }).generate({ kind: 'user', user })).text;
});
afterAll(() => service.close());

const run = async (key: string): Promise<{ readonly isGood: boolean; readonly lines: readonly string[] }> => {
  const lines: string[] = [];
  const handle = toFetchHandler(service.headwater.service);
  const isGood = await smokeTest({
    baseUrl: BASE,
    apiKey: key,
    place: undefined,
    fetch: (request) => handle(request),
    print: (line) => lines.push(line),
  });
  return { isGood, lines };
};

it('prints a line with status, time and path for each route, and the reason of each failure', async () => {
  const { isGood, lines } = await run(apiKey);
  expect(isGood).toBe(false);
  expect(lines).toHaveLength(11);
  for (const line of lines.slice(0, 10)) expect(line).toMatch(/^\d{3} +\d+ ms {2}\/api\/v1\/get_\w+\/(\?|$)/);
  expect(lines[0]).toMatch(/^200 .*get_active_locations\/$/);
  expect(lines.join('\n')).toMatch(/^200 .*get_mwsid_by_latlon\/\?latitude=/m);
  expect(lines.join('\n')).toMatch(/^404 .*get_mws_data\/.* {2}Data not found .*no time series of it is published/m);
  expect(lines.at(-1)).toMatch(/^\d of 10 routes of http:\/\/headwater\.example\.org answered with the status 200$/);
});

it('reports a refused key with the status and the reason of the service', async () => {
  const { isGood, lines } = await run('not-a-key');
  expect(isGood).toBe(false);
  expect(lines[0]).toMatch(/^401 .*get_active_locations\/ {2}Authentication failed$/);
  expect(lines).toEqual([
    lines[0],
    'the other nine routes were not read, because the list of active locations could not be read',
  ]);
});

it('prints one line, with the reason, for a response with the status 200 that is not JSON', async () => {
  const lines: string[] = [];
  const isGood = await smokeTest({
    baseUrl: BASE,
    apiKey,
    place: undefined,
    fetch: async () => new Response('<html>a proxy</html>'),
    print: (line) => lines.push(line),
  });
  expect(isGood).toBe(false);
  expect(lines[0]).toMatch(/^200 .*get_active_locations\/ {2}the response is not JSON: <html>a proxy<\/html>$/);
  expect(lines).toHaveLength(2);
});

it('refuses a call without a key; the message names the variable and the page that creates a key', async () => {
  await expect(smokeTestCommand(readConfig({}), [])).rejects.toThrow(
    /^PUBLIC_API_X_API_KEY: is not set; sign in at http:\/\/localhost:8000\/login\/, create an API key/,
  );
});

it('finds a point inside of concave areas and outside of holes', () => {
  const ring = (...corners: readonly (readonly [number, number])[]): number[][] =>
    [...corners, corners[0] ?? [0, 0]].map(([x, y]) => [x, y]);
  const hook = ring([0, 0], [10, 0], [10, 10], [0, 10], [0, 9], [9, 9], [9, 1], [0, 1]);
  expect(pointInside({ type: 'Polygon', coordinates: [hook] })).toEqual([9.5, 5]);
  const [outer, hole] = [ring([0, 0], [10, 0], [10, 10], [0, 10]), ring([4, 4], [6, 4], [6, 6], [4, 6])];
  expect(pointInside({ type: 'Polygon', coordinates: [outer, hole] })).toEqual([2, 5]);
});
