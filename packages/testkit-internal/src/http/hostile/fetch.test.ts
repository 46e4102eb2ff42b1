import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stores } from '@headwater/identity';
import { buildOperations, type Headwater } from '@headwater/http-service';
import { createImporters } from '@headwater/ingest';
import { afterEach, beforeEach, it } from 'vitest';
import { sized } from '../../../../../scripts/test-length.mjs';
import { realPixels, type RealPixels } from '../fixture/real-pixels.ts';
import { createSampleService, SAMPLE_PIPELINES } from '../fixture/sample-service.ts';
import { createProbes } from '@headwater/testkit/http';
import { expectHarmless } from './fetch-row.fixture.ts';
import { OUTSIDE } from '../suite/hostile.ts';

// Shared by all services, because it takes long to create the operations.
const { operations, tags } = createProbes();
let pixels: RealPixels;
let headwater: Headwater;
beforeEach(async () => {
  pixels = await realPixels();
  for (const name of ['outside.txt', 'passwd']) await writeFile(join(pixels.folder, name), OUTSIDE);
  const scratchDir = join(pixels.folder, 'scratch');
  const imports = { importers: (stores: Stores) => createImporters({ stores, scratchDir }), scratchDir };
  headwater = await createSampleService({ compute: pixels.compute, operations, tags, imports });
  await headwater.start();
});
afterEach(async () => {
  await headwater.close();
  await pixels.remove();
});

it.each(buildOperations(SAMPLE_PIPELINES).map((row) => [row.id, row] as const))(
  '%s: hostile requests are refused if they are invalid, and cause no harm',
  { timeout: 600_000 },
  (_id, row) => expectHarmless(headwater, row, sized(30, 120)),
);

/** Test operations for files and forms. */
const UPLOAD_PATHS = ['/probe/parts/', '/probe/form/', '/probe/raw/'];
it.each(operations.filter(({ path }) => UPLOAD_PATHS.includes(path)).map((row) => [row.path, row] as const))(
  '%s: hostile files are refused if they are invalid, and cause no harm',
  (_path, row) => expectHarmless(headwater, row, sized(30, 120)),
);
