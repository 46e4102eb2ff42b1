import { boxOf, boxPolygon, DomainError, fileName, layerNamesOf } from '@headwater/core';
import { FEATURE_SHAPE } from '@headwater/core/pipelines';
import { checkColumns, describeFinding, type ExtraAssetInput, vectorItem } from '@headwater/stac';
import { vectorQml } from '../styles/qml.ts';
import { vectorSld } from '../styles/sld.ts';
import type { VectorShape, VectorStyle } from '../styles/vector-style.ts';
import type { ColumnsOf, FeatureRow } from './described-columns.ts';
import {
  fileAsset,
  OUTLINE_COLOR,
  type PreviewText,
  sideAssets,
  type StyleTexts,
  THUMBNAIL_SIZE,
  writeStyles,
} from './layer-files.ts';
import { type LayerDraft, type LayerTools, type RunOutput, layerOutput } from './layer-output.ts';
import { columnInputs } from './mws-columns.ts';
import { type LayerFeature, pictureOf, type VectorPicture } from './vector-picture.ts';

/** A vector layer to publish, with feature properties `Row`. */
export interface VectorLayerDraft<Row extends FeatureRow = FeatureRow>
  extends LayerDraft, Omit<VectorPicture<Row>, 'style'> {
  /** Style of the layer. Without a style, the layer has no style files and no preview. */
  readonly style?: VectorStyle;
  /** Columns of the features, made by `describedColumns<Row>` if the names are known at compile time. */
  readonly columns: ColumnsOf<NoInfer<Row>>;
  /** Description of the geometry. */
  readonly geometry: string;
  /** Description and legend of the preview. */
  readonly shown?: PreviewText;
  /** Name of the files without ending. Default: `fileName` of the Item id. */
  readonly fileName?: string;
  /** Style files that replace the generated files. */
  readonly styleTexts?: Partial<StyleTexts>;
  /** Further files by asset key. */
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
 * Writes GeoJSON, styles and preview of a vector layer; returns its validated Item and its records. Throws `internal`
 * if columns and features differ.
 */
export async function publishVectorLayer<Row extends FeatureRow>(
  draft: VectorLayerDraft<Row>,
  tools: LayerTools,
): Promise<RunOutput> {
  const { job, ports, files } = tools;
  const { members, workspace, features, style, others } = draft;
  const name = draft.fileName ?? fileName(members.id);
  const { layerName } = layerNamesOf(job.slugs, draft.layerName);
  const file = await files.write(`${name}.geojson`, JSON.stringify({ type: 'FeatureCollection', features }));
  const drawn = style && (await draw({ ...draft, style }, tools, { name, layerName }));
  const item = vectorItem({
    ...members,
    geometry: boxPolygon(drawn?.box ?? job.box),
    extra: { ...members.extra, ...shapeOf(features) },
    columns: columnInputs(draft.columns, draft.geometry),
    primaryGeometry: 'geometry',
    rowCount: features.length,
    assets: {
      data: { href: ports.addresses.features(workspace, layerName), title: 'Vector Layer' },
      geojson: fileAsset(ports, file, 'GeoJSON'),
      ...(drawn && sideAssets(ports, drawn, draft.shown)),
      ...(others === undefined ? {} : { others }),
    },
  });
  const faults = checkColumns(item, features).filter(({ severity }) => severity === 'error');
  if (faults.length > 0)
    throw new DomainError('internal', `table:columns and features differ: ${faults.map(describeFinding).join('; ')}`);
  return layerOutput(draft, { item, layerType: 'vector', file, styles: drawn }, job);
}

/**
 * Writes styles and preview. The result has `box`, the extent of the preview. The Item's geometry is this box, because
 * pages compute the scale bar from this geometry.
 */
async function draw<Row extends FeatureRow>(
  draft: VectorPicture<Row> & Pick<VectorLayerDraft<Row>, 'styleTexts'>,
  { job, ports, files }: LayerTools,
  { name, layerName }: { readonly name: string; readonly layerName: string },
) {
  const { style, styleTexts } = draft;
  const styles = await writeStyles(
    name,
    { qml: vectorQml(style), sld: vectorSld(layerName, style), ...styleTexts },
    files,
  );
  const picture = pictureOf(draft, job);
  const target = files.path(`${name}.png`);
  await ports.pixels.zoneThumbnail({ ...picture, outline: OUTLINE_COLOR, size: THUMBNAIL_SIZE, target });
  const box = boxOf(picture.zones.map(({ geometry }) => geometry));
  return { ...styles, png: await files.stat(`${name}.png`), box };
}
