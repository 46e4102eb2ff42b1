import { html } from 'hono/html';
import type { Html } from '../../../pages/layout.ts';
import { mapScript, type MapSurroundings } from '../../../pages/map-data.ts';
import type { NumberClass } from '../../../pages/number-classes.ts';
import type { MapBox } from '../../../pages/places-map.ts';

/** Data of the interactive map of places, for the script of the maps. All addresses are of this origin. */
export interface PlacesMap extends MapSurroundings {
  /** Box that is shown first. */
  readonly box: MapBox;
  /** Address of the outlines; the script adds the box that is shown. */
  readonly outlines: string;
  /** Classes of the number of layers of a place. */
  readonly classes: readonly NumberClass[];
}

/** The place of the interactive map below the drawn one, and its script. Without script nothing is shown. */
export function placesMapPart(map: PlacesMap, prefix: string): Html {
  return html`<div class="mapplace" lang="${map.language}" data-places="${JSON.stringify(map)}"></div>
    ${mapScript(prefix)}`;
}
