import type {
  AnyPipeline,
  AssetStore,
  Clock,
  EarthObservation,
  ElevationSource,
  Importer,
  Logger,
  PixelEngine,
  Remedies,
  WorkerSettings,
} from '@headwater/core';
import type { MapServer, MapServerParts, SceneEngines } from '@headwater/core/ports';
import type { BackendParts, ComputeBackend } from '@headwater/core/runs';
import type {
  LoginLimits,
  MailSender,
  PasswordHasher,
  RegistrationRule,
  Stores,
  TokenSettings,
} from '@headwater/identity';
import type { AdminParts } from './deps.ts';
import type { DiskLimits, WarningLimits } from './health/parts.ts';
import type { ActivationRule } from './features/public-data/rows/places.ts';
import type { MetricsOptions } from './seam/metrics.ts';
import type { TelemetryOptions } from './seam/telemetry.ts';
import type { Feature } from './rows/common.ts';
import type { HealthPart } from './health/report.ts';
import type { Operation } from './rows/operation.ts';
import type { WorkflowAccess } from './features/work-service/workflow-policy.ts';
import type { AdminResource } from './seam/admin-resource.ts';
import type { EoCredentials } from './seam/eo-credentials.ts';
import type { EoExporter, EoExporterParts } from './seam/eo-exporter.ts';
import type { MapBackground } from './pages/map-backgrounds.ts';
import type { ApiViewer, Guide, MapViewer } from './seam/viewers.ts';
import type { PublicationOptions } from './layers/publication.ts';
import type { UserLimits } from './limits/user-limits.ts';
import type { HostAuthenticate } from './sessions/host-sign-in.ts';
import type { ScreensOption } from './sessions/screens.ts';
import type { WorkServiceOptions } from './features/work-service/settings.ts';
import type { ExportFolder } from './features/public-data/workbook/write-place-files.ts';

/** Ports that computing in this process needs. */
export interface ComputeParts {
  readonly earthObservation: EarthObservation;
  readonly pixels: PixelEngine;
  readonly assets: AssetStore;
  /** Source of elevations. Without this source, requests for pipelines that need elevations get 409. */
  readonly elevation?: ElevationSource;
  /** Scenes that platforms read with the rights of accounts; default: all runs read `earthObservation`. */
  readonly sceneEngines?: SceneEngines;
}

/** Settings of file imports. */
export interface ImportParts {
  /** Creates the importers, one per kind of file. The importers write to the stores of the service. */
  readonly importers: (stores: Stores) => readonly Importer[];
  /** Folder for uploads while they are read. It is created when it is needed. */
  readonly scratchDir: string;
  /** Largest upload, bytes; default 1 GB. */
  readonly maxBytes?: number;
}

/** Sign-in and accounts. */
export interface IdentityOptions {
  /**
   * Sign-in of the host, instead of accounts with passwords. The function returns the user of a request with id, name and roles, or
   * null for a visitor. With this option, the service has no operations below `auth/` and no sign-in pages. Default: accounts of
   * this service.
   */
  readonly authenticate?: HostAuthenticate;
  /**
   * Path of the host's sign-in page on the origin of the service, such as `/sign-in`. The page to return to is appended as `?next=`. Without this
   * address, a service with `authenticate` has no pages for users.
   */
  readonly signIn?: string;
  /** Rule for the registration of accounts by users themselves. Such accounts can read public data, but cannot compute. Default: `off`. */
  readonly registration?: RegistrationRule;
  /** Accounts that may activate places by `activate_location/`; default: superusers. */
  readonly activation?: ActivationRule;
  /** Sends links for resetting a password by mail. Without this option, pages refer users to the operator. */
  readonly mail?: MailSender;
  /** Names and lifetimes of tokens. Default: access tokens last 90 days, sessions a year. */
  readonly tokens?: Partial<Omit<TokenSettings, 'secret'>>;
  /** Hashes passwords. Default: scrypt. */
  readonly hasher?: PasswordHasher;
}

/**
 * Ports and processes that compute. With `earthObservation`, `pixels` and `assets` this process computes; `localCompute` of
 * `@headwater/server` creates these three. With `assets` alone, this process only opens files that other processes publish.
 */
export interface ComputeOptions extends Partial<ComputeParts> {
  /**
   * Creates the backend that computes new runs. Default: this process computes new runs, if it has the ports. With `backend` and
   * the ports, this process computes the runs that the backend puts in the queue. With `backend` alone, other processes with the
   * same stores compute the runs, and write files that `assets` opens. An orchestrator calls the work service, so the
   * orchestrator's address must be one that `workService` admits.
   */
  readonly backend?: (parts: BackendParts) => ComputeBackend;
  /**
   * Settings of the worker in this process; false if this process has no worker, because another process with the same stores
   * computes.
   */
  readonly worker?: Partial<WorkerSettings> | false;
  /**
   * Time without a heartbeat after which another process continues a run over a district or a state, ms. Default: the worker's setting.
   */
  readonly leaseMs?: number;
}

/** Limits of requests, of accounts and of the disk. */
export interface LimitOptions extends Partial<UserLimits> {
  /** Maximum size of a body, bytes, for operations without their own limit; default 1 MiB. */
  readonly bodyLimit?: number;
  /** Maximum number of requests per minute with all API keys of an account, counted in each process; default: no limit. */
  readonly apiKeyRequestsPerMinute?: number;
  /** Maximum number of requests per day (UTC) with all API keys of an account, summed over all processes; default: no limit. */
  readonly apiKeyRequestsPerDay?: number;
  /** Failed sign-ins after which further attempts must wait. */
  readonly login?: LoginLimits;
  /** Free space below which health warns (default 1 GB), and below which it fails (default 100 MB). */
  readonly freeDisk?: Partial<DiskLimits>;
  /** Ages of the oldest waiting run and of the last backup from which health and the log warn. Default: no such warnings. */
  readonly warnings?: Partial<WarningLimits>;
}

/** Settings of the work service, and of the orchestrator's workflow. */
export interface WorkServiceGroup extends WorkServiceOptions {
  /** Access to the workflow of the backend's orchestrator (`/api/dag/run`): `private` (the default), `public`, `bearer` or `session`. */
  readonly workflowAccess?: WorkflowAccess;
}

/** Options of `createHeadwater`; only the first two have no default. */
export interface HeadwaterOptions {
  /** Public address of the service, including its path prefix. All links begin with it. A trailing slash is optional. */
  readonly baseUrl: string;
  /** Key that signs tokens: at least 32 random bytes, or a text of at least this length. */
  readonly secret: string | Uint8Array;
  /** Stores of the service. Default: in memory; the data is lost when the process ends. */
  readonly stores?: Stores;
  /** Settings of file imports. If absent, uploads of files are refused (503). */
  readonly imports?: ImportParts;
  /**
   * Features that are served, by the names of the folders in `features/`. Operations, OpenAPI, pages and links are then only of
   * these features. All other addresses respond 404, except the address of health. Default: all.
   */
  readonly mount?: readonly Feature[];
  /** Sign-in and accounts. */
  readonly identity?: IdentityOptions;
  /** Ports and processes that compute. If absent, the service refuses computations (503). */
  readonly compute?: ComputeOptions;
  /**
   * Settings of the work service, which computes regions. If given, callers at private addresses need no account, and two regions are computed
   * at a time. If absent, callers need the access token of an account that may compute.
   */
  readonly workService?: WorkServiceGroup;
  /** Title, licence, providers and attribution of what is published. Default: the licence `other`, and no provider. */
  readonly publication?: PublicationOptions;
  /** Limits of requests, of accounts and of the disk. */
  readonly limits?: LimitOptions;
  /**
   * Pipelines that clients can start. Each pipeline gets a route with documentation, and the worker computes the runs of these
   * pipelines. Default: none.
   */
  readonly pipelines?: readonly AnyPipeline[];
  /**
   * Further operations of the embedder. They are routed, documented and tested in the same way as the operations of the service.
   */
  readonly operations?: readonly Operation[];
  /** Descriptions of the tags in `operations`. A tag without description is also shown. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Address of the map server, without trailing slash. Default: `{baseUrl}/geoserver`, which this service itself serves. */
  readonly mapServerUrl?: string;
  /**
   * Creates the map server at `{baseUrl}/geoserver`. Default: none. The address then serves only the whole layers to which Items
   * link.
   */
  readonly mapServer?: ((parts: MapServerParts) => MapServer) | undefined;
  /** Place whose layers the first page always shows, if it has layers. */
  readonly featured?: { readonly state: string; readonly district: string; readonly tehsil: string };
  /** Texts for messages about missing places and scenes: what an operator can do. Default: general texts. */
  readonly remedies?: Partial<Remedies>;
  /** Viewer at `/docs/` that can send requests. Default: no viewer; `/docs/` then shows the plain reference. */
  readonly apiViewer?: ApiViewer;
  /** Documentation site at `/docs/guide/`. Default: none; this address then responds 404. */
  readonly guide?: Guide;
  /** Interactive maps of layers and of places; default: none; pages of layers and places then show only pictures. */
  readonly mapViewer?: MapViewer;
  /**
   * Maps of other servers that readers can show below a layer. The content security policy of pages with a map allows the origins
   * of these servers. Default: none.
   */
  readonly mapBackgrounds?: readonly MapBackground[];
  /** Version of the service, which OpenAPI, pages, Items and the health report for superusers show. */
  readonly version?: string;
  /**
   * Pages for people (`/login/`, `/dashboard/`): `own` (the default), `off`, or behind the sign-in of the host, without sign-in pages of
   * the service.
   */
  readonly pages?: ScreensOption;
  /** Days for which the audit log of the admin is kept; 0: for ever. Default 365. */
  readonly auditDays?: number;
  /** Further pages of the admin (`/admin/`), listed after the pages of the service. Only superusers can open them. */
  readonly adminResources?: (parts: AdminParts) => readonly AdminResource[];
  /** Credentials of Earth-observation accounts, for the checks of requests to compute and for the tests in the admin. Default: none. */
  readonly eoCredentials?: EoCredentials;
  /**
   * Creates the exporter to the platform of Earth-observation accounts. Default: none; requests with accounts of another platform than `local` are
   * then refused.
   */
  readonly eoExporter?: (parts: EoExporterParts) => EoExporter;
  /** Folder to which the workbook of each place is written when its tables change; default: none. */
  readonly exportFolder?: ExportFolder;
  readonly clock?: Clock;
  /** Logger of the service. Default: errors are written to the console. */
  readonly logger?: Logger;
  /** Traces by `@opentelemetry/api`, and a receiver of measurements. Default: none. */
  readonly telemetry?: TelemetryOptions;
  /** Metrics at `/metrics`, in the text format of Prometheus; `{}` is enough. Default: none, and the address is free for the host. */
  readonly metrics?: MetricsOptions;
  /** True if a log line is written for each request. Default: false. */
  readonly logRequests?: boolean;
  /** Origins whose pages may send credentials, in addition to local origins. */
  readonly corsOrigins?: readonly string[];
  /**
   * True if each response is validated against the schema of its operation; a response that does not match becomes an error. For
   * tests and development. Default: false.
   */
  readonly validateResponses?: boolean;
  /** Returns the name of the pixel engine, for health; throws if it does not work. Default: the engine's own `probe`. */
  readonly pixelsHealth?: () => Promise<string>;
  /**
   * Returns the sources of scenes, or the state of this part, for health; throws if the sources cannot be reached. Default: the source's own
   * `probe`.
   */
  readonly scenesHealth?: () => Promise<string | HealthPart>;
  /**
   * Checks that files can be written, for health; throws if files cannot be written. Default: the asset store's own `probe`.
   */
  readonly filesHealth?: () => Promise<string>;
  /** Returns the state of the download of boundary data, for health. If absent, health does not report this part. */
  readonly boundariesHealth?: () => HealthPart;
  /**
   * Returns the state of the copies of published files in a bucket, for health. If absent, health does not report this part.
   */
  readonly bucketHealth?: () => HealthPart;
  /** Returns the reason why this process must be restarted. While it returns a reason, health is failing. */
  readonly fault?: () => string | undefined;
  /** Returns the free bytes on the disk of results, for health. */
  readonly freeBytes?: () => Promise<number>;
  /** Returns facts for the page of the system in the admin. Each request of this page calls it, so it must not wait for a disk. */
  readonly systemFacts?: () => {
    /** Versions of packages by name. */
    readonly versions: Readonly<Record<string, string>>;
    /** Size of the service's files, bytes, and the time of its measurement (ISO 8601); undefined if it is not known yet. */
    readonly files: { readonly bytes: number; readonly at: string } | undefined;
  };
}

/** The options without groups, as the parts of the service read them. */
export type SettledOptions = Omit<HeadwaterOptions, 'identity' | 'compute' | 'workService' | 'limits'> &
  IdentityOptions &
  Pick<ComputeOptions, 'backend' | 'worker' | 'leaseMs'> &
  LimitOptions & {
    readonly compute: ComputeParts | undefined;
    /** File store of this process, or of the files that other processes publish. */
    readonly files: AssetStore | undefined;
    /** If undefined, only accounts that may compute can call the work service. */
    readonly workService: WorkServiceGroup | undefined;
    readonly logger: Logger;
    /** See `BackendParts.traceOf`. */
    readonly traceOf?: NonNullable<BackendParts['traceOf']>;
  };
