import { html } from 'hono/html';
import type { Html } from '../../../pages/layout.ts';
import { type MapSurroundings, mapScript } from '../../../pages/map-data.ts';

/** Data of the interactive map of a layer. All addresses except those of backgrounds are of this origin. */
export interface ItemMap extends MapSurroundings {
  readonly title: string;
  /** West, south, east, north in degrees. */
  readonly box: readonly [west: number, south: number, east: number, north: number];
  /** Classes of a raster with the colours of its legend. */
  readonly classes: readonly {
    readonly value: number;
    readonly title: string;
    /** `#rrggbb`; undefined for a class that is not drawn. */
    readonly color: string | undefined;
  }[];
  /** Style and unit of a raster of measured values. */
  readonly ramp:
    | {
        /** Address of an SLD whose colour map is a ramp. */
        readonly style: string;
        /** '' for values without unit. */
        readonly unit: string;
      }
    | undefined;
  /** Years of a raster that the page shows; empty for a vector layer. */
  readonly years: readonly {
    readonly label: string;
    readonly raster: string;
    readonly confidence: string | undefined;
    /** True for the layer of the page. */
    readonly isThis: boolean;
  }[];
  /** Polygons of a vector layer, or polygons with figures that are shown over a raster. */
  readonly zones:
    | {
        /** Address of a GeoJSON file. */
        readonly href: string;
        readonly columns: readonly { readonly name: string; readonly title: string }[];
        /** Address of an SLD that colours the polygons; default: only outlines. */
        readonly style?: string;
      }
    | undefined;
}

/** The interactive map and its script. Without script nothing is shown. */
export function mapPart(map: ItemMap, prefix: string): Html {
  return html`<div class="mapplace" lang="${map.language}" data-map="${JSON.stringify(map)}"></div>
    ${mapScript(prefix)}`;
}
