import type { Rgba } from '@headwater/core';
import type { XmlElement } from '../protocol/read-xml.ts';

/** Style of a layer: rules in the order in which they are drawn. */
export interface LayerStyle {
  /** Title of the style; empty if the style has no title. */
  readonly title: string;
  readonly rules: readonly StyleRule[];
}

/** Symbols for the features that a filter selects, or for a raster. */
export interface StyleRule {
  /** Meaning of the symbols, for legends; empty if the rule has no title. */
  readonly title: string;
  /**
   * Element `Filter`; null means all features. The element is converted later, by `filterOf` of `features/fes.ts`,
   * because the conversion needs the columns of the layer.
   */
  readonly filter: XmlElement | null;
  /** True if the rule selects the features that no other rule selects. */
  readonly isElse: boolean;
  /** The rule is drawn if the denominator of the scale is at least `minScale` and less than `maxScale`. */
  readonly minScale: number;
  readonly maxScale: number;
  readonly symbols: readonly StyleSymbol[];
}

export type StyleSymbol = RasterSymbol | PolygonSymbol | LineSymbol | PointSymbol | TextSymbol;

export interface RasterSymbol {
  readonly kind: 'raster';
  readonly opacity: number;
  /** Null means the colours of the file, or shades of grey if the file has no colours. */
  readonly colors: ColorMap | null;
}

/**
 * Colours by value. `values`: only exactly these values have a colour. `ramp`: colours are interpolated between the
 * values; values outside of the ramp get the first or the last colour. `intervals`: a pixel has the colour of the first
 * entry with a greater value, and is transparent from the last value on.
 */
export interface ColorMap {
  readonly type: 'values' | 'ramp' | 'intervals';
  /** In ascending order of values. */
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
  /** Texts and names of properties that make the label. */
  readonly label: readonly ({ readonly text: string } | { readonly property: string })[];
  readonly font: {
    readonly family: string;
    readonly size: number;
    readonly isBold: boolean;
    readonly isItalic: boolean;
  };
  readonly color: Rgba;
  /** Outline of the letters; null means no outline. */
  readonly halo: { readonly color: Rgba; readonly radius: number } | null;
}

export interface Stroke {
  readonly color: Rgba;
  /** Width, px. */
  readonly width: number;
  /** Lengths of dashes and gaps, px; an empty list means a solid line. */
  readonly dashes: readonly number[];
}
