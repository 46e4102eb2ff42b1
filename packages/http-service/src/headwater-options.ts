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
  /** Source of elevations. Without it, requests for pipelines that need elevations get 409. */
  readonly elevation?: ElevationSource;
  /**
   * Reads scenes at a platform, such as Earth Engine, for runs with an account of the platform. Default: all runs read
   * `earthObservation`.
   */
  readonly sceneEngines?: SceneEngines;
}

/** Settings of file imports. */
export interface ImportParts {
  readonly importers: (stores: Stores) => readonly Importer[];
  /** Folder for uploads while they are read. Created when needed. */
  readonly scratchDir: string;
  readonly maxBytes?: number;
}

/** Sign-in and accounts. */
export interface IdentityOptions {
  /** Sign-in of the host. Returns the user of a request, or null for a visitor. Replaces accounts and sign-in pages. */
  readonly authenticate?: HostAuthenticate;
  /**
   * Path of the host's sign-in page, such as `/sign-in`. The query `?next=` has the path to return to.
   * If `authenticate` is set without this option, there are no pages for users.
   */
  readonly signIn?: string;
  /**
   * Rule for registration by users themselves. Their accounts cannot compute until a superuser allows it. Default:
   * `off`.
   */
  readonly registration?: RegistrationRule;
  /** Accounts that may activate places by `activate_location/`; default: superusers. */
  readonly activation?: ActivationRule;
  /** Sends links for new passwords. Default: pages refer users to the operator. */
  readonly mail?: MailSender;
  /** Issuer, audience and lifetimes of tokens. Default: access tokens last 90 days, sessions a year. */
  readonly tokens?: Partial<Omit<TokenSettings, 'secret'>>;
  /** Hashes passwords. Default: scrypt. */
  readonly hasher?: PasswordHasher;
}

/**
 * Ports and processes that compute. With `earthObservation`, `pixels` and `assets`, this process computes. With
 * `assets` alone, it only serves files.
 */
export interface ComputeOptions extends Partial<ComputeParts> {
  /**
   * Creates the backend of new runs. Default: this process computes new runs. With the ports of `ComputeParts`, this
   * process also computes the runs that the backend queues. An orchestrator's address must be admitted by
   * `workService`.
   */
  readonly backend?: (parts: BackendParts) => ComputeBackend;
  /** Settings of the worker. False: another process with the same stores computes. */
  readonly worker?: Partial<WorkerSettings> | false;
  /**
   * Time without heartbeat until another process continues a run over a district or a state, ms. Default: the worker's
   * setting.
   */
  readonly leaseMs?: number;
}

/** Limits of requests, of accounts and of the disk. */
export interface LimitOptions extends Partial<UserLimits> {
  /** Maximum size of a body, bytes, for operations without their own limit; default 1 MiB. */
  readonly bodyLimit?: number;
  /**
   * Maximum number of requests per minute with all API keys of an account together, in each process. Default: no limit.
   */
  readonly apiKeyRequestsPerMinute?: number;
  /**
   * Maximum number of requests per UTC day with all API keys of an account together, in all processes. Default: no
   * limit.
   */
  readonly apiKeyRequestsPerDay?: number;
  /** Numbers of failed sign-ins after which further attempts are slow or get 429. */
  readonly login?: LoginLimits;
  /** Free space below which health warns (default 1 GB) or fails (default 100 MB). */
  readonly freeDisk?: Partial<DiskLimits>;
  /** Health warns if the oldest waiting run or the last backup has at least this age. Default: no warnings. */
  readonly warnings?: Partial<WarningLimits>;
}

/** Settings of the work service, and of the orchestrator's workflow. */
export interface WorkServiceGroup extends WorkServiceOptions {
  /** Access to the orchestrator's workflow (`/api/dag/run`). Default `private`. */
  readonly workflowAccess?: WorkflowAccess;
}

/** Options of `createHeadwater`. Only the first two are required. */
export interface HeadwaterOptions {
  /** Public address of the service, with its path prefix. All links begin with this address. */
  readonly baseUrl: string;
  /** Key that signs tokens: 32 random bytes or more, or a text of this length. */
  readonly secret: string | Uint8Array;
  /** Stores of the service. Default: stores in memory, which lose their data when the process ends. */
  readonly stores?: Stores;
  /** Settings of file imports. If absent, uploads get 503. */
  readonly imports?: ImportParts;
  /** Features to serve, by the names of their folders in `features/`. Default: all. */
  readonly mount?: readonly Feature[];
  readonly identity?: IdentityOptions;
  /** Ports and processes that compute. If absent, computations get 503. */
  readonly compute?: ComputeOptions;
  /** Settings of the work service. If absent, only accounts that may compute can call. */
  readonly workService?: WorkServiceGroup;
  /** Title, licence, providers and attribution. Default: the licence `other`, without provider. */
  readonly publication?: PublicationOptions;
  readonly limits?: LimitOptions;
  /** Pipelines that clients can start. Default: none. */
  readonly pipelines?: readonly AnyPipeline[];
  readonly operations?: readonly Operation[];
  readonly tags?: Readonly<Record<string, string>>;
  /** Address of the map server, without trailing slash. Default: `{baseUrl}/geoserver`. */
  readonly mapServerUrl?: string;
  /**
   * Creates the map server at `{baseUrl}/geoserver`. Default: this address only serves the layers to which Items link.
   */
  readonly mapServer?: ((parts: MapServerParts) => MapServer) | undefined;
  /** Place whose layers the first page always shows, if it has layers. */
  readonly featured?: { readonly state: string; readonly district: string; readonly tehsil: string };
  /** Remedies in messages about missing places and scenes. Default: general texts. */
  readonly remedies?: Partial<Remedies>;
  /** Viewer at `/docs/` that can send requests. Default: the plain reference. */
  readonly apiViewer?: ApiViewer;
  /** Documentation site at `/docs/guide/`. Default: none. */
  readonly guide?: Guide;
  /** Interactive maps of layers and places. Default: pages have only pictures. */
  readonly mapViewer?: MapViewer;
  /** Maps of other servers, which readers can show below a layer. Default: none. */
  readonly mapBackgrounds?: readonly MapBackground[];
  readonly version?: string;
  /** Pages for people (`/login/`, `/dashboard/`): `own` (default), `off`, or behind the host's sign-in. */
  readonly pages?: ScreensOption;
  /** Days for which the audit log is kept; 0: for ever. Default 365. */
  readonly auditDays?: number;
  /** Further pages of the admin (`/admin/`). Only superusers can open them. */
  readonly adminResources?: (parts: AdminParts) => readonly AdminResource[];
  /** Credentials of Earth-observation accounts, for checks and tests. Default: none. */
  readonly eoCredentials?: EoCredentials;
  /**
   * Creates the exporter to Earth Engine. Default: none. Without an exporter and without `sceneEngines`, only accounts
   * of the platform `local` can be used.
   */
  readonly eoExporter?: (parts: EoExporterParts) => EoExporter;
  /** Folder to which the workbook of each place is written. Default: none. */
  readonly exportFolder?: ExportFolder;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Traces by `@opentelemetry/api`, and a receiver of measurements. Default: none. */
  readonly telemetry?: TelemetryOptions;
  /** Metrics at `/metrics` in the format of Prometheus. `{}` is enough. Default: none. */
  readonly metrics?: MetricsOptions;
  /** True: writes a log line for each request. Default: false. */
  readonly logRequests?: boolean;
  /** Origins whose pages may send credentials, in addition to local origins. */
  readonly corsOrigins?: readonly string[];
  /** True: validates each response against its schema, for tests. Default: false. */
  readonly validateResponses?: boolean;
  /** Returns the name of the pixel engine, for health. Throws if it does not work. Default: the engine's `probe`. */
  readonly pixelsHealth?: () => Promise<string>;
  /**
   * Returns the scene sources or their state, for health. Throws if they cannot be reached. Default: the source's
   * `probe`.
   */
  readonly scenesHealth?: () => Promise<string | HealthPart>;
  /** Checks that files can be written, for health. Default: the asset store's `probe`. */
  readonly filesHealth?: () => Promise<string>;
  /** Returns the state of the boundary download, for health. Default: not reported. */
  readonly boundariesHealth?: () => HealthPart;
  /** Returns the state of the copies in a bucket, for health. Default: not reported. */
  readonly bucketHealth?: () => HealthPart;
  /** Returns the reason why this process must be restarted. Health then fails. */
  readonly fault?: () => string | undefined;
  readonly freeBytes?: () => Promise<number>;
  /**
   * Returns facts for the system page of the admin. Each request for this page calls the function, so it must be fast.
   */
  readonly systemFacts?: () => {
    readonly versions: Readonly<Record<string, string>>;
    /** Size of the service's files, bytes, and the time of its measurement (ISO 8601). */
    readonly files: { readonly bytes: number; readonly at: string } | undefined;
  };
}

/** Checked options. The members of `identity`, `limits` and partly `compute` are at the top level. */
export type SettledOptions = Omit<HeadwaterOptions, 'identity' | 'compute' | 'workService' | 'limits'> &
  IdentityOptions &
  Pick<ComputeOptions, 'backend' | 'worker' | 'leaseMs'> &
  LimitOptions & {
    readonly compute: ComputeParts | undefined;
    /** File store of this process. Another process may write the files. */
    readonly files: AssetStore | undefined;
    /** If undefined, only accounts that may compute can call the work service. */
    readonly workService: WorkServiceGroup | undefined;
    readonly logger: Logger;
    /** See `BackendParts.traceOf`. */
    readonly traceOf?: NonNullable<BackendParts['traceOf']>;
  };
