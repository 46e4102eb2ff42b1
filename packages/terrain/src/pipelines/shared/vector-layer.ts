import {
  type Box,
  collectionOf,
  columnInputs,
  DomainError,
  fileName,
  layerNamesOf,
  type Outline,
  type PipelinePorts,
  type PublishedTable,
  rgb,
  type Rgba,
  stepColor,
  stepsLegend,
  type StoredFile,
  type TableColumn,
  vectorQml,
  vectorSld,
  type VectorStyle,
} from '@headwater/core';
import { assertValid, checkColumns, describeFinding, type ExtraAssetInput, vectorItem } from '@headwater/stac';
import type { Feature, MultiLineString, MultiPolygon } from 'geojson';
import { fileAsset, sideAssets, type SideFiles, sideFiles, THUMBNAIL_SIZE } from './assets.ts';
import type { DemRun, Published } from './dem-run.ts';
import { terrainItemId, terrainMembers, type TerrainItem } from './item-members.ts';

const OUTLINE: Rgba = [35, 35, 35, 255];

/** Attributes of a feature. */
export type Attributes = Readonly<Record<string, string | number | null>>;

/** A vector layer to be published, and what follows from the same figures. */
export interface VectorDraft {
  /** What the Item tells; `layer` is the last part of its id. */
  readonly item: Omit<TerrainItem, 'job' | 'ports' | 'runId' | 'box'>;
  readonly workspace: string;
  readonly dataset: string;
  /** Name of the map-server layer of a place. */
  readonly layerName: (place: string) => string;
  /** Extent of the Item, lon/lat. */
  readonly box: Box;
  readonly features: readonly Feature<MultiPolygon | MultiLineString, Attributes>[];
  /** Of the attributes, in their order. */
  readonly columns: readonly TableColumn[];
  /** What the geometry is. */
  readonly geometry: string;
  /** Its attribute is a number. */
  readonly style: VectorStyle;
  /** What the preview shows, in words. */
  readonly preview: string;
  /** Land that the preview shows below lines. */
  readonly ground?: { readonly outlines: readonly Outline[]; readonly color: string };
  /** Sheets that the Item tells of. */
  readonly tables: readonly Omit<PublishedTable, 'tehsilId' | 'itemId'>[];
  /** Files beside it, by the key of the asset. */
  readonly others?: Readonly<Record<string, ExtraAssetInput & { readonly content?: never }>>;
}

/** What publishing a layer of a run uses. */
export interface LayerTools extends Pick<DemRun, 'job' | 'ports' | 'files' | 'runId'> {
  /** What the Item says of how its figures were computed, after its description; left out: nothing. */
  readonly note?: string;
}

/** Writes GeoJSON, styles and preview of a vector layer, and its Item, validated: throws naming every fault rather than publish one. */
export async function publishVector(draft: VectorDraft, tools: LayerTools): Promise<Published> {
  const { job, ports, files } = tools;
  const { workspace, features } = draft;
  const id = terrainItemId(draft.item.layer, job.slugs);
  const name = fileName(id);
  const names = layerNamesOf(job.slugs, draft.layerName);
  const geojson = await files.write(`${name}.geojson`, JSON.stringify({ type: 'FeatureCollection', features }));
  await drawPreview(draft, ports, files.path(`${name}.png`));
  const style = { qml: vectorQml(draft.style), sld: vectorSld(names.layerName, draft.style) };
  const sides = await sideFiles(name, style, files);
  const item = itemOf(draft, { ...tools, layerName: names.layerName, geojson, sides });
  assertValid({ ...item });
  const faults = checkColumns(item, features);
  if (faults.length > 0) throw new DomainError('internal', `table:columns: ${faults.map(describeFinding).join('; ')}`);
  const tehsilId = job.place.tehsil.id;
  const record = { workspace, ...names, datasetName: draft.dataset, layerType: 'vector' } as const;
  return {
    items: [{ id, collectionPath: collectionOf(job.slugs), item: { ...item } }],
    layers: [{ ...record, tehsilId, itemId: id, assetKey: geojson.key, styleKey: sides.qml.key }],
    tables: draft.tables.map((table) => ({ ...table, tehsilId, itemId: id })),
  };
}

/** Polygons and lines in the colours of the style, of lines those with the greatest values on top. */
async function drawPreview(
  { features, style, ground: { outlines, color } = { outlines: [], color: '#ffffff' } }: VectorDraft,
  { pixels }: Pick<PipelinePorts, 'pixels'>,
  target: string,
): Promise<void> {
  const drawn = features.map(({ geometry, properties }) => ({
    geometry,
    value: numberOf(properties[style.attribute]),
  }));
  await pixels.zoneThumbnail({
    zones: [
      ...outlines.map((geometry) => ({ geometry, fill: opaque(color) })),
      ...drawn.flatMap(({ geometry, value }) =>
        geometry.type === 'MultiPolygon' ? [{ geometry, fill: opaque(stepColor(style, value)) }] : [],
      ),
    ],
    lines: drawn
      .toSorted((a, b) => (a.value ?? -Infinity) - (b.value ?? -Infinity))
      .flatMap(({ geometry, value }) =>
        geometry.type === 'MultiLineString' ? [{ geometry, color: opaque(stepColor(style, value)) }] : [],
      ),
    outline: OUTLINE,
    size: THUMBNAIL_SIZE,
    target,
  });
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const opaque = (color: string): Rgba => [...rgb(color), 255];

interface ItemFiles extends LayerTools {
  readonly layerName: string;
  readonly geojson: StoredFile;
  readonly sides: SideFiles;
}

function itemOf(draft: VectorDraft, given: ItemFiles): ReturnType<typeof vectorItem> {
  const { job, ports, runId, geojson, sides, layerName, note = '' } = given;
  const { item, box, workspace, others, style, preview } = draft;
  return vectorItem({
    ...terrainMembers({ ...item, description: item.description + note, job, ports, runId, box }),
    columns: columnInputs(draft.columns, draft.geometry),
    primaryGeometry: 'geometry',
    rowCount: draft.features.length,
    assets: {
      data: { href: ports.addresses.features(workspace, layerName), title: 'Vector Layer' },
      geojson: fileAsset(ports, geojson, 'GeoJSON'),
      ...sideAssets(ports, sides, { legend: stepsLegend(style), description: preview }),
      ...(others === undefined ? {} : { others }),
    },
  });
}
