import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { DomainError } from '@headwater/core';
import { villageProperties } from '@headwater/core/pipelines';
import type { OutlineText, PlaceLookups } from '@headwater/core/ports';
import { GEOMETRY_LAYERS } from './schemas/geometry-layers.ts';
import { type FormFeature, type FormSource, formPieces } from './wfs-form.ts';

/** Kind of boundaries: micro-watersheds (`mws`) or villages. */
export type BoundaryUnits = keyof typeof GEOMETRY_LAYERS;

/** Boundaries of a tehsil, and the name of their layer. */
export interface BoundaryLayer {
  readonly kind: BoundaryUnits;
  readonly tehsilId: number;
  readonly layerName: string;
  /** Version of the boundaries; null if it must be read. */
  readonly version: string | null;
}

/** Serves boundaries of the place directory as a layer, if no such layer is published. */
export interface BoundaryForms {
  /** The source of the WFS response; undefined if the tehsil has no such boundaries. */
  sourceOf(layer: BoundaryLayer): Promise<FormSource | undefined>;
}

const FIRST_PART = 200;
const PART_LENGTH = 2_000_000;
const LARGEST_PART = 1000;

/** Creates the WFS sources of boundaries. The version of boundaries is the time of their last change. */
export function createBoundaryForms(lookups: Lookups): BoundaryForms {
  return {
    sourceOf: async (layer) => {
      const { kind, tehsilId, layerName } = layer;
      const version = layer.version ?? (await versionOf(lookups, layer));
      if (version === '') return undefined;
      const etag = createHash('sha256').update(`${layerName} ${version}`).digest('hex').slice(0, 32);
      const { geometryName } = GEOMETRY_LAYERS[kind];
      const modified = new Date(version);
      const parts = (): AsyncIterable<readonly FormFeature[]> => outlinesOf(lookups, layer, version);
      return {
        layerName,
        geometryName,
        key: `boundaries-${kind}/${tehsilId}/${etag}.json`,
        validators: { etag, modified },
        isMadeForHead: false,
        isCheap: true,
        ownsFolder: true,
        pieces: (length) => formPieces({ layerName, geometryName }, parts(), { timeStamp: modified, length }),
      };
    },
  };
}

type Lookups = Pick<PlaceLookups, 'mwsVersion' | 'villagesVersion' | 'mwsAfter' | 'villagesAfter'>;
type Unit = Pick<BoundaryLayer, 'kind' | 'tehsilId'>;

async function versionOf(lookups: Lookups, { kind, tehsilId }: Unit): Promise<string> {
  return await (kind === 'mws' ? lookups.mwsVersion(tehsilId) : lookups.villagesVersion(tehsilId));
}

async function* outlinesOf(lookups: Lookups, unit: Unit, version: string): AsyncGenerator<readonly FormFeature[]> {
  const read = readerOf(lookups, unit);
  for (let size = FIRST_PART; ;) {
    const part = await read(size);
    // An empty part has no version, so the version is read: the boundaries may have been deleted.
    if ((part[0]?.version ?? (await versionOf(lookups, unit))) !== version)
      throw new DomainError('unavailable', 'the boundaries changed while they were read; send the request again');
    yield part;
    if (part.length < size) return;
    const length = part.reduce((sum, { geometry }) => sum + geometry.length, 0);
    size = Math.min(LARGEST_PART, Math.max(1, Math.floor((PART_LENGTH * part.length) / length)));
    // Lets other requests run, because reads from a store in this process do not pause.
    await setImmediate();
  }
}

function readerOf(
  lookups: Lookups,
  { kind, tehsilId }: Unit,
): (size: number) => Promise<readonly (FormFeature & OutlineText)[]> {
  let last = '';
  let count = 0;
  if (kind === 'mws') {
    return async (size) => {
      const part = await lookups.mwsAfter(tehsilId, last, size);
      last = part.at(-1)?.uid ?? last;
      return part.map(({ uid, geometry, version }) => ({ geometry, version, properties: { uid } }));
    };
  }
  return async (size) => {
    const part = await lookups.villagesAfter(tehsilId, count, size);
    count += part.length;
    return part.map(({ id, name, geometry, version }) => ({
      geometry,
      version,
      properties: villageProperties({ id, name }),
    }));
  };
}
