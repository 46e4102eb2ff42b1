import type { Elevation, Outline } from '@headwater/core';
import type { LayerAbout } from '@headwater/layer-kit';
import { multiCoordinates } from '@headwater/core/geo';
import type { Position } from 'geojson';
import { z } from 'zod';

/** Facts about elevations for a layer's description. */
export type ElevationSource = Pick<Elevation, 'title' | 'license' | 'attribution' | 'synthetic'>;

/** Texts about a layer from elevations. */
export type TerrainAbout = Pick<LayerAbout, 'layer' | 'title' | 'description' | 'lineage' | 'years'> & {
  readonly keywords: readonly string[];
};

/** Adds facts about elevations and `note` to a layer's description. */
export const elevationAbout = (
  about: TerrainAbout,
  { source, method, note = '' }: { readonly source: ElevationSource; readonly method: string; readonly note?: string },
): LayerAbout => ({
  ...about,
  description: `${about.description}${note} Elevations: ${source.title} (licence: ${source.license}).`,
  lineage: `${about.lineage}, method ${method}`,
  keywords: ['terrain', ...about.keywords],
  attribution: source.attribution,
  synthetic: source.synthetic === true,
  extra: { 'headwater:elevation_title': source.title, 'headwater:elevation_license': source.license },
});

/** Rings (lon/lat) of a zone's polygons, with holes. */
export type ZoneRings = readonly (readonly Position[])[];

/** Zones as parameters of a block function. */
export const zoneRings = z.array(z.array(z.array(z.array(z.number()))));

/** Rings of an outline. */
export const ringsOf = (outline: Outline): ZoneRings => multiCoordinates([outline]).flat();
