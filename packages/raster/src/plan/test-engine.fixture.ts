import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PixelEngine } from '@headwater/core';
import type { PlanOutcome } from '@headwater/core/ports';
import { afterAll } from 'vitest';
import { createPixelEngine } from '../engine.ts';
import { readDump } from './test-plans.fixture.ts';

/** Engine for the tests of a file, with a temporary folder. */
export interface TestEngine {
  readonly engine: PixelEngine;
  readonly folder: string;
  readonly scratchDir: string;
  /** Reads the plane that `dumpSeries` wrote. */
  readonly dump: (outcome: PlanOutcome, name: string) => Promise<Int16Array>;
}

/**
 * Creates the engine. The default is one thread, because in small plans the start of threads takes most of the time.
 */
export function testEngine(threads = 1): TestEngine {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-plan-'));
  const scratchDir = join(folder, 'scratch');
  const engine = createPixelEngine({ scratchDir, threads });
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    engine,
    folder,
    scratchDir,
    dump: (outcome, name) => readDump(outcome, name, (key) => join(scratchDir, `${key}.u8`)),
  };
}
