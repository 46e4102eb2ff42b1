import type { Remedies } from '../ports/remedies.ts';

/** Said where the composition says nothing better. */
export const DEFAULT_REMEDIES: Remedies = {
  placeData: 'add them to its place as GeoJSON',
  elevation: 'Give the service a DEM that covers the place.',
  orchestrator: 'Give createHeadwater the backend of one.',
  scenes: 'Give the service Sentinel-2 scenes of that time, or ask for other years.',
};
