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
import type { MapServer, MapServerParts } from '@headwater/core/ports';
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
import type { DiskLimits } from './health/parts.ts';
import type { ActivationRule } from './features/public-data/rows/places.ts';
import type { HealthPart } from './health/report.ts';
import type { Operation } from './rows/operation.ts';
import type { WorkflowAccess } from './features/work-service/workflow-policy.ts';
import type { AdminResource } from './seam/admin-resource.ts';
import type { EoCredentials } from './seam/eo-credentials.ts';
import type { MapBackground } from './pages/map-backgrounds.ts';
import type { ApiViewer, Guide, MapViewer } from './seam/viewers.ts';
import type { PublicationOptions } from './layers/publication.ts';
import type { UserLimits } from './limits/user-limits.ts';
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
}

/** Settings of file imports. */
export interface ImportParts {
  /** Creates the importers, one per kind of file; they write to the stores of the service. */
  readonly importers: (stores: Stores) => readonly Importer[];
  /** Folder for uploads while they are read. It is created when it is needed. */
  readonly scratchDir: string;
  /** Largest upload, bytes; default 1 GB. */
  readonly maxBytes?: number;
}

/** Options of `createHeadwater`; only the first two have no default. */
export interface HeadwaterOptions {
  /** Public address of the service, including its path prefix. All links begin with it. A trailing slash is optional. */
  readonly baseUrl: string;
  /** Key that signs tokens: at least 32 random bytes, or a text of at least this length. */
  readonly secret: string | Uint8Array;
  /** Stores of the service. Default: in memory; the data is lost when the process ends. */
  readonly stores?: Stores;
  /** Ports for computing in this process. If absent (and without `backend`), the service refuses computations (503). */
  readonly compute?: ComputeParts;
  /**
   * Creates the backend that computes new runs. Default: this process computes them, if `compute` is set. With
   * `backend` and `compute`, this process computes the runs that the backend puts in the queue. With `backend` alone,
   * other processes with the same stores compute them, and write files that `files` opens.
   */
  readonly backend?: (parts: BackendParts) => ComputeBackend;
  /** File store for the files that other processes publish, for a service without `compute`. Default: the file store of `compute`. */
  readonly files?: AssetStore;
  /** Access to the workflow of the backend's orchestrator (`/api/dag/run`): `private` (the default), `public`, `bearer` or `session`. */
  readonly workflowAccess?: WorkflowAccess;
  /** Settings of file imports. If absent, uploads of files are refused (503). */
  readonly imports?: ImportParts;
  /** Pipelines that clients can start. Each gets a route and its documentation, and the worker computes its runs. Default: none. */
  readonly pipelines?: readonly AnyPipeline[];
  /** Further operations of the embedder. They are routed, documented and tested in the same way as the service's own. */
  readonly operations?: readonly Operation[];
  /** Descriptions of the tags in `operations`. A tag without description is also shown. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Settings of the worker in this process; false: no worker, because another process computes. */
  readonly worker?: Partial<WorkerSettings> | false;
  /** Address of the map server, without trailing slash. Default: `{baseUrl}/geoserver`, which this service itself serves. */
  readonly mapServerUrl?: string;
  /**
   * Creates the map server at `{baseUrl}/geoserver`. Default: none; that address then serves only whole layers, as Items
   * link to them.
   */
  readonly mapServer?: (parts: MapServerParts) => MapServer;
  /** Title, licence, providers and attribution of what is published; each has a default. */
  readonly publication?: PublicationOptions;
  /** Place whose layers the first page always shows, if it has layers. */
  readonly featured?: { readonly state: string; readonly district: string; readonly tehsil: string };
  /** Texts for messages about missing places and scenes: what an operator can do. Default: general texts. */
  readonly remedies?: Partial<Remedies>;
  /** Viewer at `/docs/` that can send requests. Default: no viewer; `/docs/` then shows the plain reference. */
  readonly apiViewer?: ApiViewer;
  /** Documentation site at `/docs/guide/`. Default: none; this address then responds 404. */
  readonly guide?: Guide;
  /** Interactive maps of layers and of places; default: none, and these pages show only their pictures. */
  readonly mapViewer?: MapViewer;
  /** Maps of other servers that readers can show below a layer. Their origins are allowed on pages with a map. Default: none. */
  readonly mapBackgrounds?: readonly MapBackground[];
  /** Version of the service, which OpenAPI, pages, Items and the health report for superusers show. */
  readonly version?: string;
  readonly tokens?: Partial<Omit<TokenSettings, 'secret'>>;
  readonly loginLimits?: LoginLimits;
  /**
   * Pages for people (`/login/`, `/dashboard/`): `own` (the default), `off`, or behind the sign-in of the host, without sign-in pages of
   * the service.
   */
  readonly pages?: ScreensOption;
  /** Days for which the audit log of the admin is kept; 0: for ever. Default 365. */
  readonly auditDays?: number;
  /** Further pages of the admin (`/admin/`), below those of the service; only superusers open them. */
  readonly adminResources?: (parts: AdminParts) => readonly AdminResource[];
  /** Credentials file of Earth-observation accounts, with which the admin compares accounts and tests connections. Default: none. */
  readonly eoCredentials?: EoCredentials;
  /** Rule for the registration of accounts by users themselves. Such accounts can read public data, but cannot compute. Default: `off`. */
  readonly registration?: RegistrationRule;
  /** Accounts that may activate places by `activate_location/`; default: superusers. */
  readonly activation?: ActivationRule;
  /** Sends links for resetting a password by mail. Without it, pages refer users to the operator. */
  readonly mail?: MailSender;
  /** Limits per account. Default: 20 unfinished runs, and 30 open responses (event streams and calls that wait for a run). */
  readonly userLimits?: Partial<UserLimits>;
  /** Maximum number of requests per minute with all API keys of an account, counted in each process; default: no limit. */
  readonly apiKeyRequestsPerMinute?: number;
  /** Folder to which the workbook of each place is written when its tables change; default: none. */
  readonly exportFolder?: ExportFolder;
  /** Maximum number of requests per day (UTC) with all API keys of an account, summed over all processes; default: no limit. */
  readonly apiKeyRequestsPerDay?: number;
  /**
   * Settings of the work service, which computes regions for callers without an account. Default: it serves private
   * addresses and computes two regions at a time.
   */
  readonly workService?: WorkServiceOptions;
  readonly hasher?: PasswordHasher;
  readonly clock?: Clock;
  /** Logger of the service. Default: nothing is logged. */
  readonly logger?: Logger;
  /** True: writes a log line for each request. Default false. */
  readonly logRequests?: boolean;
  /** Origins whose pages may send credentials, in addition to local origins. */
  readonly corsOrigins?: readonly string[];
  /** Maximum size of a body, bytes, for rows without their own limit; default 1 MiB. */
  readonly bodyLimit?: number;
  /** True: validates each response against its row, and throws if it does not match. For tests and development. */
  readonly validateResponses?: boolean;
  /** Returns the name of the pixel engine, for health; throws if it does not work. Default: the engine's own `probe`. */
  readonly pixelsHealth?: () => Promise<string>;
  /** Returns the sources of scenes, for health; throws if they cannot be reached. Default: the source's own `probe`. */
  readonly scenesHealth?: () => Promise<string>;
  /** Checks that files can be written, for health; throws if they cannot. Default: the asset store's own `probe`. */
  readonly filesHealth?: () => Promise<string>;
  /** Returns the state of the download of boundary data, for health. Absent: not reported. */
  readonly boundariesHealth?: () => HealthPart;
  /** Returns the reason why this process must be restarted. While it returns a reason, health is failing. */
  readonly fault?: () => string | undefined;
  /** Returns the free bytes on the disk of results, for health. */
  readonly freeBytes?: () => Promise<number>;
  /** Returns facts for the page of the system in the admin. Each request of this page calls it, so it must not wait for a disk. */
  readonly systemFacts?: () => {
    /** Versions of packages by name. */
    readonly versions: Readonly<Record<string, string>>;
    /** Size of the service's files, bytes, and when it was measured (ISO 8601); undefined if it is not known yet. */
    readonly files: { readonly bytes: number; readonly at: string } | undefined;
  };
  /** Free space below which health warns (default 1 GB), and below which it fails (default 100 MB). */
  readonly freeDisk?: Partial<DiskLimits>;
}
