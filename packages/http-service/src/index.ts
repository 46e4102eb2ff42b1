export { createHeadwater, type Headwater } from './headwater.ts';
export { createQueueWorker, type QueueWorker, type QueueWorkerOptions } from './queue-worker.ts';
export type { HealthPart } from './health/report.ts';
export type { Publication, PublicationOptions } from './publication.ts';
export type { ComputeParts, HeadwaterOptions, ImportParts } from './headwater-options.ts';
export { type JobTrigger, type NewJob, WORK_SERVICE, type WorkServiceOptions } from './work-service/settings.ts';
export { USER_LIMITS, type UserLimits } from './user-limits.ts';
export type { ConstantDocuments, ServiceDeps } from './deps.ts';
export type { OpenApiDocument, OpenApiOperation } from './openapi-document.ts';
export type { RequestBody, Service, ServiceRequest, ServiceResponse } from './seam.ts';
export {
  operation,
  type CorsRule,
  type Method,
  type Operation,
  type OperationExample,
  type OperationInput,
  type ResponseSpec,
} from './operation.ts';
export { json, type Prepared, type Reply } from './reply.ts';
export { prepared, type PreparedOptions } from './prepared.ts';
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
} from './row-body.ts';
export { buildOperations } from './operations/index.ts';
export type { ActivationRule } from './operations/places.ts';
export type { WorkflowAccess } from './operations/workflow-runs.ts';
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
} from './example-world.ts';
export { generateOpenApi, openApiPath, type DocumentFacts } from './openapi/generate.ts';
export { catalogTree, type CatalogTree, type CatalogTreeOptions } from './catalog-tree.ts';
export { createAddresses, storedAddresses } from './wire/addresses.ts';
export { createService, nativePaths, type ServiceOptions } from './service/create-service.ts';
export { checkedExport } from './handlers/export-asset.ts';
export { type AskedResult, type ResultSources, runResult } from './handlers/run-result.ts';
export { readWireParameters, type WireParameter, wireParameters } from './wire/compute/parameters.ts';
export { STATUS_OF } from './wire/status.ts';
export { type WireError, wireMessage } from './wire/wire-error.ts';
export type { ErrorFormat } from './wire/wordings/index.ts';
export type { Wording, WordingContext } from './wire/wordings/wording.ts';
export { toFetchHandler, type FetchContext } from './fetch-handler.ts';
export { nodeRequest, type NodeExchange } from './node-request.ts';
export { answerClientError } from './answer-client-error.ts';
export { guardServer, SERVER_LIMITS, type ServerLimits } from './guard-server.ts';
export { createScryptHasher } from './scrypt-hasher.ts';
export { csvText } from './wire/csv.ts';
export { workbookStream, type WorkbookSheet } from './workbook/write-workbook.ts';
export { importReportBody } from './wire/schemas/import.ts';
export { shellWord } from './shell-word.ts';
export type { ExportFolder } from './workbook/write-place-files.ts';
