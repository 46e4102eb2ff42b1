import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildOperations, toFetchHandler, type Headwater, type Operation } from '@headwater/http-service';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { realPixels, type RealPixels } from '../fixture/real-pixels.ts';
import { createSampleService, SAMPLE_PIPELINES, SAMPLE_USERS } from '../fixture/sample-service.ts';
import { createProbes } from '../probes/index.ts';
import { seedOf } from '../suite/hostile.ts';
import { hostileRequest, type HostileRequest } from './request.ts';
import { judge, OUTSIDE } from './verdict.ts';

/** More of them, and others each time: `HEADWATER_FUZZ=5000 npm test -- packages/testkit/src/http/hostile`. */
const MORE = process.env['HEADWATER_FUZZ'];

let pixels: RealPixels;
let headwater: Headwater;
beforeEach(async () => {
  pixels = await realPixels();
  for (const name of ['outside.txt', 'passwd']) await writeFile(join(pixels.folder, name), OUTSIDE);
  const { operations, tags } = createProbes();
  headwater = await createSampleService({ compute: pixels.compute, operations, tags });
  headwater.start();
});
afterEach(async () => {
  await headwater.close();
  await pixels.remove();
});

/** The headers by which a user calls a row: whoever owns the sample, and whoever may do everything. */
async function credentials({ auth }: Operation): Promise<readonly Readonly<Record<string, string>>[]> {
  if (auth === 'public') return [{}];
  const users = [SAMPLE_USERS.owner, SAMPLE_USERS.operator];
  return await Promise.all(
    users.map(async (user) => {
      const { access, user: known } = await headwater.accounts.login(user, undefined);
      if (auth !== 'apiKey') return { authorization: `Bearer ${access}` };
      return { 'x-api-key': (await headwater.apiKeys.generate({ kind: 'user', user: known })).text };
    }),
  );
}

async function expectHarmless(row: Operation): Promise<void> {
  const handler = toFetchHandler(headwater.service);
  const owners = await credentials(row);
  let asked = 0;
  const send = async (request: HostileRequest): Promise<void> => {
    asked += 1;
    const { method, target, body } = request;
    const headers = { ...request.headers, ...owners[asked % owners.length] };
    const init = { method, headers, ...(body === undefined ? {} : { body: Uint8Array.from(body) }) };
    // Of another address each time: sign-ins are limited by it.
    const context = { remoteAddress: `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}` };
    const answer = await handler(new Request(`http://headwater.example${target}`, init), context);
    expect(answer.headers.get('x-request-id')).not.toBeNull();
    judge(request, { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() });
  };
  const runs = MORE === undefined ? { numRuns: 120, seed: seedOf(row) } : { numRuns: Number(MORE) };
  await fc.assert(fc.asyncProperty(hostileRequest(row), send), runs);
  expect(asked).toBeGreaterThanOrEqual(runs.numRuns);
}

it.each(buildOperations(SAMPLE_PIPELINES).map((row) => [row.id, row] as const))(
  '%s: hostile requests are refused, and do no harm',
  { timeout: 600_000 },
  (_id, row) => expectHarmless(row),
);

/** Rows that take files and forms, of the suite's own. */
const TAKING = ['/probe/parts/', '/probe/form/', '/probe/raw/'];
it.each(
  createProbes()
    .operations.filter(({ path }) => TAKING.includes(path))
    .map((row) => [row.path, row] as const),
)('%s: hostile files are refused, and do no harm', (_path, row) => expectHarmless(row));
