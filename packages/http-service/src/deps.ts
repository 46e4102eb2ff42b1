import type {
  AccountService,
  AnyPipeline,
  AssetStore,
  AuthDeps,
  Clock,
  Logger,
  RunService,
  Stores,
} from '@headwater/core';
import type { LayerSummaries } from './layers/layer-summaries.ts';
import type { HealthReport } from './health.ts';
import type { Publication } from './publication.ts';
import type { Reply } from './reply.ts';
import type { OpenAnswers } from './user-limits.ts';

/** Everything handlers may use; made once by `createHeadwater`. */
export interface ServiceDeps {
  readonly stores: Stores;
  readonly accounts: AccountService;
  /** What auth policies look at. */
  readonly auth: AuthDeps;
  readonly runs: RunService;
  /** What can be computed, in the order given. */
  readonly pipelines: readonly AnyPipeline[];
  /** False where no pixel engine was given: computing rows answer 503. */
  readonly canCompute: boolean;
  readonly assets: AssetStore | undefined;
  /** Absolute public address, no trailing slash. */
  readonly baseUrl: string;
  readonly version: string;
  /** What is said of everything that is published. */
  readonly publication: Publication;
  /** Credits for the foot of pages. */
  readonly credits: readonly string[];
  /** Path of the Collection that the first page always shows; undefined where there is none. */
  readonly featured: string | undefined;
  /** What lists of layers show. */
  readonly summaries: LayerSummaries;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly health: () => Promise<HealthReport>;
  /** Answers that stay the same while the service runs, made when they are first asked for. */
  readonly documents: ConstantDocuments;
  /** Aborted when the service closes: streams end. */
  readonly closing: AbortSignal;
  /** Counts the event streams and waiting answers of each account. */
  readonly openAnswers: OpenAnswers;
}

/** Our constant documents as replies of prepared bytes. */
export interface ConstantDocuments {
  /** The OpenAPI document of this service's table. */
  readonly openapi: () => Reply;
  /** The API reference that is made of it. */
  readonly docs: () => Promise<Reply>;
}
