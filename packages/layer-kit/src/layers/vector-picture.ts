import { boxPolygon, type ComputedPlace, type Outline, type Rgba } from '@headwater/core';
import type { ZoneThumbnailRequest } from '@headwater/core/ports';
import type { Feature, MultiLineString, MultiPolygon, Point, Polygon, Position } from 'geojson';
import { rgb } from '../styles/ramp.ts';
import { featureColor, type VectorStyle } from '../styles/vector-style.ts';
import type { FeatureRow } from './described-columns.ts';

/** A feature of a vector layer, with properties `Row`. */
export type LayerFeature<Row extends FeatureRow = FeatureRow> = Feature<MultiPolygon | MultiLineString | Point, Row>;

/** Content of the preview of a vector layer. */
export interface VectorPicture<Row extends FeatureRow = FeatureRow> {
  readonly features: readonly LayerFeature<Row>[];
  readonly style: VectorStyle;
  /** Colours of the features (`#rrggbb`). Default: colours of the style. */
  readonly colors?: readonly string[];
  /** Width of a line in pixels, by its value of the style's attribute (0 if it has none). Default: 1. */
  readonly lineWidth?: (value: number) => number;
  /** Land below the features. Default: none, or the place's boundary in `PAPER` if all features are lines. */
  readonly ground?: { readonly outlines: readonly Outline[]; readonly color: string };
}

/** Colour of land without data. */
export const PAPER = '#ffffff';
/** Half of the side of a point's square, as a share of the longer side of the place's box. */
const POINT_SHARE = 0.008;

/**
 * Makes the content of a preview: ground, polygons, points as squares, lines. Lines with the greatest values are drawn
 * last.
 */
export function pictureOf(
  { features, style, colors, ground, lineWidth = () => 1 }: VectorPicture,
  { box, clip }: Pick<ComputedPlace, 'box' | 'clip'>,
): Required<Pick<ZoneThumbnailRequest, 'zones' | 'lines'>> {
  const half = POINT_SHARE * Math.max(box[2] - box[0], box[3] - box[1]);
  const drawn = features.map(({ geometry, properties }, index) => {
    const attribute = properties[style.attribute];
    const value = typeof attribute === 'number' ? attribute : null;
    return { geometry, value, color: opaque(colors?.[index] ?? featureColor(style, properties)) };
  });
  const zones = drawn.flatMap(({ geometry, color: fill }) => {
    if (geometry.type === 'MultiLineString') return [];
    return [{ geometry: geometry.type === 'Point' ? square(geometry.coordinates, half) : geometry, fill }];
  });
  const lines = drawn
    .toSorted((a, b) => (a.value ?? -Infinity) - (b.value ?? -Infinity))
    .flatMap(({ geometry, color, value }) =>
      geometry.type === 'MultiLineString' ? [{ geometry, color, width: lineWidth(value ?? 0) }] : [],
    );
  const below = ground ?? { outlines: zones.length === 0 ? clip.slice(0, 1) : [], color: PAPER };
  const fill = opaque(below.color);
  return { zones: [...zones, ...below.outlines.map((geometry) => ({ geometry, fill }))], lines };
}

const opaque = (color: string): Rgba => [...rgb(color), 255];

function square([lon = 0, lat = 0]: Position, half: number): Polygon {
  return boxPolygon([lon - half, lat - half, lon + half, lat + half]);
}
