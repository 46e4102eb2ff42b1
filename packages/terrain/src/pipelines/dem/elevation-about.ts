import type { Elevation } from '@headwater/core';
import type { LayerAbout } from '@headwater/layer-kit';

/** Elevations that a layer is made of, as far as the layer names them. */
export type ElevationSource = Pick<Elevation, 'title' | 'license' | 'attribution' | 'synthetic'>;

/** A layer that is made of elevations, as it describes itself. */
export type TerrainAbout = Pick<LayerAbout, 'layer' | 'title' | 'description' | 'lineage' | 'years'> & {
  readonly keywords: readonly string[];
};

/** The same with what its Item says of the elevations; `note` follows the description. Heights have no day. */
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
