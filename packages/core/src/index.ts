// Names that an embedder needs for its own sources, stores and pipelines. Other names are in sub-paths (README.md).
export * from './errors.ts';
export type { FieldErrors, FieldProblem } from './field-problems.ts';
export { SILENT, type Addresses, type Remedies, type Clock, type Logger } from './ports/host.ts';
export { outputGrid, type Box } from './geo/grid.ts';
export { boxOf, boxPolygon, featureGeometry, type Outline } from './geo/outlines.ts';
export { sphericalAreaHa } from './geo/spherical-area.ts';
export type * from './pipelines/pipeline.ts';
export { versionsOfNeeds, type DemNeed, type LayerNeed, type Need, type TableNeed } from './pipelines/needs.ts';
export { eoAccountField, placeFields, yearFields } from './pipelines/request-fields.ts';
export { loadPlace, mwsZones, requestOfPlace, resolvePlace, type ComputedPlace } from './places/computed-place.ts';
export {
  collectionIdOf,
  collectionOf,
  fileName,
  layerNamesOf,
  slugsOf,
  type IdSlugs,
  type PlaceSlugs,
} from './places/place-slugs.ts';
export { placeSlug } from '@headwater/stac';
export type { AssetFile, AssetStore, StoredFile } from './ports/assets.ts';
export type { ItemKey, LayerRecord, NewItem, NewLayer, PublishedItem } from './ports/catalog.ts';
export type {
  EarthObservation,
  Scene,
  SceneProcessing,
  SceneQuery,
  SceneSearch,
  Elevation,
  ElevationSource,
} from './ports/earth-observation.ts';
export type { CallerAccounts, EoAccount, EoAccountChange, EoAccountStore } from './ports/eo-accounts.ts';
export type { Importer, ImportRequest, ImportReport } from './ports/imports.ts';
export type { PixelGrid, ScratchRaster } from './ports/pixel-plan.ts';
export type { PixelEngine, Rgba, WorkContext, WrittenRaster, ZonalAreas, Zone } from './ports/pixels.ts';
export type { Mws, Place, PlaceBundle, PlaceStore, TehsilNames, Village } from './ports/places.ts';
export type { OpenedLayer, PublishedLayers, PublishedReads } from './ports/published.ts';
export type { Deliverable, Run, RunEvent, RunFailure, RunState } from './ports/runs.ts';
export type { DomainStores } from './ports/stores.ts';
export type { PublishedSeries, PublishedTable, StoredTable, TableCell, TableColumn, TableRow } from './ports/tables.ts';
export { createPipelineRegistry } from './runs/registry.ts';
export { systemTimers, type Timers } from './timing/timers.ts';
export type {
  AnyPipeline,
  RunPrincipal,
  RunService,
  RunWorker,
  StartOptions,
  StartedRun,
  WorkerSettings,
} from './runs/types.ts';
