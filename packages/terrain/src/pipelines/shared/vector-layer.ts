import {
  type Box,
  collectionOf,
  type ComputedPlace,
  type Deliverable,
  DomainError,
  fileName,
  layerNamesOf,
  type Outline,
  type PipelinePorts,
  type PublishedTable,
  rgb,
  type Rgba,
  type RunFiles,
  type StoredFile,
  vectorQml,
  vectorSld,
  type VectorStyle,
} from '@headwater/core';
import {
  assertValid,
  checkColumns,
  type ColumnInput,
  describeFinding,
  type NonEmpty,
  type PreviewInput,
  vectorItem,
} from '@headwater/stac';
import type { Feature, MultiLineString, MultiPolygon } from 'geojson';
import { fileAsset, sideAssets, type SideFiles, sideFiles, THUMBNAIL_SIZE } from './assets.ts';
import { terrainItemId, terrainMembers, type TerrainItem } from './item-members.ts';

const OUTLINE: Rgba = [35, 35, 35, 255];

/** Attributes of a feature. */
export type Attributes = Readonly<Record<string, string | number | null>>;

/** A vector layer to be published, and what follows from the same figures. */
export interface VectorDraft {
  /** What the Item tells; `layer` is the last part of its id. */
  readonly item: Pick<TerrainItem, 'layer' | 'title' | 'description' | 'lineage' | 'method' | 'keywords'>;
  readonly workspace: string;
  readonly dataset: string;
  /** Name of the map-server layer of a place. */
  readonly layerName: (place: string) => string;
  /** Extent of the Item, lon/lat. */
  readonly box: Box;
  readonly features: readonly Feature<MultiPolygon | MultiLineString, Attributes>[];
  /** `table:columns`, the geometry among them. */
  readonly columns: NonEmpty<ColumnInput>;
  readonly style: VectorStyle;
  /** What the preview draws, colours as `#rrggbb`. */
  readonly drawing: {
    readonly zones: readonly { readonly geometry: Outline; readonly color: string }[];
    readonly lines?: readonly { readonly geometry: MultiLineString; readonly color: string }[];
  };
  readonly preview: Pick<PreviewInput, 'legend' | 'description'>;
  /** Sheets that the Item tells of. */
  readonly tables: readonly PublishedTable[];
}

/** What publishing a layer of a run uses. */
export interface LayerTools {
  readonly ports: PipelinePorts;
  readonly files: RunFiles;
  readonly source: TerrainItem['source'];
  readonly runId: string;
  /** What the Item says of how its figures were computed, after its description; left out: nothing. */
  readonly note?: string;
}

/** Writes GeoJSON, styles and preview of a vector layer, and its Item, validated: throws naming every fault rather than publish one. */
export async function publishVector(
  job: ComputedPlace,
  draft: VectorDraft,
  tools: LayerTools,
): Promise<Pick<Deliverable, 'items' | 'layers' | 'tables'>> {
  const { ports, files } = tools;
  const { workspace, features } = draft;
  const id = terrainItemId(draft.item.layer, job.slugs);
  const name = fileName(id);
  const names = layerNamesOf(job.slugs, draft.layerName);
  const geojson = await files.write(`${name}.geojson`, JSON.stringify({ type: 'FeatureCollection', features }));
  await drawPreview(draft, ports, files.path(`${name}.png`));
  const style = { qml: vectorQml(draft.style), sld: vectorSld(names.layerName, draft.style) };
  const sides = await sideFiles(name, style, files);
  const item = itemOf(job, draft, { ...tools, layerName: names.layerName, geojson, sides });
  assertValid({ ...item });
  const faults = checkColumns(item, features);
  if (faults.length > 0) throw new DomainError('internal', `table:columns: ${faults.map(describeFinding).join('; ')}`);
  const record = { workspace, ...names, datasetName: draft.dataset, layerType: 'vector' } as const;
  const keys = { tehsilId: job.place.tehsil.id, itemId: id, assetKey: geojson.key, styleKey: sides.qml.key };
  return {
    items: [{ id, collectionPath: collectionOf(job.slugs), item: { ...item } }],
    layers: [{ ...record, ...keys }],
    tables: draft.tables.map((table) => ({ ...table, itemId: id })),
  };
}

async function drawPreview(
  { drawing: { zones, lines = [] } }: VectorDraft,
  { pixels }: Pick<PipelinePorts, 'pixels'>,
  target: string,
): Promise<void> {
  await pixels.zoneThumbnail({
    zones: zones.map(({ geometry, color }) => ({ geometry, fill: opaque(color) })),
    lines: lines.map(({ geometry, color }) => ({ geometry, color: opaque(color) })),
    outline: OUTLINE,
    size: THUMBNAIL_SIZE,
    target,
  });
}

const opaque = (color: string): Rgba => [...rgb(color), 255];

interface ItemFiles extends LayerTools {
  readonly layerName: string;
  readonly geojson: StoredFile;
  readonly sides: SideFiles;
}

function itemOf(job: ComputedPlace, draft: VectorDraft, given: ItemFiles): ReturnType<typeof vectorItem> {
  const { ports, source, runId, geojson, sides, layerName, note = '' } = given;
  const { item, box, workspace } = draft;
  return vectorItem({
    ...terrainMembers({ ...item, description: item.description + note, job, ports, runId, source, box }),
    columns: draft.columns,
    primaryGeometry: 'geometry',
    rowCount: draft.features.length,
    assets: {
      data: { href: ports.addresses.features(workspace, layerName), title: 'Vector Layer' },
      geojson: fileAsset(ports, geojson, 'GeoJSON'),
      ...sideAssets(ports, sides, draft.preview),
    },
  });
}
