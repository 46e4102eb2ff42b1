export { createHeadwater, type Headwater } from './headwater.ts';
export { createQueueWorker, type QueueWorker, type QueueWorkerOptions } from './composition/queue-worker.ts';
export type {
  EndedRun,
  HeadwaterEmitter,
  HeadwaterEvents,
  PublishedItemFacts,
  RunFacts,
} from './composition/headwater-events.ts';
export type { Metric, TelemetryApi, TelemetryOptions, TelemetrySpan } from './seam/telemetry.ts';
export { EXAMPLE_METRICS_TOKEN, metricsReader } from './features/system/rows/metrics.ts';
export type { Metrics, MetricsOptions, PoolFigures, SceneCacheFigures } from './seam/metrics.ts';
export type { HealthPart } from './health/report.ts';
export type { Publication, PublicationOptions } from './layers/publication.ts';
export type {
  ComputeOptions,
  ComputeParts,
  HeadwaterOptions,
  IdentityOptions,
  ImportParts,
  LimitOptions,
  WorkServiceGroup,
} from './headwater-options.ts';
export {
  type JobTrigger,
  type NewJob,
  WORK_SERVICE,
  type WorkServiceOptions,
} from './features/work-service/settings.ts';
export { USER_LIMITS, type UserLimits } from './limits/user-limits.ts';
export type { ItemMap } from './features/stac-api/page/item-map.ts';
export type { AdminParts, ConstantDocuments, ServiceDeps } from './deps.ts';
export type {
  AdminActed,
  AdminAction,
  AdminAdded,
  AdminCaller,
  AdminChoice,
  AdminColumn,
  AdminDetail,
  AdminField,
  AdminFilter,
  AdminPage,
  AdminQuery,
  AdminResource,
  AdminRow,
  AdminTexts,
  AdminValue,
  LocalText,
} from './seam/admin-resource.ts';
export {
  credentialReason,
  type CredentialCheck,
  type CredentialStep,
  type EoCredentials,
  type UploadedKey,
} from './seam/eo-credentials.ts';
export type { EoExporter, EoExporterParts } from './seam/eo-exporter.ts';
export type { PlacesMap } from './features/discovery/page/places-page.ts';
export { backgroundProblem, type MapBackground } from './pages/map-backgrounds.ts';
export type { MapTexts } from './pages/map-texts.ts';
export type { OpenApiDocument, OpenApiOperation } from './openapi/document.ts';
export type { OperationName, RequestBody, Service, ServiceRequest, ServiceResponse } from './seam/request.ts';
export {
  operation,
  type CorsRule,
  type Method,
  type Operation,
  type OperationExample,
  type OperationInput,
  type ResponseSpec,
} from './rows/operation.ts';
export type { ApiViewer, Guide, GuideFile, MapViewer } from './seam/viewers.ts';
export { json, type Prepared, type Reply } from './seam/reply.ts';
export { prepared, type PreparedOptions } from './caching/prepared.ts';
export {
  bodySpec,
  bytesBody,
  fieldsBody,
  partsBody,
  type BytesBody,
  type FieldsBody,
  type FieldsKind,
  type FieldsOptions,
  type Part,
  type PartLimits,
  type PartsBody,
  type RowBody,
} from './seam/row-body.ts';
export { buildOperations } from './features/index.ts';
export { type Feature, FEATURES } from './rows/common.ts';
export type { HostAuthenticate, HostRequest } from './sessions/host-sign-in.ts';
export type { HostSignIn, ScreensOption } from './sessions/screens.ts';
export type { ActivationRule } from './features/public-data/rows/places.ts';
export type { WorkflowAccess } from './features/work-service/workflow-policy.ts';
export {
  EXAMPLE_COLLECTION,
  EXAMPLE_FILES,
  EXAMPLE_ITEM,
  EXAMPLE_LAYERS,
  EXAMPLE_NAMES,
  EXAMPLE_PLACE,
  EXAMPLE_POINT,
  EXAMPLE_RUN,
  EXAMPLE_TABLE,
  EXAMPLE_UID,
} from './rows/example-world.ts';
export { generateOpenApi, openApiPath, type DocumentFacts } from './openapi/generate.ts';
export { catalogTree, type CatalogTree, type CatalogTreeOptions } from './features/stac-api/catalog-tree.ts';
export { createAddresses, storedAddresses } from './wire/addresses.ts';
export { createService, nativePaths, type ServiceOptions } from './service/create-service.ts';
export { checkedExport } from './features/work-service/handlers/export-asset.ts';
export { type RunResultOptions, type ResultSources, runResult } from './features/runs/handlers/run-result.ts';
export { readWireParameters, type WireParameter, wireParameters } from './features/runs/schemas/parameters.ts';
export { STATUS_OF } from './wire/status.ts';
export { type WireError, wireMessage } from './wire/wire-error.ts';
export type { ErrorFormat } from './wire/wordings/index.ts';
export type { Wording, WordingContext } from './wire/wordings/wording.ts';
export { toFetchHandler, type FetchContext, type FetchOptions } from './hosts/fetch-handler.ts';
export { createNodeAnswer, type NodeResponder } from './hosts/answer-exchange.ts';
export { nodeRequest, type NodeExchange } from './hosts/node-request.ts';
export { answerClientError } from './hosts/answer-client-error.ts';
export { mapServerOnly } from './hosts/map-server-only.ts';
export { guardServer, SERVER_LIMITS, type ServerLimits } from './hosts/guard-server.ts';
export { parseDjangoHash } from './features/accounts/django-hash.ts';
export { createScryptHasher } from './features/accounts/scrypt-hasher.ts';
export { csvText } from './features/public-data/schemas/csv.ts';
export { workbookStream, type WorkbookSheet } from './features/public-data/workbook/write-workbook.ts';
export { importReportBody } from './features/runs/schemas/import.ts';
export { shellWord } from './pages/shell-word.ts';
export type { ExportFolder } from './features/public-data/workbook/write-place-files.ts';
