export { createHeadwater, type Headwater } from './headwater.ts';
export type { ComputeParts, HeadwaterOptions } from './headwater-options.ts';
export type { ConstantDocuments, OpenApiDocument, OpenApiOperation, ServiceDeps } from './deps.ts';
export type { RequestBody, Service, ServiceRequest, ServiceResponse } from './seam.ts';
export {
  json,
  operation,
  type CorsRule,
  type Method,
  type Operation,
  type OperationExample,
  type OperationInput,
  type Reply,
  type ResponseSpec,
} from './operation.ts';
export { prepared, type Prepared, type PreparedOptions } from './prepared.ts';
export {
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
export { EXAMPLE_RUN } from './operations/runs.ts';
export { EXAMPLE_ITEM } from './operations/stac.ts';
export { EXAMPLE_LAYERS } from './operations/map.ts';
export { generateOpenApi, openApiPath, type DocumentFacts } from './openapi/generate.ts';
export { createService, nativePaths, type ServiceOptions } from './service/create-service.ts';
export { STATUS_OF } from './service/status.ts';
export { toFetchHandler, type FetchContext } from './fetch-handler.ts';
export { nodeRequest, type NodeExchange } from './node-request.ts';
export { createScryptHasher } from './scrypt-hasher.ts';
