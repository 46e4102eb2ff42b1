import { toUtc } from '../instant.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import { Draft, type Path, type Repair } from './draft.ts';
import { repairGeometry } from './geometry.ts';

/** Time fields of common metadata and of the supported extensions. */
const TIMES = ['datetime', 'start_datetime', 'end_datetime', 'created', 'updated', 'processing:datetime'];

/** A repaired document and its repairs, in order. */
export interface Repaired {
  readonly document: unknown;
  readonly repairs: readonly Repair[];
}

/**
 * Repairs faults in an Item's form, and reports each repair. In the geometry, removes heights, closes rings, turns
 * exteriors counter-clockwise and holes clockwise, cuts polygons and lines at the antimeridian, and moves longitudes
 * beyond 180 degrees back. Also recomputes the bbox and converts times to UTC. Faults that cannot be repaired without
 * guessing stay, and `validateItem` reports them: times without a zone, latitude first, rings round a pole. An edge
 * longer than 180 degrees is normally read as an edge across the antimeridian. Such an edge is read as drawn if the
 * Item's own bbox encloses the edge as drawn, or if there is no valid bbox and the rings are valid as drawn. The input
 * is not changed, and a second repair changes nothing. Does not throw.
 */
export function repairItem(document: unknown): Repaired {
  const draft = new Draft(document);
  if (isObject(document)) {
    repairGeometry(draft);
    for (const holder of holdersOf(document)) repairTimes(draft, holder);
  }
  return { document: draft.document, repairs: draft.repairs };
}

/**
 * Paths of the objects that may have time fields: the properties, each asset, each link, and the bands of assets and
 * links.
 */
function holdersOf({ properties, assets, links }: JsonObject): readonly Path[] {
  const holders: readonly (readonly [Path, unknown])[] = [
    [['properties'], properties],
    ...(isObject(assets) ? Object.entries(assets).map(([key, asset]) => [['assets', key], asset] as const) : []),
    ...(isList(links) ? links.map((link, index) => [['links', index], link] as const) : []),
  ];
  return holders.flatMap(([path, holder]) => [path, ...bandsIn(path, holder)]);
}

function bandsIn(path: Path, holder: unknown): readonly Path[] {
  const bands = isObject(holder) ? holder['bands'] : undefined;
  return isList(bands) ? bands.map((_, index) => [...path, 'bands', index]) : [];
}

function repairTimes(draft: Draft, holder: Path): void {
  for (const key of TIMES) {
    const path = [...holder, key];
    const before = draft.read(path);
    const after = typeof before === 'string' ? toUtc(before) : undefined;
    if (after !== undefined && after !== before) draft.write(path, `metadata.${key}`, after);
  }
}
