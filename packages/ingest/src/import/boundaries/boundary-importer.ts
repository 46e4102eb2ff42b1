import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { type Importer, type ImportRequest, type ImportReport, placeSlug, type DomainStores } from '@headwater/core';
import { ImportNotes } from '../shared/import-notes.ts';
import type { PlaceChange } from '@headwater/core/ports';
import { mergedMws, mergedVillages, toBundle } from '../../places/place-bundle.ts';
import type { PlaceFeature } from '../../places/place-features.ts';
import { FEATURE_ENDINGS } from '../formats/open-features.ts';
import type { BoundaryKind } from './boundary-kind.ts';
import { checkApart } from './check-apart.ts';
import type { Checked, CheckedTehsil } from './check-features.ts';
import { readIndex, readSpooled } from './feature-spool.ts';
import { type OwnAreas, refusedRows } from './own-areas.ts';

/** What importers of boundaries need. */
export interface BoundaryDeps {
  readonly stores: Pick<DomainStores, 'places' | 'lookups' | 'installation'>;
  readonly scratchDir: string;
}

/** Name of the turn in which one import after the other writes. */
const TURN = 'import';
/** Parts of the work: reading and checking, then storing. */
const HALF = 0.5;

/** The importer of boundaries of a kind: GeoJSON, GeoPackage, zipped Shapefile. */
export function boundaryImporter(kind: BoundaryKind, deps: BoundaryDeps): Importer {
  return { kind, endings: FEATURE_ENDINGS, run: (request) => importBoundaries(kind, request, deps) };
}

/**
 * Checks the whole file first, in a process of its own, and stores what is good of it in one transaction, tehsil by tehsil. Throws
 * `validation` for a file that is broken as a whole.
 */
async function importBoundaries(
  kind: BoundaryKind,
  request: ImportRequest,
  { stores, scratchDir }: BoundaryDeps,
): Promise<ImportReport> {
  const { path, fileName, place, signal, isTrial = false } = request;
  await mkdir(scratchDir, { recursive: true });
  const spoolPath = join(scratchDir, `features-${randomUUID()}`);
  const told = (share: number): void => request.progress?.(Math.round(share * 1000), 1000);
  try {
    const request = { path, fileName, kind, spoolPath, ...(place === undefined ? {} : { place }) };
    const checked = await checkApart(request, signal, (done, total) => told((HALF * done) / Math.max(total, 1)));
    const notes = new ImportNotes(checked.notes);
    const spool = await open(spoolPath);
    try {
      const counts = await stores.installation.withLock(
        TURN,
        async (turn) => {
          const known = { kind, stores, notes, fileName, spool, signal: turn };
          const tehsils = kind === 'places' ? checked.tehsils : await knownOf(checked, { ...known, kind });
          const onEach = (index: number): void => {
            told(HALF + (HALF * index) / Math.max(tehsils.length, 1));
            turn.throwIfAborted();
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

/** A tehsil of a file, without the rows that are none of its own. */
interface KnownTehsil extends CheckedTehsil {
  readonly refused?: ReadonlySet<number>;
}

type Knowing = Pick<BoundaryDeps, 'stores'> & Omit<OwnAreas, 'boundary'> & { readonly signal: AbortSignal };

/**
 * The tehsils among those of a file that the directory has, each with the features that touch its boundary; rows of others are refused.
 * Read before the transaction, in which no store may be used.
 */
async function knownOf({ tehsils }: Checked, knowing: Knowing): Promise<readonly KnownTehsil[]> {
  const { stores, notes, fileName, signal } = knowing;
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
      const refused = await refusedRows(tehsil, { ...knowing, boundary: place?.tehsil.geometry ?? null });
      if (refused !== 'all') known.push({ names, index, refused });
      continue;
    }
    const problem = `${names.tehsil} (${names.district}, ${names.state}) is no tehsil that is known here; import its boundary first (kind places), or correct the names`;
    for (const { row } of await readIndex(knowing.spool, index))
      notes.refuse({ source: fileName, row, field: 'tehsil', problem });
  }
  return known;
}

interface Changing {
  readonly kind: BoundaryKind;
  readonly spool: FileHandle;
  readonly onEach: (index: number) => void;
  readonly keepsOthers: boolean;
}

async function* changesOf(
  tehsils: readonly KnownTehsil[],
  { kind, spool, onEach, keepsOthers }: Changing,
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
  // Nothing is told: each feature was checked by itself before it was written down.
  const tell = (): void => {};
  if (kind === 'mws') return { mws: mergedMws(features, tell) };
  if (kind === 'villages') return { villages: mergedVillages(features, tell) };
  const { geometry } = toBundle({ names, boundary: features, mws: [], villages: [] }, tell);
  return geometry === null ? {} : { geometry };
}
