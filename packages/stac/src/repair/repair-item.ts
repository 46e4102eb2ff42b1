import { toUtc } from '../instant.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import { Draft, type Path, type Repair } from './draft.ts';
import { repairGeometry } from './geometry.ts';

const TIMES = ['datetime', 'start_datetime', 'end_datetime', 'created', 'updated', 'processing:datetime'];

/** A repaired document, and the repairs in order. */
export interface Repaired {
  readonly document: unknown;
  readonly repairs: readonly Repair[];
}

/**
 * Repairs the form of an Item: rings, antimeridian, longitudes, heights, bbox, times in UTC. Does not change the input
 * or throw; a second repair changes nothing.
 */
export function repairItem(document: unknown): Repaired {
  const draft = new Draft(document);
  if (isObject(document)) {
    repairGeometry(draft);
    for (const holder of holdersOf(document)) repairTimes(draft, holder);
  }
  return { document: draft.document, repairs: draft.repairs };
}

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
