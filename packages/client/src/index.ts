export type { components, operations, paths } from './api.generated.ts';
export {
  type Answer,
  type ComputeBody,
  type ComputeOptions,
  type ComputeRoute,
  createClient,
  type HeadwaterClient,
  type ListPath,
  type PathWith,
  type RequestInitOf,
} from './client.ts';
export type { ClientOptions, Tokens } from './connection.ts';
export type { Download, DownloadOptions } from './download.ts';
export {
  type ClientErrorCode,
  type HeadwaterError,
  isHeadwaterError,
  type MissingLayer,
  type ServiceErrorCode,
} from './errors.ts';
export type { EventOptions, Run, RunEvent, WaitOptions } from './run-events.ts';
export type { PageEntry } from './pages.ts';
