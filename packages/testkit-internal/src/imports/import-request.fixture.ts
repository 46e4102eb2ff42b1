import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Stores } from '@headwater/identity';
import type { ImportDeps, ImportRequest } from '@headwater/ingest';
import { bundle } from '@headwater/testkit/stores';

/** An import request that is never aborted. */
export function requestOf(path: string, rest: Partial<ImportRequest> = {}): ImportRequest {
  return { path, fileName: basename(path), signal: new AbortController().signal, ...rest };
}

/** Dependencies of an importer, and the id of a tehsil (Chaibasa, three micro-watersheds). */
export async function importWorld(stores: Stores): Promise<{ readonly deps: ImportDeps; readonly tehsilId: number }> {
  const { tehsil } = await stores.places.saveBundle(bundle());
  return { deps: { stores, ownerId: 1 }, tehsilId: tehsil.id };
}

/** Runs a function in a new temporary folder. */
export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-import-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
