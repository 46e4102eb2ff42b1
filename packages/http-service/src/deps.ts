import type { AccountService, AssetStore, AuthDeps, Clock, Logger, RunService, Stores } from '@headwater/core';
import type { Reply } from './operation.ts';
import type { HealthReport } from './schemas/system.ts';

/** Everything handlers may use; made once by `createHeadwater`. */
export interface ServiceDeps {
  readonly stores: Stores;
  readonly accounts: AccountService;
  /** What auth policies look at. */
  readonly auth: AuthDeps;
  readonly runs: RunService;
  /** False where no pixel engine was given: computing rows answer 503. */
  readonly canCompute: boolean;
  readonly assets: AssetStore | undefined;
  /** Absolute public address, no trailing slash. */
  readonly baseUrl: string;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly health: () => Promise<HealthReport>;
  /** Answers that stay the same while the service runs, made when they are first asked for. */
  readonly documents: ConstantDocuments;
  /** Aborted when the service closes: streams end. */
  readonly closing: AbortSignal;
}

/** Our constant documents as replies of prepared bytes. */
export interface ConstantDocuments {
  /** The OpenAPI document of this service's table. */
  readonly openapi: () => Reply;
  /** The API reference that is made of it. */
  readonly docs: () => Promise<Reply>;
}

/** An OpenAPI 3.1 document in the shape that the reference page walks. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An operation object of the document. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: unknown }>>;
  };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

/** A parameter object. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: unknown;
}

/** A response object. */
export interface OpenApiResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema?: unknown }>>;
}
