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
import type { ItemForm, MapServer } from '@headwater/core/ports';
import type { CheckedUploads } from './seam/uploads.ts';
import type { KylDownloads } from './features/public-data/workbook/kyl-downloads.ts';
import type { BoundaryForms } from './features/maps/boundary-forms.ts';
import type { MapPublisher } from './features/maps/map-publisher.ts';
import type { LayerForms } from './features/maps/layer-forms.ts';
import type { LayerSummaries } from './layers/layer-summaries.ts';
import type { NewestCache } from './layers/newest-cache.ts';
import type { PublicLists } from './features/public-data/sheets/public-lists.ts';
import type { PlaceOutlines } from './features/discovery/place-outlines.ts';
import type { TehsilOutlines } from './features/reports/tehsil-outlines.ts';
import type { TehsilSheets } from './features/public-data/sheets/tehsil-sheets.ts';
import type { HealthReport } from './health/create-health.ts';
import type { Shell } from './pages/layout.ts';
import type { KnownNames } from './pages/known-names.ts';
import type { Publication } from './layers/publication.ts';
import type { AdminResource } from './seam/admin-resource.ts';
import type { EoAccess } from './seam/eo-access.ts';
import type { EoExporter } from './seam/eo-exporter.ts';
import type { Metrics } from './seam/metrics.ts';
import type { Reply } from './seam/reply.ts';
import type { GuideReplies, InteractiveMaps, ViewerReplies } from './seam/viewers.ts';
import type { PlaceFiles } from './features/public-data/workbook/place-files.ts';
import type { OpenCounts, OpenResponses } from './limits/user-limits.ts';
import type { RegionStarts } from './features/work-service/region-starts.ts';
import type { Screens } from './sessions/screens.ts';
import type { WorkService } from './features/work-service/settings.ts';

/** All ports of the service. A handler declares the ports that it uses (`Ports`). */
export interface ServiceDeps {
  readonly stores: Stores;
  readonly accounts: AccountService;
  readonly apiKeys: ApiKeys;
  readonly screens: Screens;
  readonly auth: AuthDeps;
  readonly runs: RunService;
  readonly callbacks: Callbacks;
  readonly backend: ComputeBackend;
  readonly pipelines: readonly AnyPipeline[];
  /** False if no runs are computed. Requests for computations then get status 503. */
  readonly canCompute: boolean;
  readonly assets: AssetStore | undefined;
  /** Platform that hosts the published files, as responses name it. */
  readonly hostingPlatform: string;
  /** HTTP status of an address of this service; undefined for addresses of other servers. */
  readonly statusOf: (address: string) => Promise<number | undefined>;
  readonly workService: WorkService;
  /** Counts a job of the work service for an IP address. Throws `throttled` above the limit. */
  readonly countJob: (caller: string) => Promise<void>;
  readonly remedies: Remedies;
  /** Importers with their scratch folder and uploads; undefined if the service accepts no imports. */
  readonly imports:
    | {
        readonly importers: readonly Importer[];
        readonly scratchDir: string;
        readonly checkedUploads: CheckedUploads;
      }
    | undefined;
  readonly itemForm: ItemForm;
  readonly forms: LayerForms;
  /** WFS responses with imported boundaries that are not published as a layer. */
  readonly boundaryForms: BoundaryForms;
  readonly mapServer: MapServer | undefined;
  /** Publishes layers at a map server of another process; undefined if there is none. */
  readonly mapPublisher: MapPublisher | undefined;
  /** Absolute public address without trailing slash. */
  readonly baseUrl: string;
  readonly addresses: Addresses;
  readonly version: string;
  /** Title, licence, providers and attribution of all published data. */
  readonly publication: Publication;
  /** Path of the Collection whose layers the first page always shows; undefined without the option `featured`. */
  readonly featured: string | undefined;
  readonly newest: NewestCache;
  readonly summaries: LayerSummaries;
  readonly sheets: TehsilSheets;
  readonly outlines: TehsilOutlines;
  readonly placeOutlines: PlaceOutlines;
  readonly kyl: KylDownloads;
  /** Workbooks and KYL files in the export folder; undefined without the option `exportFolder`. */
  readonly placeFiles: Pick<PlaceFiles, 'touch'> | undefined;
  readonly lists: PublicLists;
  /** Metrics of this process; undefined without the option `metrics`. */
  readonly metrics: Metrics | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** States of the service's parts for every caller. Never rejects; resolves within a second. */
  readonly health: () => Promise<HealthReport>;
  /** States with versions, addresses and reasons, only for superusers. */
  readonly healthDetails: () => Promise<HealthReport>;
  readonly timers: Timers;
  /** Documents about the service, such as the OpenAPI document. */
  readonly documents: ConstantDocuments;
  readonly closing: AbortSignal;
  /** Exporter to Earth Engine; undefined if the service exports nothing. */
  readonly eoExporter: Pick<EoExporter, 'wake'> | undefined;
  readonly eoAccess: EoAccess;
  /** Counts the open event streams and waiting calls of each account. */
  readonly openResponses: OpenResponses;
  /** Counts the waiting calls without account, by IP address. */
  readonly anonymousAnswers: OpenCounts<string>;
  readonly regionStarts: RegionStarts;
  readonly admin: readonly AdminResource[];
}

/** Ports with which the pages of the admin are built. */
export type AdminParts = Omit<ServiceDeps, 'admin'>;

/** The ports of `ServiceDeps` that a handler declares. */
export type Ports<K extends keyof ServiceDeps> = Pick<ServiceDeps, K>;

/** Documents about the service, without published data except names of places and layers in examples. */
export interface ConstantDocuments {
  readonly openapi: () => Reply;
  /** The OpenAPI document with the media type of the link on the STAC API's landing page. */
  readonly serviceDesc: () => Reply;
  /** Names of existing places and layers for example commands. `find` is called at most every ten seconds. */
  readonly known: (find: () => Promise<KnownNames>) => Promise<KnownNames>;
  readonly docs: (find: () => Promise<KnownNames>, shell: Shell) => Promise<Reply>;
  /** The API reference as a page that can send requests; undefined without a viewer. */
  readonly viewer: ViewerReplies | undefined;
  readonly guide: GuideReplies | undefined;
  readonly maps: InteractiveMaps | undefined;
}
