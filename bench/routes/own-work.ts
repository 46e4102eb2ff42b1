// Prints the time per request, us, that our service works in its own process, and the part of it that every bare host
// also does (parsing, validating, the response as text). Their difference is the work of features that bare hosts do
// not have. Start: `node --conditions=@headwater/source bench/routes/own-work.ts`. See decision 256.
import type { RequestBody } from '@headwater/http-service';
import { benchService } from './ours.ts';
import { extraHeaders, listing, ListQuery, PATHS, START_TEXT, started, StartBody } from './shared.ts';
import type { IncomingMessage } from 'node:http';

const COUNT = 100_000;
const ROUNDS = 7;

const BYTES = Buffer.from(START_TEXT);
// One row, because writing 40 rows takes most of the time on both sides.
const QUERY = 'limit=1&offset=80';
const HEADERS = { host: '127.0.0.1', 'user-agent': 'bench', accept: 'application/json' };
const POST_HEADERS = { ...HEADERS, 'content-type': 'application/json', 'content-length': String(BYTES.length) };
const NO_BODY: RequestBody = { kind: 'none' };
const BODY: RequestBody = {
  kind: 'stream',
  read: () => Promise.resolve(BYTES),
  chunks: () => {
    throw new Error('a JSON body is read as a whole');
  },
};
const { signal } = new AbortController();
const service = await benchService();

/** Mean time of a call of each side in its fastest round, us. The sides take turns. */
async function microseconds(sides: readonly (() => unknown)[]): Promise<readonly number[]> {
  const fastest = sides.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [side, work] of sides.entries()) {
      const start = performance.now();
      for (let i = 0; i < COUNT; i++) await work();
      // The first round warms up.
      const mean = ((performance.now() - start) * 1000) / COUNT;
      if (round > 0) fastest[side] = Math.min(fastest[side]!, mean);
    }
  }
  return fastest;
}

const executed = async (method: 'GET' | 'POST', url: string, status: number): Promise<void> => {
  const isPost = method === 'POST';
  const response = await service.execute({
    method,
    url,
    headers: { ...(isPost ? POST_HEADERS : HEADERS) },
    body: isPost ? BODY : NO_BODY,
    remoteAddress: '127.0.0.1',
    signal,
  });
  if (response.status !== status) throw new Error(`${method} ${url}: status ${response.status} instead of ${status}`);
};

const asMessage = (): IncomingMessage => ({ headers: { ...HEADERS } }) as IncomingMessage;

const figures = {
  GET: await microseconds([
    () => executed('GET', `${PATHS.public.list}?${QUERY}`, 200),
    () => [
      extraHeaders(asMessage()),
      JSON.stringify(listing(ListQuery.parse(Object.fromEntries(new URLSearchParams(QUERY))))),
    ],
  ]),
  POST: await microseconds([
    () => executed('POST', PATHS.public.start, 202),
    () => [extraHeaders(asMessage()), JSON.stringify(started(StartBody.parse(JSON.parse(BYTES.toString()))))],
  ]),
};
for (const [method, [ours = 0, bare = 0]] of Object.entries(figures)) {
  const [whole, shared, own] = [ours, bare, ours - bare].map((each) => each.toFixed(2));
  console.log(`${method}: ${whole} us, of which a bare host also does ${shared} us; the rest is ${own} us`);
}
await service.close();
