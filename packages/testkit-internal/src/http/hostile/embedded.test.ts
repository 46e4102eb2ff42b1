import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stores } from '@headwater/identity';
import { buildOperations, type Headwater } from '@headwater/http-service';
import { createImporters } from '@headwater/ingest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sized } from '../../../../../scripts/test-length.mjs';
import { createSampleService, SAMPLE_PIPELINES } from '../fixture/sample-service.ts';
import { embeddedHarness } from '../../stores/harness.ts';
import { expectHarmless } from './fetch-row.fixture.ts';

// Hostile requests are also sent to a service with an embedded database. Unlike memory stores, the database gets
// hostile texts as SQL parameters.
let harness: Awaited<ReturnType<typeof embeddedHarness>>;
let headwater: Headwater;
let scratchDir: string;
beforeAll(async () => {
  harness = await embeddedHarness();
  scratchDir = await mkdtemp(join(tmpdir(), 'hostile-imports-'));
  const imports = { importers: (stores: Stores) => createImporters({ stores, scratchDir }), scratchDir };
  headwater = await createSampleService({ stores: await harness.fresh(), imports });
  await headwater.start();
});
afterAll(async () => {
  await headwater.close();
  await harness.stop();
  await rm(scratchDir, { recursive: true, force: true });
});

it.each(buildOperations(SAMPLE_PIPELINES).map((row) => [row.id, row] as const))(
  '%s: hostile requests are refused if they are invalid, and delete neither the operator nor the runs',
  { timeout: 600_000 },
  async (_id, row) => {
    await expectHarmless(headwater, row, sized(10, 40));
    expect(await headwater.stores.users.byUsername('operator')).toMatchObject({ isSuperuser: true });
    expect((await headwater.stores.runs.list({ limit: 1, offset: 0 })).total).toBeGreaterThan(0);
  },
);
