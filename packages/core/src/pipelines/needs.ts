import { DomainError } from '../errors.ts';
import type { ComputedPlace } from '../places/computed-place.ts';
import { collectionOf } from '../places/place-slugs.ts';
import type { ElevationSource } from '../ports/elevation.ts';
import type { PublishedReads } from '../ports/published.ts';
import type { Remedies } from '../ports/remedies.ts';
import { isMadeFor } from './item-properties.ts';

/** Said where the composition says nothing better. */
export const DEFAULT_REMEDIES: Remedies = {
  placeData: 'add them to its place as GeoJSON',
  elevation: 'Give the service a DEM that covers the place.',
  orchestrator: 'Give createHeadwater the backend of one.',
  scenes: 'Give the service Sentinel-2 scenes of that time, or ask for other years.',
};

/** By which request a pipeline makes something. */
interface Maker {
  /** Name of the pipeline. */
  readonly pipeline: string;
  /** In domain names. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** Something published; left out who makes it where no pipeline of this service does. */
type Made = { readonly tehsilId: number } & (Maker | { readonly pipeline?: never; readonly request?: never });

/** A published layer. */
export type LayerNeed = Made & {
  readonly kind: 'layer';
  readonly workspace: string;
  readonly layerName: string;
  /** The place as it is today: a layer that was made for another boundary of it has to be made anew. Left out: that of any boundary will do. */
  readonly place?: Pick<ComputedPlace, 'clip' | 'slugs'>;
  /** Where no pipeline makes it: what whoever asked can do about it. */
  readonly remedy?: string;
};

/** A published table. */
export type TableNeed = Made & {
  readonly kind: 'table';
  readonly name: string;
};

/** Elevations of a lon/lat box. No pipeline makes them: the operator gives them. */
export interface DemNeed {
  readonly kind: 'dem';
  readonly box: readonly [number, number, number, number];
}

/** What a run cannot begin without. */
export type Need = LayerNeed | TableNeed | DemNeed;

/** `details.missing` of a `missing_layer` error. `route` and `request` are there where a pipeline of this service makes it. */
export interface MissingNeed {
  /** As `nameOfNeed` gives it. */
  readonly name: string;
  readonly kind: Need['kind'];
  /** True where it is there, made for another boundary than today's. */
  readonly isOfOtherBoundary?: true;
  readonly route?: string;
  readonly request?: Readonly<Record<string, unknown>>;
  /** Where no pipeline makes it: what an operator, or whoever asked, does about it. */
  readonly remedy?: string;
}

/** Where needs are looked for. */
export interface NeedSources {
  readonly published: PublishedReads;
  readonly elevation?: ElevationSource | undefined;
  /** What is said of elevations that are not there. */
  readonly remedies?: Pick<Remedies, 'elevation'>;
  /** Ends the look for elevations. */
  readonly signal?: AbortSignal | undefined;
}

/** The need in words. */
export function nameOfNeed(need: Need): string {
  if (need.kind === 'layer') return `layer ${need.workspace}:${need.layerName}`;
  return need.kind === 'table' ? `table ${need.name}` : 'elevation data (DEM) of the area';
}

/** A need that is not met. */
export interface MissedNeed {
  readonly need: Need;
  /** True where it is there, made for another boundary than today's. */
  readonly isOfOtherBoundary: boolean;
}

/** The need where it is not there for this tehsil and its boundary of today; undefined where it is. */
export async function missed(need: Need, sources: NeedSources): Promise<MissedNeed | undefined> {
  if ((await versionOf(need, sources)) === undefined) return { need, isOfOtherBoundary: false };
  return (await isOfToday(need, sources)) ? undefined : { need, isOfOtherBoundary: true };
}

async function isOfToday(need: Need, { published }: NeedSources): Promise<boolean> {
  if (need.kind !== 'layer' || need.place === undefined) return true;
  const layer = await published.layer(need.workspace, need.layerName);
  const item = layer && (await published.item(collectionOf(need.place.slugs), layer.itemId));
  return isMadeFor(need.place.clip, item?.item);
}

/**
 * Text that is equal while the needs are of the same versions: for `Pipeline.inputs`, and for `Deliverable.inputs`, where it has to be
 * taken before the first of them is opened: a version that comes meanwhile then differs from what is told. Throws `missing_layer`.
 */
export async function versionsOfNeeds(needs: readonly Need[], sources: NeedSources): Promise<string> {
  const versions = await Promise.all(
    needs.map(async (need) => {
      const version = await versionOf(need, sources);
      if (version === undefined) throw gone(need, sources);
      return [nameOfNeed(need), version];
    }),
  );
  return JSON.stringify(versions);
}

function gone(need: Need, { remedies = DEFAULT_REMEDIES }: NeedSources): DomainError {
  const name = nameOfNeed(need);
  if (need.kind !== 'dem') return notPublished(name);
  const text = `${name} is needed and is not there. ${remedies.elevation} Then start the run again.`;
  return new DomainError('missing_layer', text);
}

/** Why a run cannot go on that reads something which is not there any more. */
export function notPublished(name: string): DomainError {
  return new DomainError('missing_layer', `${name} is needed and is not published; make it, then start the run again.`);
}

async function versionOf(need: Need, { published, elevation, signal }: NeedSources): Promise<string | undefined> {
  if (need.kind === 'dem') {
    const found = await elevation?.demFor(need.box, signal);
    return found === undefined
      ? undefined
      : JSON.stringify([found.title, found.rasters.map(({ href, version }) => [href, version])]);
  }
  if (need.kind === 'table') {
    const table = await published.tableHead(need.tehsilId, need.name);
    return table === undefined ? undefined : `${table.runId}/${table.version}`;
  }
  const layer = await published.layer(need.workspace, need.layerName);
  // The key of the file names the run and the attempt.
  return layer?.tehsilId === need.tehsilId ? layer.assetKey : undefined;
}
