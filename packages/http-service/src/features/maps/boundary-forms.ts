import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type AssetStore, type Clock, DomainError, type Logger } from '@headwater/core';
import { villageProperties } from '@headwater/core/pipelines';
import type { OutlineText, PlaceLookups } from '@headwater/core/ports';
import { z } from 'zod';
import { GEOMETRY_LAYERS } from './schemas/geometry-layers.ts';
import { type FormFeature, type FormSource, formPieces } from './wfs-form.ts';

/** Kind of boundaries. */
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

/** Stores of the boundaries and of the cached responses. */
export interface BoundarySources {
  readonly lookups: Pick<PlaceLookups, 'mwsVersion' | 'villagesVersion' | 'mwsAfter' | 'villagesAfter'>;
  readonly assets: AssetStore | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * A version of boundaries, and the time of its first use. Responses state that they were last changed at this time.
 */
const Sighting = z.object({ version: z.string(), since: z.coerce.date() });
type Sighting = z.infer<typeof Sighting>;

const FIRST_PART = 100;
const PART_LENGTH = 2_000_000;
const LARGEST_PART = 1000;
const SIGHTING_FILE = 'version.json';

/**
 * A sighting. `stored` resolves when the attempt to store the sighting has ended, and never rejects; it is undefined for
 * an earlier sighting.
 */
interface StoredSighting extends Sighting {
  readonly stored: Promise<void> | undefined;
}

/** Creates the WFS sources of boundaries. A new version empties the cache folder of its tehsil and kind. */
export function createBoundaryForms(sources: BoundarySources): BoundaryForms {
  const { lookups } = sources;
  const sight = createSightings(sources);
  return {
    sourceOf: async (layer) => {
      const { kind, tehsilId, layerName } = layer;
      const known = layer.version ?? (await versionOf(lookups, layer));
      if (known === '') return undefined;
      const version = createHash('sha256').update(`${layerName} ${known}`).digest('hex');
      const { since, stored } = await sight(layer, version);
      const tag = `${version.slice(0, 32)}-${since.getTime().toString(36)}`;
      const { geometryName } = GEOMETRY_LAYERS[kind];
      const parts = (): AsyncIterable<readonly FormFeature[]> => outlinesOf(lookups, layer, known);
      return {
        layerName,
        geometryName,
        key: `${folderOf(kind)}/${tehsilId}/${tag}.json`,
        validators: { etag: tag, modified: since },
        isMadeForHead: false,
        isCheap: true,
        prepared: stored,
        pieces: (length) => formPieces({ layerName, geometryName }, parts(), { timeStamp: since, length }),
      };
    },
  };
}

const folderOf = (kind: BoundaryUnits): string => `boundaries-${kind}`;

/** Stores the time of a version's first use, so that all processes report this time. */
function createSightings({
  assets,
  clock,
  logger,
}: BoundarySources): (layer: BoundaryLayer, version: string) => Promise<StoredSighting> {
  const unstored = new Map<string, Sighting>();
  const storing = new Map<string, Promise<void>>();
  const underWay = new Map<string, Promise<StoredSighting>>();
  const nameOf = ({ kind, tehsilId }: BoundaryLayer): string => `${kind} ${tehsilId}`;
  const store = async (layer: BoundaryLayer, sighting: Sighting): Promise<void> => {
    const { kind, tehsilId, layerName } = layer;
    const [folder, name] = [folderOf(kind), nameOf(layer)];
    try {
      await assets?.begin(folder, tehsilId);
      await assets?.write(folder, tehsilId, SIGHTING_FILE, JSON.stringify(sighting));
      if (assets === undefined) unstored.set(name, sighting);
      else unstored.delete(name);
    } catch (error) {
      logger.error({ error, layer: layerName }, 'could not store the version of boundaries');
      unstored.set(name, sighting);
    }
  };
  const read = createSightingReader(assets);
  const readOrStore = async (layer: BoundaryLayer, version: string): Promise<StoredSighting> => {
    const { kind, tehsilId } = layer;
    const file = await read(`${folderOf(kind)}/${tehsilId}/${SIGHTING_FILE}`);
    const known = [file, unstored.get(nameOf(layer))].find((each) => each?.version === version);
    if (known !== undefined) return { ...known, stored: undefined };
    const sighting = { version, since: clock.now() };
    // Sightings of a layer are stored one after the other, because `begin` empties the folder.
    const stored = (storing.get(nameOf(layer)) ?? Promise.resolve()).then(() => store(layer, sighting));
    storing.set(nameOf(layer), stored);
    void stored.then(() => storing.get(nameOf(layer)) === stored && storing.delete(nameOf(layer)));
    return { ...sighting, stored };
  };
  return async (layer, version) => {
    const key = `${nameOf(layer)} ${version}`;
    const running = underWay.get(key);
    if (running !== undefined) return await running;
    const pending = readOrStore(layer, version);
    underWay.set(key, pending);
    const end = (): void => void underWay.delete(key);
    void pending.then(async ({ stored }) => await stored).then(end, end);
    return await pending;
  };
}

/** Reads stored sightings. A file with the ETag of the last read is not read again. */
function createSightingReader(assets: AssetStore | undefined): (key: string) => Promise<Sighting | undefined> {
  const known = new Map<string, { readonly etag: string; readonly sighting: Sighting }>();
  return async (key) => {
    const file = await assets?.open(key);
    if (file === undefined || file.bytes === 0) return undefined;
    const { etag } = file;
    const last = known.get(key);
    if (last?.etag === etag) return last.sighting;
    // Another process may have just emptied the folder.
    const stored: unknown = await new Response(file.stream(0, file.bytes - 1)).json().catch(() => undefined);
    const sighting = Sighting.safeParse(stored).data;
    if (sighting !== undefined) known.set(key, { etag, sighting });
    return sighting;
  };
}

type Lookups = BoundarySources['lookups'];
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
