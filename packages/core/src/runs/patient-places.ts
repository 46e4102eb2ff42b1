import type { PlaceStore } from '../ports/places.ts';
import { retrying, type RetryPolicy } from './retry.ts';

/** The same places; reads wait out a database that is away, so that a run does not fail for a restart of it. */
export function patientPlaces(places: PlaceStore, policy: RetryPolicy): PlaceStore {
  return {
    states: () => retrying(() => places.states(), policy),
    districts: (stateId) => retrying(() => places.districts(stateId), policy),
    tehsils: (districtId) => retrying(() => places.tehsils(districtId), policy),
    tehsilUnits: (districtId) => retrying(() => places.tehsilUnits(districtId), policy),
    findState: (slug) => retrying(() => places.findState(slug), policy),
    findDistrict: (stateId, slug) => retrying(() => places.findDistrict(stateId, slug), policy),
    findTehsil: (districtId, slug) => retrying(() => places.findTehsil(districtId, slug), policy),
    placeOfTehsil: (tehsilId) => retrying(() => places.placeOfTehsil(tehsilId), policy),
    namesakesOf: (tehsilId) => retrying(() => places.namesakesOf(tehsilId), policy),
    mwsOf: (tehsilId) => retrying(() => places.mwsOf(tehsilId), policy),
    villagesOf: (tehsilId) => retrying(() => places.villagesOf(tehsilId), policy),
    saveBundle: (bundle) => places.saveBundle(bundle),
    saveChanges: (changes, options) => places.saveChanges(changes, options),
    importedTehsils: () => retrying(() => places.importedTehsils(), policy),
    setActive: (unit, isActive) => places.setActive(unit, isActive),
    removeTehsil: (tehsilId) => places.removeTehsil(tehsilId),
    datasets: () => retrying(() => places.datasets(), policy),
    seedDatasets: (datasets) => places.seedDatasets(datasets),
  };
}
