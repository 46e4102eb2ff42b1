import type { FileHandle } from 'node:fs/promises';
import type { ImportNotes } from '../shared/import-notes.ts';
import type { MultiPolygon, Polygon } from 'geojson';
import { mwsTitle, twoNames, villageTitle } from '../../places/place-bundle.ts';
import type { PlaceFeature } from '../../places/place-features.ts';
import { toGeometry } from '../../places/place-geometry.ts';
import { mwsUid, village } from '../../places/place-properties.ts';
import { outsideOf } from '../../places/touching-areas.ts';
import type { BoundaryKind } from './boundary-kind.ts';
import type { CheckedTehsil } from './check-features.ts';
import { readIndex, readSpooled, type Spooled } from './feature-spool.ts';

/** Boundary of a tehsil, working file with the features, and notes on refused features. */
export interface OwnAreas {
  readonly kind: Exclude<BoundaryKind, 'places'>;
  readonly spool: FileHandle;
  /** Null if the tehsil has no boundary; every area is then accepted. */
  readonly boundary: Polygon | MultiPolygon | null;
  readonly notes: ImportNotes;
  readonly fileName: string;
}

interface Area {
  readonly title: string;
  readonly name: string;
  readonly polygons: PlaceFeature['polygons'];
  readonly parts: Spooled[];
}

/**
 * Finds the rows of areas that do not touch their tehsil, and reports them as refused. Returns the row numbers, or
 * 'all' if no row remains. Uses the rule of `ownMws` and `ownVillages`.
 */
export async function refusedRows(
  { index }: CheckedTehsil,
  { kind, spool, boundary, notes, fileName }: OwnAreas,
): Promise<ReadonlySet<number> | 'all'> {
  const features = await readIndex(spool, index);
  const areas = new Map<string | number, Area>();
  for (const part of features) {
    const feature = await readSpooled(spool, part);
    const { key, title, name } = kind === 'mws' ? mwsKey(feature) : villageKey(feature, part);
    const area = areas.get(key) ?? { title, name, polygons: [], parts: [] };
    if (area.name !== name && typeof key === 'number')
      notes.repair({ source: fileName, row: part.row, repair: twoNames({ id: key, before: area.name, here: name }) });
    areas.set(key, area);
    for (const polygon of feature.polygons) area.polygons.push(polygon);
    area.parts.push(part);
  }
  const outside = outsideOf(boundary);
  const refused = new Set<number>();
  for (const { title, polygons, parts } of areas.values()) {
    const problem = outside(toGeometry(polygons));
    if (problem === undefined) continue;
    for (const part of parts) {
      refused.add(part.row);
      notes.refuse({ source: fileName, row: part.row, field: 'geometry', problem: `${title} ${problem}` });
    }
  }
  return refused.size < features.length ? refused : 'all';
}

interface AreaKey {
  readonly key: string | number;
  readonly title: string;
  readonly name: string;
}

function mwsKey(feature: PlaceFeature): AreaKey {
  const uid = mwsUid(feature);
  return { key: uid, title: mwsTitle({ uid }), name: uid };
}

/** Key of a village: its id. The id 0 means no id, so the key is then the row, and the feature is a separate area. */
function villageKey(feature: PlaceFeature, { row }: Spooled): AreaKey {
  const { id, name } = village(feature);
  return { key: id === 0 ? `row ${row}` : id, title: villageTitle({ id, name }), name };
}
