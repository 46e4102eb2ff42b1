import { createHeadwater, createScryptHasher, toFetchHandler } from '@headwater/http-service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cpuTime } from '../../../../scripts/cpu-time.mjs';
import { createSampleService, SAMPLE_SECRET, SAMPLE_USERS } from './fixture/sample-service.ts';

const BASE = 'http://headwater.example';
const TOTAL = 100_000;
/** Limit of the processor time of a page, without the time of its database queries, ms. */
const MOST_MS = 5;

let close: () => Promise<void>;
let open: (path: string) => Promise<Response>;

// The stores return prepared pages, so that only the service's own time is measured.
beforeAll(async () => {
  const sample = await createSampleService();
  const { stores } = sample;
  const { operatorLists, runs, users } = stores;
  for (let at = 0; at < 50; at++) {
    const { id: ownerId } = await sample.accounts.createUser({ username: `reader_${at}`, password: 'tall-river-42' });
    const id = `0190a000-0000-7000-8000-${String(at + 100).padStart(12, '0')}`;
    await runs.enqueue({ id, pipeline: 'lulc', params: { tehsilId: 1 }, fingerprint: id, ownerId });
  }
  const part = { limit: 50, offset: 0 };
  const [listed, shown, queue, people, names] = await Promise.all([
    runs.list(part),
    operatorLists.runs(part),
    operatorLists.openWork(10),
    users.list(part),
    users.usernames(Array.from({ length: 60 }, (_, at) => at)),
  ]);
  const ready: typeof stores = {
    ...stores,
    runs: { ...runs, list: async () => ({ ...listed, total: TOTAL }) },
    users: { ...users, list: async () => ({ ...people, total: TOTAL }), usernames: async () => names },
    operatorLists: {
      ...operatorLists,
      runs: async () => ({ ...shown, total: TOTAL }),
      openWork: async () => queue,
    },
  };
  const hasher = createScryptHasher({ N: 1024, r: 8, p: 1 });
  const measured = createHeadwater({ baseUrl: BASE, secret: SAMPLE_SECRET, stores: ready, identity: { hasher } });
  const ask = toFetchHandler(measured.service);
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers({ accept: 'text/html', cookie });
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    const answer = await ask(new Request(BASE + path, { ...init, headers }));
    for (const line of answer.headers.getSetCookie()) cookies.set(...cookieOf(line));
    return answer;
  };
  const token = /name="token" value="([^"]*)"/.exec(await (await send('/login/')).text())?.[1] ?? '';
  const fields = new URLSearchParams({ ...SAMPLE_USERS.operator, token });
  const signedIn = await send('/login/', { method: 'POST', body: fields, headers: { origin: BASE } });
  if (signedIn.status !== 303) throw new Error(`the sign-in answered ${signedIn.status}`);
  open = send;
  close = async () => {
    await measured.close();
    await sample.close();
  };
});
afterAll(() => close());

function cookieOf(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  return [name, value];
}

it.each([
  ['/admin/runs/', `1 to 50 of ${TOTAL}`],
  ['/admin/users/', `1 to 50 of ${TOTAL}`],
  ['/api/v1/runs/?limit=50', `1 to 50 of ${TOTAL}`],
  ['/dashboard/', 'All runs'],
])('%s of 100,000 entries needs at most 5 ms of processor time, without its database queries', async (path, text) => {
  const shown = await open(path);
  expect([path, shown.status, await shown.text()]).toEqual([path, 200, expect.stringContaining(text)]);
  const times: number[] = [];
  for (let round = 0; round < 40; round++) times.push((await cpuTime(async () => (await open(path)).text())).ms);
  const ms = Math.min(...times);
  console.log(`${path}: ${ms.toFixed(1)} ms without its queries`);
  expect(ms).toBeLessThanOrEqual(MOST_MS);
});
