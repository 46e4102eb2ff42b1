import {
  collectionOf,
  columnInputs,
  type ComputedPlace,
  type Deliverable,
  DomainError,
  featureGeometry,
  fileName,
  layerNamesOf,
  type PipelineContext,
  type PipelinePorts,
  type PublishedTable,
  rgb,
  type RunFiles,
  stepColor,
  stepsLegend,
  type TableColumn,
  type VectorStyle,
  vectorQml,
  vectorSld,
} from '@headwater/core';
import { assertValid, checkColumns, describeFinding, type ExtraAssetInput, vectorItem } from '@headwater/stac';
import type { Feature, FeatureCollection, MultiPolygon } from 'geojson';
import { fileAsset, sideAssets, sideFiles, THUMBNAIL_SIZE } from './assets.ts';
import { terrainItemId, terrainMembers, type TerrainItem } from './item-members.ts';

const OUTLINE = [35, 35, 35, 255] as const;

/** Attributes of a micro-watershed. */
export type MwsProperties = Readonly<Record<string, string | number | null>>;

/** A layer of micro-watersheds, with its sheet. */
export interface MwsLayerDraft {
  readonly workspace: string;
  readonly dataset: string;
  /** Name of the map-server layer of a place. */
  readonly layerName: (place: string) => string;
  /** What the Item tells; `layer` is the last part of its id. */
  readonly item: Omit<TerrainItem, 'job' | 'ports' | 'runId' | 'box'>;
  /** Of the attributes, in their order. */
  readonly columns: readonly TableColumn[];
  /** An entry for each micro-watershed of the place, in the place's order. */
  readonly properties: readonly MwsProperties[];
  /** Its attribute is a number. */
  readonly style: VectorStyle;
  /** What the preview shows. */
  readonly preview: string;
  readonly sheet: Pick<PublishedTable, 'name' | 'columns' | 'rows'>;
  /** Files beside it, by the key of the asset. */
  readonly others?: Readonly<Record<string, ExtraAssetInput & { readonly content?: never }>>;
}

/** What writing such a layer may use. */
export interface MwsLayerTools {
  readonly job: ComputedPlace;
  readonly ports: PipelinePorts;
  readonly context: Pick<PipelineContext, 'run'>;
  readonly files: RunFiles;
}

/** Writes the files of a layer of micro-watersheds; its Item, validated, its record and its sheet. Throws `internal` where columns and attributes differ. */
export async function mwsLayer(
  draft: MwsLayerDraft,
  tools: MwsLayerTools,
): Promise<Pick<Deliverable, 'items' | 'layers' | 'tables'>> {
  const { workspace, style, sheet } = draft;
  const { job, ports, context, files } = tools;
  const id = terrainItemId(draft.item.layer, job.slugs);
  const name = fileName(id);
  const names = layerNamesOf(job.slugs, draft.layerName);
  const layer = collection(draft, tools);
  const geojson = await files.write(`${name}.geojson`, JSON.stringify(layer));
  await ports.pixels.zoneThumbnail({
    zones: layer.features.map(({ geometry, properties }) => ({ geometry, fill: fillOf(style, properties) })),
    outline: OUTLINE,
    size: THUMBNAIL_SIZE,
    target: files.path(`${name}.png`),
  });
  const sides = await sideFiles(name, { qml: vectorQml(style), sld: vectorSld(names.layerName, style) }, files);
  const item = vectorItem({
    ...terrainMembers({ ...draft.item, job, ports, runId: context.run.id, box: job.mwsBox }),
    columns: columnInputs(
      draft.columns,
      'Outline of the micro-watershed, MultiPolygon, longitude and latitude (EPSG:4326)',
    ),
    primaryGeometry: 'geometry',
    rowCount: layer.features.length,
    assets: {
      data: { href: ports.addresses.features(workspace, names.layerName), title: 'Vector Layer' },
      geojson: fileAsset(ports, geojson, 'GeoJSON'),
      ...sideAssets(ports, sides, { legend: stepsLegend(style), description: draft.preview }),
      ...(draft.others === undefined ? {} : { others: draft.others }),
    },
  });
  assertValid({ ...item });
  const faults = checkColumns(item, layer.features);
  if (faults.length > 0) throw new DomainError('internal', `table:columns: ${faults.map(describeFinding).join('; ')}`);
  const tehsilId = job.place.tehsil.id;
  const record = { workspace, ...names, datasetName: draft.dataset, layerType: 'vector' } as const;
  return {
    items: [{ id, collectionPath: collectionOf(job.slugs), item: { ...item } }],
    layers: [{ ...record, tehsilId, itemId: id, assetKey: geojson.key, styleKey: sides.qml.key }],
    tables: [{ ...sheet, tehsilId, key: 'uid', itemId: id }],
  };
}

function collection(
  { properties }: MwsLayerDraft,
  { job }: MwsLayerTools,
): FeatureCollection<MultiPolygon, MwsProperties> {
  const features = job.mws.map(({ geometry }, index): Feature<MultiPolygon, MwsProperties> => {
    const own = properties[index];
    if (own === undefined) throw new RangeError(`there are no attributes of micro-watershed ${index}`);
    return { type: 'Feature', properties: own, geometry: featureGeometry(geometry) };
  });
  return { type: 'FeatureCollection', features };
}

function fillOf(style: VectorStyle, properties: MwsProperties): readonly [number, number, number, number] {
  const value = properties[style.attribute];
  return [...rgb(stepColor(style, typeof value === 'number' ? value : null)), 255];
}
