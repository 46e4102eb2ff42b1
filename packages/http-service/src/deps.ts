import type { AccountService, ApiKeys, AuthDeps, Stores } from '@headwater/identity';
import type {
  Addresses,
  AnyPipeline,
  AssetStore,
  Clock,
  Importer,
  Logger,
  Remedies,
  RunService,
  Timers,
} from '@headwater/core';
import type { Callbacks, ComputeBackend } from '@headwater/core/runs';
import type { ItemForm } from '@headwater/core/ports';
import type { KylDownloads } from './features/public-data/workbook/kyl-downloads.ts';
import type { BoundaryForms } from './features/maps/boundary-forms.ts';
import type { LayerForms } from './features/maps/layer-forms.ts';
import type { LayerSummaries } from './layers/layer-summaries.ts';
import type { PublicLists } from './features/public-data/sheets/public-lists.ts';
import type { TehsilOutlines } from './features/reports/tehsil-outlines.ts';
import type { TehsilSheets } from './features/public-data/sheets/tehsil-sheets.ts';
import type { HealthReport } from './health/create-health.ts';
import type { KnownNames } from './pages/known-names.ts';
import type { Publication } from './layers/publication.ts';
import type { Reply } from './seam/reply.ts';
import type { PlaceFiles } from './features/public-data/workbook/place-files.ts';
import type { OpenAnswers } from './limits/user-limits.ts';
import type { WorkService } from './features/work-service/settings.ts';

/** All ports of the service, made once by `createHeadwater`. A handler names those that it takes (`Ports`). */
export interface ServiceDeps {
  readonly stores: Stores;
  readonly accounts: AccountService;
  readonly apiKeys: ApiKeys;
  /** What auth policies look at. */
  readonly auth: AuthDeps;
  readonly runs: RunService;
  readonly callbacks: Callbacks;
  /** Where new runs compute. */
  readonly backend: ComputeBackend;
  /** What can be computed, in the order given. */
  readonly pipelines: readonly AnyPipeline[];
  /** False where no pixel engine was given: computing rows answer 503. */
  readonly canCompute: boolean;
  readonly assets: AssetStore | undefined;
  /** Name of the platform that hosts the files. */
  readonly hostingPlatform: string;
  /** The status of the service's own answer to an address of it; undefined for any other address. */
  readonly statusOf: (address: string) => Promise<number | undefined>;
  /** What regions are computed for whoever asks. */
  readonly workService: WorkService;
  /** What an operator does about what is missing. */
  readonly remedies: Remedies;
  /** Kinds of files that can be uploaded for import, and where an upload lies meanwhile; undefined: none. */
  readonly imports: { readonly importers: readonly Importer[]; readonly scratchDir: string } | undefined;
  /** Vector layers as map servers send them. */
  /** How Items are written as they are sent. */
  readonly itemForm: ItemForm;
  readonly forms: LayerForms;
  /** What is known of boundaries and not published as a layer. */
  readonly boundaryForms: BoundaryForms;
  /** Absolute public address, no trailing slash. */
  readonly baseUrl: string;
  /** Public addresses of what is published; layers at the map server that the operator names. */
  readonly addresses: Addresses;
  readonly version: string;
  /** What is said of everything that is published. */
  readonly publication: Publication;
  /** Path of the Collection that the first page always shows; undefined where there is none. */
  readonly featured: string | undefined;
  /** What lists of layers show. */
  readonly summaries: LayerSummaries;
  /** What the tables of tehsils hold. */
  readonly sheets: TehsilSheets;
  /** Maps of tehsils with their micro-watersheds. */
  readonly outlines: TehsilOutlines;
  /** Indicators of whole tehsils. */
  readonly kyl: KylDownloads;
  /** Files that an operator keeps of places; undefined where he keeps none. */
  readonly placeFiles: Pick<PlaceFiles, 'touch'> | undefined;
  /** Layers of tehsils and active places, as the public data tells them. */
  readonly lists: PublicLists;
  readonly clock: Clock;
  readonly logger: Logger;
  /** States of the parts, as everybody may see them; never rejects, answers within a second. */
  readonly health: () => Promise<HealthReport>;
  /** The same with details: versions, addresses and reasons, for superusers. */
  readonly healthDetails: () => Promise<HealthReport>;
  readonly timers: Timers;
  /** Answers that stay the same while the service runs, made when they are first asked for. */
  readonly documents: ConstantDocuments;
  /** Aborted when the service closes: streams end. */
  readonly closing: AbortSignal;
  /** Counts the event streams and waiting answers of each account. */
  readonly openAnswers: OpenAnswers;
}

/** Ports that a handler names: each takes no more than it uses. */
export type Ports<K extends keyof ServiceDeps> = Pick<ServiceDeps, K>;

/** Our constant documents as replies of prepared bytes. */
export interface ConstantDocuments {
  /** The OpenAPI document of this service's table. */
  readonly openapi: () => Reply;
  /** The same under the media type that the STAC API's landing page names. */
  readonly serviceDesc: () => Reply;
  /** Names of this service for lines that are offered; `look` finds them, every ten seconds at most. */
  readonly known: (look: () => Promise<KnownNames>) => Promise<KnownNames>;
  /** The API reference that is made of it, with lines of those names. */
  readonly docs: (look: () => Promise<KnownNames>) => Promise<Reply>;
}
