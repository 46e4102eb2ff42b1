import { buildOperations } from '@headwater/http-service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../../../../scripts/test-length.mjs';
import { SAMPLE_PIPELINES } from '../http/fixture/sample-service.ts';
import { changes } from './database-state.ts';
import { type StatementFault, WIRE_FAULTS } from './faulty-wire.ts';
import { createPostgresWorld, type PostgresOutcome, type PostgresWorld } from './postgres-world.fixture.ts';
import type { RowRequest } from './requests.fixture.ts';

/**
 * Makes statements fail on PostgreSQL: ended sessions, timeouts and serialization failures. `HEADWATER_LONG=on` tries
 * all statements.
 */

const address = process.env['HEADWATER_TEST_PG'] ?? '';
if (address === '')
  console.log(
    'skipped: statements that fail on PostgreSQL. HEADWATER_TEST_PG is not set; `npm run test:postgres` sets it',
  );
const seed = Number(process.env['HEADWATER_SEED'] ?? 23);

const ROWS = buildOperations(SAMPLE_PIPELINES).map(({ id }) => id);
/** In a short run: number of operations, and number of faults per request. */
const [SHORT_ROWS, SHORT_FAULTS] = [30, 2];
const [LONG_MS, SHORT_MS] = [1_200_000, 120_000];
const chance = randomNumbers(seed);
const chosen = isLong ? ROWS : sample(ROWS, SHORT_ROWS);
if (address !== '' && !isLong) {
  const left = ROWS.length - chosen.length;
  console.log(
    `seed ${seed}: only npm run test:long tries ${left} of ${ROWS.length} operations, and most statements of the others`,
  );
}

const SIGNS_IN_LATER = 'the account exists, and its user signs in on the sign-in page';
const COUNTED = 'a page of Items omits the total if counting takes too long';

/** Reasons why symptoms are correct, by `operation: symptom`. */
const ALLOWED: Readonly<Record<string, string>> = {
  'getFirstPage: returns another body':
    'the first page is served without the database too, and reports that the database is unavailable',
  'listComputations: returns another body':
    'if the place names of this service cannot be read, the commands have the names of the examples',
  'registerByForm: returns 303, but changed organizations 2, users 4 instead of organizations 2, page_sessions 3, users 4':
    SIGNS_IN_LATER,
  'getMetrics: returns another body': 'the metrics are different in each response',
  'getHealth: then returns 503': 'the health report is cached for some seconds',
  'searchStacItems: returns another body': COUNTED,
  'searchStacItemsByBody: returns another body': COUNTED,
  'listStacItems: returns another body': COUNTED,
  'generateStatsExcelFile: returns an aborted response':
    'a workbook is sent while it is read; an error in a later sheet aborts the transfer',
  'downloadExcelLayer: returns an aborted response':
    'a workbook is sent while it is read; an error in a later sheet aborts the transfer',
};
/** Operations that may do only some of their writes, each with the reason. */
const IN_PARTS: Readonly<Record<string, string>> = {
  register: 'an organisation of a new name stays; the next request finds it by name',
  registerByForm: SIGNS_IN_LATER,
  importFile: 'the import run is stored in one transaction before its data, and in another one after them',
};

describe.skipIf(address === '')('a statement that fails on PostgreSQL', () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  let world: PostgresWorld;

  beforeAll(async () => {
    process.on('unhandledRejection', note).on('uncaughtException', note);
    world = await createPostgresWorld(address, 'headwater_faults');
  });
  afterAll(async () => {
    await world.close();
    process.off('unhandledRejection', note).off('uncaughtException', note);
  });

  const problemsOf = async (request: RowRequest): Promise<readonly string[]> => {
    const cold = await world.send(request);
    const again = await world.send(request);
    await world.reset();
    const clean = await world.send(request);
    await world.reset();
    if (clean.answer?.status !== request.status) return [`${request.name}: returns ${clean.answer?.status}`];
    const problems: string[] = [];
    for (const fault of faultsOf(clean)) {
      const found = await symptomsOf(request, fault, { cold, clean, again });
      const text = (clean.statements[fault.nth] ?? '').replaceAll(/\s+/g, ' ').slice(0, 80);
      const wrong = found.filter((symptom) => ALLOWED[`${request.row.id}: ${symptom}`] === undefined);
      problems.push(...wrong.map((symptom) => `${request.name}: ${fault.kind} at ${fault.nth} "${text}": ${symptom}`));
      await world.reset();
    }
    return problems;
  };

  const symptomsOf = async (request: RowRequest, fault: StatementFault, known: Known): Promise<readonly string[]> => {
    const { clean, cold, again } = known;
    const before = { closing: world.closing(), signals: world.signals(), unhandled: unhandled.length };
    const outcome = await world.send(request, fault);
    const [done, all] = [changes(world.first, outcome.state), changes(world.first, clean.state)];
    const isWhole = done === '' || done === all || IN_PARTS[request.row.id] !== undefined;
    const status = outcome.answer?.status;
    const isSame = cold.answer?.body !== clean.answer?.body || outcome.answer?.body === clean.answer?.body;
    const next = (await world.send(request)).answer?.status;
    const wanted = done === '' ? clean.answer?.status : again.answer?.status;
    return [
      ...outcome.left.map((what) => `leaves ${what}`),
      ...(world.closing() > before.closing ? ['leaves a listener of the closing service'] : []),
      ...(world.signals() > before.signals ? ['leaves a listener of a request'] : []),
      ...unhandled.slice(before.unhandled).map((error) => `leaves ${String(error)} unhandled`),
      ...(isWhole ? [] : [`changed only ${done} of ${all}`]),
      ...(status === undefined ? ['returns an aborted response'] : []),
      ...(status !== undefined && status !== 503 && status !== request.status ? [`returns ${status}`] : []),
      ...(status === request.status && !isSame ? ['returns another body'] : []),
      ...(status === request.status && done !== all
        ? [`returns ${status}, but changed ${done} instead of ${all}`]
        : []),
      ...(next === wanted || IN_PARTS[request.row.id] !== undefined ? [] : [`then returns ${next}`]),
    ];
  };

  it.each(chosen)('%s', { timeout: isLong ? LONG_MS : SHORT_MS }, async (id) => {
    const problems: string[] = [];
    for (const request of world.requests.filter(({ row }) => row.id === id))
      problems.push(...(await problemsOf(request)));
    expect(problems).toEqual([]);
  });
});

/** Outcomes of the first request (`cold`), of its repetition (`again`), and of a request after a reset (`clean`). */
type Known = Readonly<Record<'cold' | 'clean' | 'again', PostgresOutcome>>;

function faultsOf({ statements }: PostgresOutcome): readonly StatementFault[] {
  const all = statements.flatMap((_text, nth) => WIRE_FAULTS.map((kind) => ({ nth, kind })));
  return isLong ? all : sample(all, SHORT_FAULTS);
}

function sample<T>(of: readonly T[], most: number): readonly T[] {
  const drawn = of.map((each, at) => ({ each, at, rank: chance() })).toSorted((a, b) => a.rank - b.rank);
  return drawn
    .slice(0, most)
    .toSorted((a, b) => a.at - b.at)
    .map(({ each }) => each);
}

/** Generates numbers in [0, 1) by seed (mulberry32). */
function randomNumbers(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
