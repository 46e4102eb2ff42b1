import { DomainError } from '../errors.ts';
import type { ComputedPlace } from '../places/computed-place.ts';
import { collectionOf } from '../places/place-slugs.ts';
import type { ElevationSource } from '../ports/earth-observation.ts';
import type { PublishedReads } from '../ports/published.ts';
import type { Remedies } from '../ports/host.ts';
import { isMadeFor } from './item-properties.ts';

/** Default advice of `createHeadwater`. */
export const DEFAULT_REMEDIES: Remedies = {
  placeData: 'add them to the place directory as GeoJSON',
  elevation: 'Give the service a DEM that covers the place.',
  orchestrator: 'Give createHeadwater the backend of an orchestrator.',
  callers: 'The operator of this service can allow the address, or give you a shared secret.',
  sceneEngines: 'Give all processes of the service the same scene engines.',
  scenes: 'Give the service Sentinel-2 scenes of that time, or ask for other years.',
};

interface Maker {
  readonly pipeline: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/** A published result of a tehsil. `pipeline` is set if a pipeline of this service makes the result. */
type Published = { readonly tehsilId: number } & (Maker | { readonly pipeline?: never; readonly request?: never });

/** A published layer. */
export type LayerNeed = Published & {
  readonly kind: 'layer';
  readonly workspace: string;
  readonly layerName: string;
  /** The place whose present boundary the layer must have; default: any boundary. */
  readonly place?: Pick<ComputedPlace, 'clip' | 'slugs'>;
  /** Advice to the caller if no pipeline makes the layer. */
  readonly remedy?: string;
};

/** A published table. */
export type TableNeed = Published & {
  readonly kind: 'table';
  readonly name: string;
};

/** Elevations of a lon/lat box, which the operator provides. */
export interface DemNeed {
  readonly kind: 'dem';
  readonly box: readonly [number, number, number, number];
}

/** A layer, table or elevation data that a run requires before it starts. */
export type Need = LayerNeed | TableNeed | DemNeed;

/**
 * Element of the list `details.missing` of a `missing_layer` error. `route` and `request` are set if a pipeline makes
 * the data.
 */
export interface MissingNeed {
  /** Name as `nameOfNeed` returns it. */
  readonly name: string;
  readonly kind: Need['kind'];
  /** True if the layer exists, but was computed for another boundary. */
  readonly isOfOtherBoundary?: true;
  readonly route?: string;
  readonly request?: Readonly<Record<string, unknown>>;
  /** Advice to the operator or the caller if no pipeline makes the data. */
  readonly remedy?: string;
}

/** Sources that are searched for needed data. */
export interface NeedSources {
  readonly published: PublishedReads;
  readonly elevation?: ElevationSource | undefined;
  readonly remedies?: Pick<Remedies, 'elevation'>;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the name of a need in messages. */
export function nameOfNeed(need: Need): string {
  if (need.kind === 'layer') return `layer ${need.workspace}:${need.layerName}`;
  return need.kind === 'table' ? `table ${need.name}` : 'elevation data (DEM) of the area';
}

/** A need whose data are missing or were computed for another boundary. */
export interface UnmetNeed {
  readonly need: Need;
  readonly isOfOtherBoundary: boolean;
}

/** Returns the need if its data are missing or were computed for another boundary; otherwise undefined. */
export async function unmetNeed(need: Need, sources: NeedSources): Promise<UnmetNeed | undefined> {
  if ((await versionOf(need, sources)) === undefined) return { need, isOfOtherBoundary: false };
  return (await isOfPresentBoundary(need, sources)) ? undefined : { need, isOfOtherBoundary: true };
}

async function isOfPresentBoundary(need: Need, { published }: NeedSources): Promise<boolean> {
  if (need.kind !== 'layer' || need.place === undefined) return true;
  const layer = await published.layer(need.workspace, need.layerName);
  const item = layer && (await published.item(collectionOf(need.place.slugs), layer.itemId));
  return isMadeFor(need.place.clip, item?.item);
}

/**
 * Returns a text that changes with the versions of the needed data. Call it before the first layer is opened. Throws
 * `missing_layer` if data are missing.
 */
export async function versionsOfNeeds(needs: readonly Need[], sources: NeedSources): Promise<string> {
  const versions = await Promise.all(
    needs.map(async (need) => {
      const version = await versionOf(need, sources);
      if (version === undefined) throw missingError(need, sources);
      return [nameOfNeed(need), version];
    }),
  );
  return JSON.stringify(versions);
}

function missingError(need: Need, { remedies = DEFAULT_REMEDIES }: NeedSources): DomainError {
  const name = nameOfNeed(need);
  if (need.kind !== 'dem') return notPublished(name);
  const text = `${name} is needed and is missing. ${remedies.elevation} Then start the run again.`;
  return new DomainError('missing_layer', text);
}

/** Creates the error of a run that reads data which are no longer published. */
export function notPublished(name: string): DomainError {
  return new DomainError('missing_layer', `${name} is needed but not published; compute it, then start the run again.`);
}

async function versionOf(need: Need, { published, elevation, signal }: NeedSources): Promise<string | undefined> {
  if (need.kind === 'dem') {
    const found = await elevation?.demFor(need.box, signal);
    return found === undefined
      ? undefined
      : JSON.stringify([found.title, found.rasters.map(({ href, source = href, version }) => [source, version])]);
  }
  if (need.kind === 'table') {
    const table = await published.tableHead(need.tehsilId, need.name);
    return table === undefined ? undefined : `${table.runId}/${table.version}`;
  }
  const layer = await published.layer(need.workspace, need.layerName);
  // The key contains run and attempt, so it changes with each version of the layer.
  return layer?.tehsilId === need.tehsilId ? layer.assetKey : undefined;
}
