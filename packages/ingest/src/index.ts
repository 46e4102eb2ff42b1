export { createDirectoryAssets, type LocalAssets } from './assets/directory-assets.ts';
export { type BucketAssets, type BucketAssetsOptions, createBucketAssets } from './assets/bucket/bucket-assets.ts';
export { openRecords } from './assets/bucket/records.ts';
export { type BucketUploads, createBucketUploads } from './assets/bucket/uploads.ts';
export { probeFolder } from './assets/probe-folder.ts';
export { attemptsIn } from './assets/prune-attempts.ts';
export { downloadFile, type DownloadLimits, type DownloadOptions } from './download/download-file.ts';
export {
  forgetDownload,
  isStored,
  noteStored,
  type Downloaded,
  type DownloadTarget,
} from './download/complete-file.ts';
export { type BoundaryFile, importBoundaries } from './download/import-boundaries.ts';
export { openElevation, type ElevationOptions } from './elevation/open-elevation.ts';
export { createImporters, type ImporterDeps } from './import/importers.ts';
export { DATASETS } from './places/datasets.ts';
export { PLACE_FILES } from './places/write-place.ts';
export { placesWithoutFiles, readPlacesInThread } from './places/read-places-in-thread.ts';
export { readPlaces, type PlaceNote, type PlaceProblem, type PlacesRead } from './places/read-places.ts';
export { EMBEDDED_ACCOUNT, savePlaces, seed, type Seeded, type SeedOptions } from './places/seed.ts';
export { placesFingerprint, watchPlaces, type PlacesWatch } from './places/watch-places.ts';
export { writePlace } from './places/write-place.ts';
export { openScenes, type SceneSources } from './scenes/catalogues.ts';
export { createEarthObservation, type EarthObservationOptions } from './scenes/earth-observation.ts';
export { sceneFromItem, type SceneOrReason } from './scenes/scene-from-item.ts';
export type { StacApiOptions } from './scenes/stac-api.ts';
export type { ReadJson } from './scenes/static-catalog.ts';
export type * from './import/shared/import-deps.ts';
export type { ImportDeps } from './import/shared/import-deps.ts';
export { workbookImporter } from './import/workbook/workbook-importer.ts';
export { seriesImporter } from './import/series/series-importer.ts';
export { layerImporter, type LayerImportDeps, type LayerTools } from './import/layer/layer-importer.ts';
export { BEING_IMPORTED } from './import/shared/publish-import.ts';
export { checkLayerOptions, layerOptions, type LayerOptions } from './import/layer/layer-options.ts';
export { catalogDocuments } from './own-scenes/catalog-documents.ts';
export { findScenes } from './own-scenes/find-scenes.ts';
export {
  type BandSource,
  type GivenRadiometry,
  type LeftOut,
  type OwnScene,
  type Radiometry,
  shownSource,
} from './own-scenes/own-scene.ts';
export { bandFile, earlierRadiometry, type MadeBand, sceneItem } from './own-scenes/scene-item.ts';
export { findUnnamedFiles } from './own-scenes/unnamed-files.ts';
export { unpackMember } from './own-scenes/zipped-product.ts';
export {
  type BadLine,
  type Dump,
  type DumpLine,
  type GoodLine,
  openDump,
  type RecordProblem,
} from './live-system/read-dump.ts';
export type { DumpFile, DumpHeader, DumpRecord, RecordOf, RecordType } from './live-system/dump-records.ts';
export { type LiveSystem, restRecords } from './live-system/rest-records.ts';
