import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { type Importer, type ImportRequest, type ImportReport, placeSlug, type DomainStores } from '@headwater/core';
import type { PlaceChange } from '@headwater/core/ports';
import { workerUrl } from '@headwater/net/files';
import { ImportNotes } from '../shared/import-notes.ts';
import { mergedMws, mergedVillages, toBundle } from '../../places/place-bundle.ts';
import type { PlaceFeature } from '../../places/place-features.ts';
import { FEATURE_ENDINGS } from '../formats/open-features.ts';
import type { BoundaryKind } from './boundary-kind.ts';
import type { Checked, CheckedTehsil, CheckRequest } from './check-features.ts';
import { readIndex, readSpooled } from './feature-spool.ts';
import { type OwnAreas, refusedRows } from './own-areas.ts';
import { runInChild } from '../child-process/run-in-child.ts';
import type { Progress } from '../child-process/report-to-parent.ts';

/** Dependencies of the importers of boundaries. */
export interface BoundaryDeps {
  readonly stores: Pick<DomainStores, 'places' | 'lookups' | 'installation'>;
  readonly scratchDir: string;
}

const LOCK = 'import';
const HALF = 0.5;

/** Creates the importer of one kind of boundaries, from GeoJSON, GeoPackage, zipped Shapefile or KML. */
export function boundaryImporter(kind: BoundaryKind, deps: BoundaryDeps): Importer {
  return { kind, endings: FEATURE_ENDINGS, run: (request) => importBoundaries(kind, request, deps) };
}

async function importBoundaries(
  kind: BoundaryKind,
  request: ImportRequest,
  { stores, scratchDir }: BoundaryDeps,
): Promise<ImportReport> {
  const { path, fileName, place, signal, isTrial = false } = request;
  await mkdir(scratchDir, { recursive: true });
  const spoolPath = join(scratchDir, `features-${randomUUID()}`);
  const report = (share: number): void => request.progress?.(Math.round(share * 1000), 1000);
  try {
    const request = { path, fileName, kind, spoolPath, ...(place === undefined ? {} : { place }) };
    const checked = await checkInChild(request, signal, (done, total) => report((HALF * done) / Math.max(total, 1)));
    const notes = new ImportNotes(checked.notes);
    const spool = await open(spoolPath);
    try {
      const counts = await stores.installation.withLock(
        LOCK,
        async (lockSignal) => {
          const known = { kind, stores, notes, fileName, spool, signal: lockSignal };
          const tehsils = kind === 'places' ? checked.tehsils : await knownOf(checked, { ...known, kind });
          const onEach = (index: number): void => {
            report(HALF + (HALF * index) / Math.max(tehsils.length, 1));
            lockSignal.throwIfAborted();
          };
          const keepsOthers = notes.report.refusedCount > 0;
          const changes = () => changesOf(tehsils, { kind, spool, onEach, keepsOthers });
          return await stores.places.saveChanges(changes, { isTrial });
        },
        signal,
      );
      return { kind, fileName, ...counts, ...notes.report };
    } finally {
      await spool.close();
    }
  } finally {
    await rm(spoolPath, { force: true });
  }
}

interface KnownTehsil extends CheckedTehsil {
  readonly refused?: ReadonlySet<number>;
}

type KnownTehsilContext = Pick<BoundaryDeps, 'stores'> & Omit<OwnAreas, 'boundary'> & { readonly signal: AbortSignal };

/**
 * Returns the known tehsils with at least one accepted row. Refuses rows of unknown tehsils, and rows outside of their
 * tehsil. Called before the transaction, because no other store may be used in the transaction.
 */
async function knownOf({ tehsils }: Checked, context: KnownTehsilContext): Promise<readonly KnownTehsil[]> {
  const { stores, notes, fileName, signal } = context;
  const known: KnownTehsil[] = [];
  for (const tehsil of tehsils) {
    signal.throwIfAborted();
    const { names, index } = tehsil;
    const slugs = {
      state: placeSlug(names.state),
      district: placeSlug(names.district),
      tehsil: placeSlug(names.tehsil),
    };
    const found = await stores.lookups.tehsilNamed(slugs);
    if (found !== undefined) {
      const place = await stores.places.placeOfTehsil(found.tehsilId);
      const refused = await refusedRows(tehsil, { ...context, boundary: place?.tehsil.geometry ?? null });
      if (refused !== 'all') known.push({ names, index, refused });
      continue;
    }
    const problem = `${names.tehsil} (${names.district}, ${names.state}) is an unknown tehsil; import its boundary first (kind places), or correct the names`;
    for (const { row } of await readIndex(context.spool, index))
      notes.refuse({ source: fileName, row, field: 'tehsil', problem });
  }
  return known;
}

interface ChangeContext {
  readonly kind: BoundaryKind;
  readonly spool: FileHandle;
  readonly onEach: (index: number) => void;
  readonly keepsOthers: boolean;
}

async function* changesOf(
  tehsils: readonly KnownTehsil[],
  { kind, spool, onEach, keepsOthers }: ChangeContext,
): AsyncGenerator<PlaceChange> {
  for (const [count, { names, index, refused }] of tehsils.entries()) {
    onEach(count);
    const read: PlaceFeature[] = [];
    for (const spooled of await readIndex(spool, index))
      if (refused?.has(spooled.row) !== true) read.push(await readSpooled(spool, spooled));
    yield { ...names, ...partOf(kind, names, read), keepsOthers };
  }
  onEach(tehsils.length);
}

type Part = Pick<PlaceChange, 'geometry' | 'mws' | 'villages'>;

function partOf(kind: BoundaryKind, names: CheckedTehsil['names'], features: readonly PlaceFeature[]): Part {
  // Ignores the notes on the features, because the check has already reported them.
  const ignore = (): void => {};
  if (kind === 'mws') return { mws: mergedMws(features, ignore) };
  if (kind === 'villages') return { villages: mergedVillages(features, ignore) };
  const { geometry } = toBundle({ names, boundary: features, mws: [], villages: [] }, ignore);
  return geometry === null ? {} : { geometry };
}

/** Runs `checkFeatures` in a child process. Throws the errors of `runInChild`. */
export async function checkInChild(request: CheckRequest, signal: AbortSignal, progress: Progress): Promise<Checked> {
  const { fileName } = request;
  const worker = workerUrl('./check-worker', import.meta.url, '@headwater/ingest');
  return await runInChild<Checked>({ worker, data: request, fileName, signal, progress });
}
