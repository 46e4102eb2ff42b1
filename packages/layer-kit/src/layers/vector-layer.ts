import { boxOf, boxPolygon, DomainError, fileName, layerNamesOf } from '@headwater/core';
import { FEATURE_SHAPE } from '@headwater/core/pipelines';
import { checkColumns, describeFinding, type ExtraAssetInput, vectorItem } from '@headwater/stac';
import { vectorQml } from '../styles/qml.ts';
import { vectorSld } from '../styles/sld.ts';
import type { VectorShape } from '../styles/vector-style.ts';
import type { ColumnsOf, FeatureRow } from './described-columns.ts';
import {
  fileAsset,
  OUTLINE_COLOR,
  type Shown,
  sideAssets,
  type StyleTexts,
  THUMBNAIL_SIZE,
  writeStyles,
} from './layer-files.ts';
import { type LayerDraft, type LayerTools, type MadeLayer, madeLayer } from './made-layer.ts';
import { columnInputs } from './mws-columns.ts';
import { type LayerFeature, pictureOf, type VectorPicture } from './vector-picture.ts';

/** A vector layer to be published, whose features have properties `Row`. */
export interface VectorLayerDraft<Row extends FeatureRow = FeatureRow> extends LayerDraft, VectorPicture<Row> {
  /** Of the features' properties, in their order; where `Row` is known, from `describedColumns<Row>`. */
  readonly columns: ColumnsOf<NoInfer<Row>>;
  /** What the geometry is. */
  readonly geometry: string;
  /** What the preview shows. */
  readonly shown: Shown;
  /** Style files as somebody made them, in place of those that follow from `style`. */
  readonly styleTexts?: Partial<StyleTexts>;
  /** Files beside it, by the key of the asset. */
  readonly others?: Readonly<Record<string, ExtraAssetInput & { readonly content?: never }>>;
}

const SHAPES: Readonly<Record<LayerFeature['geometry']['type'], VectorShape>> = {
  MultiPolygon: 'polygon',
  MultiLineString: 'line',
  Point: 'point',
};

function shapeOf(features: readonly LayerFeature[]): Readonly<Record<typeof FEATURE_SHAPE, VectorShape>> | undefined {
  const [shape, ...others] = new Set(features.map(({ geometry }) => SHAPES[geometry.type]));
  return shape === undefined || others.length > 0 ? undefined : { [FEATURE_SHAPE]: shape };
}

/**
 * Writes GeoJSON, styles and preview of a vector layer, and its Item, validated. Throws `internal` where columns and features differ: names
 * that no type knows, and values of other kinds.
 */
export async function publishVectorLayer<Row extends FeatureRow>(
  draft: VectorLayerDraft<Row>,
  tools: LayerTools,
): Promise<MadeLayer> {
  const { job, ports, files } = tools;
  const { members, workspace, features, style, shown, others } = draft;
  const name = fileName(members.id);
  const { layerName } = layerNamesOf(job.slugs, draft.layerName);
  const file = await files.write(`${name}.geojson`, JSON.stringify({ type: 'FeatureCollection', features }));
  const drawn = { qml: vectorQml(style), sld: vectorSld(layerName, style), ...draft.styleTexts };
  const styles = await writeStyles(name, drawn, files);
  const picture = pictureOf(draft, job);
  const target = files.path(`${name}.png`);
  await ports.pixels.zoneThumbnail({ ...picture, outline: OUTLINE_COLOR, size: THUMBNAIL_SIZE, target });
  const png = await files.stat(`${name}.png`);
  const item = vectorItem({
    ...members,
    // What the preview shows, so that the scale beside it is true.
    geometry: boxPolygon(boxOf(picture.zones.map(({ geometry }) => geometry))),
    extra: { ...members.extra, ...shapeOf(features) },
    columns: columnInputs(draft.columns, draft.geometry),
    primaryGeometry: 'geometry',
    rowCount: features.length,
    assets: {
      data: { href: ports.addresses.features(workspace, layerName), title: 'Vector Layer' },
      geojson: fileAsset(ports, file, 'GeoJSON'),
      ...sideAssets(ports, { ...styles, png }, shown),
      ...(others === undefined ? {} : { others }),
    },
  });
  const faults = checkColumns(item, features).filter(({ severity }) => severity === 'error');
  if (faults.length > 0)
    throw new DomainError('internal', `table:columns and features differ: ${faults.map(describeFinding).join('; ')}`);
  return madeLayer(draft, { item, layerType: 'vector', file, styles }, job);
}
