import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Run } from '@headwater/core';
import { WORKER_DEFAULTS } from '@headwater/core/runs';
import type { Stores } from '@headwater/identity';
import { SAMPLE_PLACE, SAMPLE_YEARS } from '@headwater/sample-world';
import { expect } from 'vitest';
import type { Client } from './client.ts';

/** Number of Items of the sample after a start. */
const SAMPLE_ITEMS = SAMPLE_YEARS.length + 6;

/** A run as the service returns it. */
export interface RunBody {
  readonly run_id: string;
  readonly state: Run['state'];
  readonly progress: number;
  readonly attempt: number;
}

const allRuns = async ({ runs }: Stores): Promise<readonly Run[]> => (await runs.list({ limit: 1000, offset: 0 })).runs;

/**
 * Checks and returns all runs, which must include `promised`. Only cancelled runs, and runs whose server was killed in
 * three attempts, may have failed.
 */
export async function checkRuns(stores: Stores, promised: ReadonlySet<string>): Promise<readonly Run[]> {
  const runs = await allRuns(stores);
  const ids = new Set(runs.map(({ id }) => id));
  expect(
    [...promised].filter((id) => !ids.has(id)),
    'promised runs that were lost',
  ).toEqual([]);
  const failed = runs.filter(({ state, cancelRequested }) => state !== 'success' && !cancelRequested);
  for (const run of failed)
    expect(run).toMatchObject({ state: 'failed', attempt: 3, error: { code: 'crashed_repeatedly' } });
  expect(failed.length, 'runs killed three times').toBeLessThan(3);
  const versions = new Map<string, number>();
  const items = (await Promise.all(runs.map(({ id }) => stores.catalog.itemsOfRun(id)))).flat();
  for (const run of runs.toReversed()) {
    const events = await stores.runs.events(run.id, 0, 10_000);
    const ends = events.filter(
      ({ kind, data }) => kind === 'state' && (data['state'] === 'success' || data['state'] === 'failed'),
    );
    expect(
      ends.map(({ data }) => data['state']),
      run.id,
    ).toEqual([run.state]);
    expect(
      events.map(({ seq }) => seq),
      run.id,
    ).toEqual(events.map((_, index) => index + 1));
    for (const id of run.itemIds) versions.set(id, (versions.get(id) ?? 0) + 1);
  }
  expect(versions.size).toBe(SAMPLE_ITEMS);
  for (const [id, version] of versions) {
    const item = items.find((each) => each.id === id && !each.replaced);
    expect([item?.version, item?.item['id']], id).toEqual([version, id]);
    const { tehsil } = SAMPLE_PLACE;
    expect(item?.collectionPath).toContain(tehsil.toLowerCase());
  }
  return runs;
}

interface RunItemBody {
  readonly id: string;
  readonly properties: { readonly deprecated?: boolean };
  readonly assets: Readonly<Record<string, Asset>>;
}

interface Asset {
  readonly href: string;
  readonly 'file:checksum'?: string;
}

/** Compares each published asset with its checksum (multihash: `1220`, then SHA-256). */
export async function expectCompleteAssets(client: Client): Promise<void> {
  const page = await client.get<{ results: (RunBody & { item_ids: string[] })[] }>(
    '/api/v1/runs/?limit=100&state=success&parent=any',
  );
  const bodies = await Promise.all(
    page.body.results.map(({ run_id: id }) => client.get<{ stac_items: RunItemBody[] }>(`/api/v1/runs/${id}/`)),
  );
  // Items that a later run replaced are deprecated.
  const published = bodies.flatMap(({ body }) => body.stac_items).filter(({ properties }) => !properties.deprecated);
  const items = new Map(published.map((item) => [item.id, item]));
  expect(items.size).toBe(published.length);
  expect(items.size).toBe(SAMPLE_ITEMS);
  let checked = 0;
  for (const asset of [...items.values()].flatMap((item) => Object.values(item.assets))) {
    const answer = await fetch(asset.href);
    const body = new Uint8Array(await answer.arrayBuffer());
    expect([answer.status, asset.href]).toEqual([200, asset.href]);
    if (asset['file:checksum'] === undefined || asset['file:checksum'] === null) continue;
    expect([asset.href, asset['file:checksum']]).toEqual([
      asset.href,
      `1220${createHash('sha256').update(body).digest('hex')}`,
    ]);
    checked += 1;
  }
  expect(checked).toBeGreaterThanOrEqual(items.size);
}

/**
 * Checks that exactly the published attempts have a folder, and that no scratch file is left. No run may be in
 * progress.
 */
export async function checkLeftovers({ runs }: Stores, dataDir: string): Promise<void> {
  const live = await runs.liveAttempts(WORKER_DEFAULTS.keepReplacedMs);
  // A run of `generate_layer_in_order` only starts other runs, so it has no files.
  const published = await Promise.all(live.map(async ({ id }) => (await runs.get(id))?.itemIds.length ?? 0));
  const withFiles = live.filter((_, index) => (published[index] ?? 0) > 0);
  expect(await attemptFolders(dataDir)).toEqual(withFiles.map(({ id, token }) => `${id}/${token}`).sort());
  expect(await readdir(join(dataDir, 'scratch')).catch(() => [])).toEqual([]);
}

async function attemptFolders(dataDir: string): Promise<readonly string[]> {
  const root = join(dataDir, 'assets');
  const runs = (await readdir(root)).filter((name) => !name.startsWith('.'));
  const attempts = runs.map(async (run) => (await readdir(join(root, run))).map((attempt) => `${run}/${attempt}`));
  return (await Promise.all(attempts)).flat().sort();
}
