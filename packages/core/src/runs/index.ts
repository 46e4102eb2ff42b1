// `@headwater/core/runs`: functions that start, claim and execute runs.
export {
  type BackendParts,
  type ComputeBackend,
  localBackend,
  type Workflow,
  type WorkflowFailure,
  type WorkflowRun,
} from './backend.ts';
export {
  type Callback,
  callbackFingerprint,
  type Callbacks,
  computedFor,
  createCallbacks,
  isTokenOf,
} from './callbacks.ts';
export { checkData, DATA_LIMITS, firstTwice, rowKey } from './data-check.ts';
export { discardUnpublished } from './conclude.ts';
export { failureFields } from './failure.ts';
export { ABANDONED_IMPORT, IMPORT_PIPELINE, isImport, OWN_QUEUES, ownQueue } from './own-queues.ts';
export {
  idOfPath,
  collectionsOn,
  collectionTaken,
  itemGone,
  beingComputed,
  layerTaken,
  type CollectionName,
} from './name-conflicts.ts';
export type { WorkerQueue } from './claim-record.ts';
export { extentOfItems, joinedExtent, publishedTehsils, withItemForm } from './publication.ts';
// Exported for the stores, which compute the common properties of a Collection's Items.
export { joinMembers, membersOf } from '@headwater/stac';
export { orderPipeline } from './order.ts';
export type { ScopeCoordinator } from './scope-coordinator.ts';
export { isScopeRun, SCOPE_PIPELINE, scopeParams } from './scope-run.ts';
export { isOpenPart, partRefused, partState, secondsOfPart, summarize } from './scope-report.ts';
export { endOwnLeases } from './worker-start.ts';
export { requestFor, type RequestParts, withoutBulk } from './request-for.ts';
export { createSoleProcess, DRAINING_UNTIL, LAST_BACKUP_AT } from './sole-installation.ts';
export { createPipelineRegistry, inDependencyOrder, sharedRoutes } from './registry.ts';
export { isRunId, newRunId, unknownRun } from './run-id.ts';
export { createRunService, type RunServiceDeps } from './service.ts';
export { createRunSignals, isCancelledWith, observedRunStore, relayChanges, type RunSignals } from './signals.ts';
export { checkTableRoom, withAddedAssets } from './table-assets.ts';
export { WORKER_DEFAULTS } from './worker-settings.ts';
export { createRunWorker, type RunWorkerDeps } from './worker.ts';
export {
  CANCELLED,
  cancelledWith,
  claimRefusal,
  countsAsOpen,
  failedDependency,
  DEFAULT_QUEUE,
  hasEnded,
  isUnowned,
  keyReused,
  noResult,
  stateEventData,
  tooManyOfAddress,
  tooManyOpen,
  waitingStep,
  waitsForItself,
} from './transitions.ts';
export type {
  AnyPipeline,
  ItemCheck,
  ItemFinding,
  LayerOrder,
  OrderNode,
  PipelineRegistry,
  RunListQuery,
  RunLogLine,
  RunPage,
  RunEstimate,
  RunPreview,
  RunPrincipal,
  RunService,
  RunWorker,
  ScopeArea,
  StartOptions,
  StartedNode,
  StartedOrder,
  StartedRun,
  WorkerSettings,
} from './types.ts';
export { callMark, callOf, WAIT_SECONDS_PER_KM2 } from './calls.ts';
export { replacedYearsOf } from './replaced-years.ts';
export { tooManyJobs } from './too-many-jobs.ts';
export { withExecute } from './with-execute.ts';
