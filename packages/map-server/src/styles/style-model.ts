import type { Rgba } from '@headwater/core';
import type { XmlElement } from '../protocol/read-xml.ts';

/** Style of a layer; rules are in drawing order. */
export interface LayerStyle {
  /** Empty if the style has no title. */
  readonly title: string;
  readonly rules: readonly StyleRule[];
}

/** Symbols for selected features or for a raster. */
export interface StyleRule {
  /** Meaning in legends; empty if there is no title. */
  readonly title: string;
  /** Element `Filter`; null means all features. `filterOf` converts the element later, when the columns are known. */
  readonly filter: XmlElement | null;
  /** True if the rule selects the features that no other rule selects. */
  readonly isElse: boolean;
  /** The rule is drawn for denominators from `minScale` to below `maxScale`. */
  readonly minScale: number;
  readonly maxScale: number;
  readonly symbols: readonly StyleSymbol[];
}

export type StyleSymbol = RasterSymbol | PolygonSymbol | LineSymbol | PointSymbol | TextSymbol;

export interface RasterSymbol {
  readonly kind: 'raster';
  readonly opacity: number;
  /** Null means the colours of the file, or shades of grey. */
  readonly colors: ColorMap | null;
}

/**
 * Colours by value. `values`: exactly these values. `ramp`: interpolated, clamped at the ends. `intervals`: colour of
 * the first entry with a greater value; transparent from the last value on.
 */
export interface ColorMap {
  readonly type: 'values' | 'ramp' | 'intervals';
  /** Ascending by value. */
  readonly entries: readonly ColorEntry[];
}

export interface ColorEntry {
  readonly value: number;
  readonly color: Rgba;
  readonly label: string;
}

export interface PolygonSymbol {
  readonly kind: 'polygon';
  /** Null means no fill. */
  readonly fill: Rgba | null;
  readonly stroke: Stroke | null;
}

export interface LineSymbol {
  readonly kind: 'line';
  readonly stroke: Stroke;
}

export interface PointSymbol {
  readonly kind: 'point';
  readonly shape: 'circle' | 'square' | 'triangle' | 'star' | 'cross' | 'x';
  /** Diameter, px. */
  readonly size: number;
  readonly fill: Rgba | null;
  readonly stroke: Stroke | null;
}

export interface TextSymbol {
  readonly kind: 'text';
  /** Texts and property names that form the label. */
  readonly label: readonly ({ readonly text: string } | { readonly property: string })[];
  readonly font: {
    readonly family: string;
    readonly size: number;
    readonly isBold: boolean;
    readonly isItalic: boolean;
  };
  readonly color: Rgba;
  /** Outline of the letters; null: none. */
  readonly halo: { readonly color: Rgba; readonly radius: number } | null;
}

export interface Stroke {
  readonly color: Rgba;
  /** Width, px. */
  readonly width: number;
  /** Lengths of dashes and gaps, px; empty: solid. */
  readonly dashes: readonly number[];
}
