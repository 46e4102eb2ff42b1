import type { Remedies } from '@headwater/core';

/** Remedies for the operator of this server. */
export const REMEDIES: Remedies = {
  placeData:
    "put the place's boundaries and micro-watersheds into DATA_DIR/places as GeoJSON (layout in the documentation); the service reads them within seconds, without a restart",
  elevation:
    'Put elevations of the place into DATA_DIR/dem: a GeoTIFF (a DEM in EPSG:4326 or UTM, such as Copernicus GLO-30), or a STAC catalogue of such files. The service finds them without a restart. Or set DEM_STAC_API_URL.',
  orchestrator: 'Set ORCHESTRATOR_API_BASE, ORCHESTRATOR_DAG_ID and SERVICE_API_BASE, and restart the service.',
  callers:
    'The operator of this service can add the address to WORK_SERVICE_ADDRESSES, or set WORK_SERVICE_SECRET and give the secret to the caller; behind a proxy, TRUSTED_PROXIES must name the proxy.',
  sceneEngines: 'Set EARTH_ENGINE_SCENES=on for all processes of the service, and restart them.',
  scenes:
    'Set EO_STAC_API_URL, put a STAC catalogue with scenes of the place and the years into DATA_DIR/eo (headwater make-catalog FOLDER makes a catalogue from your own downloads), or request other years.',
};
