// Prints the time per request, us, that our service works in its own process, and the part of it that every bare host
// also does (parsing, validating, the response as text). Their difference is the work of features that bare hosts do
// not have. See decision 256.
import type { RequestBody } from '@headwater/http-service';
import { benchService } from './ours.ts';
import { extraHeaders, listing, ListQuery, PATHS, started, StartBody } from './shared.ts';
import type { IncomingMessage } from 'node:http';

const COUNT = 100_000;
const ROUNDS = 7;

const TEXT = JSON.stringify({
  state: 'Nadi Pradesh',
  district: 'East Nadi',
  block: 'Jal Gaon',
  start_year: 2021,
  end_year: 2023,
  eo_account_id: 1,
});
const BYTES = Buffer.from(TEXT);
// One row, because writing 40 rows takes most of the time on both sides.
const QUERY = 'limit=1&offset=80';
const HEADERS = { host: '127.0.0.1', 'user-agent': 'bench', accept: 'application/json' };
const POST_HEADERS = { ...HEADERS, 'content-type': 'application/json', 'content-length': String(BYTES.length) };
const NO_BODY: RequestBody = { kind: 'none' };
const BODY: RequestBody = {
  kind: 'stream',
  read: () => Promise.resolve(BYTES),
  chunks: () => {
    throw new Error('the body of a form is read as a whole');
  },
};
const { signal } = new AbortController();
const service = await benchService();

/** Shortest time of a call, us. */
async function microseconds(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const start = performance.now();
    for (let i = 0; i < COUNT; i++) await work();
    times.push(((performance.now() - start) * 1000) / COUNT);
  }
  return Math.min(...times.slice(1));
}

const executed = (method: string, url: string, body: RequestBody): unknown =>
  service.execute({
    method,
    url,
    headers: { ...(body === BODY ? POST_HEADERS : HEADERS) },
    body,
    remoteAddress: '127.0.0.1',
    signal,
  });

const asMessage = (): IncomingMessage => ({ headers: { ...HEADERS } }) as IncomingMessage;

const figures = {
  GET: {
    service: await microseconds(() => executed('GET', `${PATHS.public.list}?${QUERY}`, NO_BODY)),
    bare: await microseconds(() => [
      extraHeaders(asMessage()),
      JSON.stringify(listing(ListQuery.parse(Object.fromEntries(new URLSearchParams(QUERY))))),
    ]),
  },
  POST: {
    service: await microseconds(() => executed('POST', PATHS.public.start, BODY)),
    bare: await microseconds(() => [
      extraHeaders(asMessage()),
      JSON.stringify(started(StartBody.parse(JSON.parse(BYTES.toString())))),
    ]),
  },
};
for (const [method, { service: ours, bare }] of Object.entries(figures)) {
  const [whole, shared, own] = [ours, bare, ours - bare].map((each) => each.toFixed(2));
  console.log(`${method}: ${whole} us, of which a bare host also does ${shared} us; the rest is ${own} us`);
}
await service.close();
