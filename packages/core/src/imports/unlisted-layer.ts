/** Parts of names of layers that the live system makes for its own use and does not list. */
const UNLISTED = /run_off|evapotranspiration|precipitation/i;
const LISTED = /mws_connectivity/i;

/** True for a name of a layer that is served but stands in no list of layer records, as in the live system (wire-contract 2.6). */
export const isUnlistedLayer = (layerName: string): boolean => UNLISTED.test(layerName) && !LISTED.test(layerName);
