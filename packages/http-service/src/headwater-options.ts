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
import type { BackendParts, ComputeBackend } from '@headwater/core/runs';
import type {
  LoginLimits,
  MailSender,
  PasswordHasher,
  RegistrationRule,
  Stores,
  TokenSettings,
} from '@headwater/identity';
import type { DiskLimits } from './health/parts.ts';
import type { ActivationRule } from './features/public-data/rows/places.ts';
import type { HealthPart } from './health/report.ts';
import type { Operation } from './rows/operation.ts';
import type { WorkflowAccess } from './features/work-service/rows/workflow-runs.ts';
import type { PublicationOptions } from './layers/publication.ts';
import type { UserLimits } from './limits/user-limits.ts';
import type { WorkServiceOptions } from './features/work-service/settings.ts';
import type { ExportFolder } from './features/public-data/workbook/write-place-files.ts';

/** What computing here needs. */
export interface ComputeParts {
  readonly earthObservation: EarthObservation;
  readonly pixels: PixelEngine;
  readonly assets: AssetStore;
  /** Where elevations come from; without it, pipelines that need them refuse with 409. */
  readonly elevation?: ElevationSource;
}

/** What importing files needs. */
export interface ImportParts {
  /** One for each kind; `stores` are those of the service. */
  readonly importers: (stores: Stores) => readonly Importer[];
  /** Folder in which an upload lies while it is read; made when it is needed. */
  readonly scratchDir: string;
  /** Largest upload, bytes; default 1 GB. */
  readonly maxBytes?: number;
}

/** Everything that `createHeadwater` takes; only the first two have no default. */
export interface HeadwaterOptions {
  /** Public address of the service, mount prefix included, no trailing slash needed: every href starts with it. */
  readonly baseUrl: string;
  /** Key of the tokens: at least 32 random bytes, or text that long. */
  readonly secret: string | Uint8Array;
  /** Default: in memory, gone with the process. */
  readonly stores?: Stores;
  /** Absent: the service serves and accepts no computations (503). */
  readonly compute?: ComputeParts;
  /**
   * Where new runs compute instead of here; default: here, where `compute` is given. With both, what the backend sends back is computed
   * here; with this alone the service computes nothing itself: others on the same stores do what is sent back, in files that `files` opens.
   */
  readonly backend?: (parts: BackendParts) => ComputeBackend;
  /** Where others put the files of what is published, for a service without `compute`; default: those of `compute`. */
  readonly files?: AssetStore;
  /** Who may run the workflow of the backend's orchestrator by itself (`/api/dag/run`): `public` (the default), `bearer` or `session`. */
  readonly workflowAccess?: WorkflowAccess;
  /** Absent: no file can be uploaded for import (503). */
  readonly imports?: ImportParts;
  /** Pipelines that are offered, each with its route, documentation and worker job; default: none. */
  readonly pipelines?: readonly AnyPipeline[];
  /** Further rows beside ours: routed, documented and tested like them. */
  readonly operations?: readonly Operation[];
  /** Descriptions of tags that these rows name beyond ours; a tag that nobody describes is shown all the same. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Tuning of the in-process worker, or false where another process does the work. */
  readonly worker?: Partial<WorkerSettings> | false;
  /** Address of the map server, no trailing slash; default: `{baseUrl}/geoserver`, answered by this service. */
  readonly mapServerUrl?: string;
  /** Title, licence, providers and attribution of what is published; each has a default. */
  readonly publication?: PublicationOptions;
  /** A place whose layers the first page shows whatever else is published; where it has none, nothing is shown. */
  readonly featured?: { readonly state: string; readonly district: string; readonly tehsil: string };
  /** What an operator does about missing places and scenes, for messages; default: in general words. */
  readonly remedies?: Partial<Remedies>;
  /** Version told by OpenAPI, pages, Items, and health for superusers. */
  readonly version?: string;
  readonly tokens?: Partial<Omit<TokenSettings, 'secret'>>;
  readonly loginLimits?: LoginLimits;
  /** Whether strangers may make accounts, which read public data and may not compute; default: `off`. */
  readonly registration?: RegistrationRule;
  /** Who makes places active by `activate_location/`; default: superusers. */
  readonly activation?: ActivationRule;
  /** Mails links for new passwords; without it users who forgot theirs are told to ask the operator. */
  readonly mail?: MailSender;
  /** What one account may have open at a time: 20 runs, and 30 event streams and waiting answers. */
  readonly userLimits?: Partial<UserLimits>;
  /** How often one API key may be used, per process; default: as often as it likes. */
  readonly apiKeyRequestsPerMinute?: number;
  /** Where the workbook of each place is kept as a file, as new as its tables; default: nowhere. */
  readonly exportFolder?: ExportFolder;
  /** How often one API key may be used on a day (UTC), all processes together; default: as often as it likes. */
  readonly apiKeyRequestsPerDay?: number;
  /** Regions that are computed for whoever asks, as orchestrators do; default: for everybody, two at a time. */
  readonly workService?: WorkServiceOptions;
  readonly hasher?: PasswordHasher;
  readonly clock?: Clock;
  /** Default: says nothing. */
  readonly logger?: Logger;
  /** One log line per request; default false. */
  readonly logRequests?: boolean;
  /** Origins whose pages may call with credentials, beside local ones. */
  readonly corsOrigins?: readonly string[];
  /** Largest body in bytes where a row says nothing else; default 1 MiB. */
  readonly bodyLimit?: number;
  /** Checks every answer against its row and fails loudly; for tests and development. */
  readonly validateResponses?: boolean;
  /** Tells health which pixel engine there is; throws when it does not work. Default: the engine's own `probe`. */
  readonly pixelsHealth?: () => Promise<string>;
  /** Tells health where scenes come from; throws when that cannot be reached. Default: the source's own `probe`. */
  readonly scenesHealth?: () => Promise<string>;
  /** Tells health that files can be written; throws when they cannot. Default: the asset store's own `probe`. */
  readonly filesHealth?: () => Promise<string>;
  /** Tells health how far boundary data are that are downloaded; absent: nothing is said of them. */
  readonly boundariesHealth?: () => HealthPart;
  /** Returns why this process has to be started again; while it returns a reason, health is failing. */
  readonly fault?: () => string | undefined;
  /** Tells health the free bytes where results are written. */
  readonly freeBytes?: () => Promise<number>;
  /** Below which free space health warns and fails; default: 1 GB and 100 MB. */
  readonly freeDisk?: Partial<DiskLimits>;
}
