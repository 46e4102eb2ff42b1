import { afterAll, beforeAll, describe } from 'vitest';
import { type Bench, openBench, type Target } from './bench.test-helper.ts';
import { failures } from './failures.test-helper.ts';
import { protocol } from './protocol.test-helper.ts';
import { refusals } from './refusals.test-helper.ts';
import { runs } from './runs.test-helper.ts';

/** Longest start of a target, ms. */
const START_MS = 240_000;

/** The one suite that a real orchestrator and the fake pass alike. */
export function conformance(name: string, start: () => Promise<Target>): void {
  describe(name, () => {
    let opened: Bench;
    const bench = (): Bench => opened;
    beforeAll(async () => {
      opened = await openBench(start);
    }, START_MS);
    afterAll(() => opened.close());
    runs(bench);
    failures(bench);
    refusals(bench);
    protocol(bench);
  });
}
