import type { Elevation } from '@headwater/core';
import type { LayerAbout } from '@headwater/layer-kit';

/** The members of elevations that a layer's description uses. */
export type ElevationSource = Pick<Elevation, 'title' | 'license' | 'attribution' | 'synthetic'>;

/** Description of a layer that is computed from elevations. */
export type TerrainAbout = Pick<LayerAbout, 'layer' | 'title' | 'description' | 'lineage' | 'years'> & {
  readonly keywords: readonly string[];
};

/** Adds the elevations to a layer's description; `note` follows the description. Heights have no date. */
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
