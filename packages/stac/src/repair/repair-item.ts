import { toUtc } from '../instant.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import { Draft, type Path, type Repair } from './draft.ts';
import { repairGeometry } from './geometry.ts';

/** Fields of common metadata and of the extensions in use that hold a time. */
const TIMES = ['datetime', 'start_datetime', 'end_datetime', 'created', 'updated', 'processing:datetime'];

/** A mended document and what was mended, in the order in which it was. */
export interface Repaired {
  readonly document: unknown;
  readonly repairs: readonly Repair[];
}

/**
 * Mends what is wrong in an Item's form only, and tells each repair: heights dropped, rings closed, exteriors turned
 * counter-clockwise and holes clockwise, polygons and lines cut at the antimeridian, what lies beyond 180 degrees moved back,
 * times carried to UTC, bbox computed anew.
 * What cannot be mended without guessing stays as it is, for `validateItem` to tell: times without a zone, latitude
 * first, rings round a pole. An edge longer than 180 degrees is taken to go over the antimeridian, unless the Item's own
 * bbox encloses it as it is drawn, or (where that bbox says nothing) its rings are sound as they are drawn. The document given is not changed; mending a mended one does nothing. Does not throw.
 */
export function repairItem(document: unknown): Repaired {
  const draft = new Draft(document);
  if (isObject(document)) {
    repairGeometry(draft);
    for (const holder of holdersOf(document)) repairTimes(draft, holder);
  }
  return { document: draft.document, repairs: draft.repairs };
}

/** Paths of the objects in which a time may stand: the properties, each asset and each link, and the bands of these. */
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
