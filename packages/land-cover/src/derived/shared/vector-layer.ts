import {
  boxOf,
  DomainError,
  type Outline,
  type ZoneThumbnailRequest,
  rgb,
  stepColor,
  stepsLegend,
  type TableColumn,
  type VectorStyle,
  vectorQml,
  vectorSld,
  collectionOf,
  fileName,
} from '@headwater/core';
import { assertValid, checkColumns, describeFinding, type ExtraAssetInput, vectorItem } from '@headwater/stac';
import type { Feature, FeatureCollection, MultiPolygon, Point, Polygon, Position } from 'geojson';
import { asset, sideAssets } from '../../items/item-assets.ts';
import type { MwsPreview } from '../../items/mws-preview.ts';
import { columnInputs } from './columns.ts';
import { itemIdOf, type ItemWork, layerNamesOf, type LayerSpec, membersOf, type Words } from './described.ts';
import type { MadeLayer } from './derived-pipeline.ts';

const THUMBNAIL_SIZE = 512;
const OUTLINE = [35, 35, 35, 255] as const;
const PAPER = [255, 255, 255, 255] as const;
/** Half the side of the square that stands for a point in previews, as a share of the longer side of the box. */
const POINT_SHARE = 0.008;

/** A feature of a derived layer. */
export type LayerFeature = Feature<
  MultiPolygon | Point,
  Readonly<Record<string, string | number | null | readonly string[]>>
>;

/** A vector layer to be published. */
export interface VectorDraft {
  readonly spec: LayerSpec;
  readonly words: Words;
  readonly features: readonly LayerFeature[];
  /** Of the features' properties, in their order. */
  readonly columns: readonly TableColumn[];
  /** What the geometry is. */
  readonly geometry: string;
  readonly style: VectorStyle;
  /** How the preview is drawn; left out: by the style. */
  readonly preview?: MwsPreview;
  /** Land that the preview shows as paper where no feature lies; left out: none, but for the tehsil where there is no feature. */
  readonly paper?: readonly Outline[];
  /** Files beside it, by the key of the asset. */
  readonly others?: Readonly<Record<string, ExtraAssetInput & { readonly content?: never }>>;
}

/** Writes the files of a vector layer, and its Item, validated. Throws `internal` where columns and features differ. */
export async function writeVectorLayer(draft: VectorDraft, work: ItemWork): Promise<MadeLayer> {
  const { spec, words, features, style } = draft;
  const { job, ports, files } = work;
  const id = itemIdOf(job.slugs, spec);
  const names = layerNamesOf(job.slugs, spec);
  const name = fileName(id);
  const collection: FeatureCollection<LayerFeature['geometry'], LayerFeature['properties']> = {
    type: 'FeatureCollection',
    features: [...features],
  };
  const geojson = await files.write(`${name}.geojson`, JSON.stringify(collection));
  const qml = await files.write(`${name}.qml`, vectorQml(style));
  const sld = await files.write(`${name}.sld`, vectorSld(names.layerName, style));
  const zones = zonesOf(draft, work);
  await ports.pixels.zoneThumbnail({
    zones,
    outline: OUTLINE,
    size: THUMBNAIL_SIZE,
    target: files.path(`${name}.png`),
  });
  // What the preview shows, so that the scale beside it is true.
  const box = boxOf(zones.map(({ geometry }) => geometry));
  const png = await files.stat(`${name}.png`);
  const shows = draft.preview ?? { legend: stepsLegend(style), caption: style.title };
  const item = vectorItem({
    ...membersOf(spec, { words, box }, work),
    columns: columnInputs(draft.columns, draft.geometry),
    primaryGeometry: 'geometry',
    rowCount: features.length,
    assets: {
      data: { href: ports.addresses.features(spec.workspace, names.layerName), title: 'Vector Layer' },
      geojson: asset(ports, geojson, 'GeoJSON'),
      ...sideAssets(ports, { qml, sld, png }, shows),
      ...(draft.others === undefined ? {} : { others: draft.others }),
    },
  });
  assertValid(item);
  // Without a feature there is nothing that columns could differ from.
  const faults = features.length === 0 ? [] : checkColumns(item, features);
  if (faults.length > 0)
    throw new DomainError('internal', `table:columns and features differ: ${faults.map(describeFinding).join('; ')}`);
  return {
    item: { id, collectionPath: collectionOf(job.slugs), item: { ...item } },
    layer: {
      workspace: spec.workspace,
      ...names,
      datasetName: spec.dataset,
      layerType: 'vector',
      tehsilId: job.place.tehsil.id,
      itemId: id,
      assetKey: geojson.key,
      styleKey: qml.key,
    },
  };
}

/** Features in their colours, and below them paper: of two zones that cover a pixel alike the first is seen. */
function zonesOf({ features, style, preview, paper }: VectorDraft, { job }: ItemWork): ZoneThumbnailRequest['zones'] {
  const { box, clip } = job;
  const half = POINT_SHARE * Math.max(box[2] - box[0], box[3] - box[1]);
  const drawn = features.map(({ geometry, properties }, index) => {
    const value = properties[style.attribute];
    const color = preview?.colors[index] ?? stepColor(style, typeof value === 'number' ? value : null);
    const fill = [...rgb(color), 255] as const;
    return { geometry: geometry.type === 'Point' ? square(geometry.coordinates, half) : geometry, fill };
  });
  const below = paper ?? (features.length === 0 ? clip.slice(0, 1) : []);
  return [...drawn, ...below.map((geometry) => ({ geometry, fill: PAPER }))];
}

function square([lon = 0, lat = 0]: Position, half: number): Polygon {
  const [west, south, east, north] = [lon - half, lat - half, lon + half, lat + half];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}
