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
import type { WorkflowAccess } from './features/work-service/workflow-policy.ts';
import type { PublicationOptions } from './layers/publication.ts';
import type { UserLimits } from './limits/user-limits.ts';
import type { ScreensOption } from './sessions/screens.ts';
import type { ApiViewer } from './features/system/page/viewer-page.ts';
import type { WorkServiceOptions } from './features/work-service/settings.ts';
import type { ExportFolder } from './features/public-data/workbook/write-place-files.ts';

/** Ports that computing in this process needs. */
export interface ComputeParts {
  readonly earthObservation: EarthObservation;
  readonly pixels: PixelEngine;
  readonly assets: AssetStore;
  /** Source of elevations; without it, pipelines that need elevations respond 409. */
  readonly elevation?: ElevationSource;
}

/** Settings of file imports. */
export interface ImportParts {
  /** Creates the importers, one per kind of file, on the stores of the service. */
  readonly importers: (stores: Stores) => readonly Importer[];
  /** Folder of uploads while they are read; created when it is needed. */
  readonly scratchDir: string;
  /** Largest upload, bytes; default 1 GB. */
  readonly maxBytes?: number;
}

/** Options of `createHeadwater`; only the first two have no default. */
export interface HeadwaterOptions {
  /** Public address of the service with the mount prefix; every href begins with it. A trailing slash is optional. */
  readonly baseUrl: string;
  /** Key that signs tokens: at least 32 random bytes, or a text of that length. */
  readonly secret: string | Uint8Array;
  /** Default: in memory, lost with the process. */
  readonly stores?: Stores;
  /** Absent: the service accepts no computations (503). */
  readonly compute?: ComputeParts;
  /**
   * Computes new runs in place of this process. Default: this process, if `compute` is set. With both, this process computes the runs that
   * the backend returns to the queue. With the backend alone, other processes on the same stores compute them, in files that `files` opens.
   */
  readonly backend?: (parts: BackendParts) => ComputeBackend;
  /** Files that other processes publish, for a service without `compute`; default: those of `compute`. */
  readonly files?: AssetStore;
  /** Access to the workflow of the backend's orchestrator (`/api/dag/run`): `private` (the default), `public`, `bearer` or `session`. */
  readonly workflowAccess?: WorkflowAccess;
  /** Absent: no file can be uploaded for import (503). */
  readonly imports?: ImportParts;
  /** Pipelines on offer, each with its route, documentation and worker job; default: none. */
  readonly pipelines?: readonly AnyPipeline[];
  /** Operations of the embedder, next to ours: routed, documented and tested in the same way. */
  readonly operations?: readonly Operation[];
  /** Descriptions of tags that these operations use; a tag without description is shown as well. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Settings of the in-process worker; false if another process computes. */
  readonly worker?: Partial<WorkerSettings> | false;
  /** Address of the map server, no trailing slash; default: `{baseUrl}/geoserver`, served by this service. */
  readonly mapServerUrl?: string;
  /** Title, licence, providers and attribution of what is published; each has a default. */
  readonly publication?: PublicationOptions;
  /** Place whose layers the first page always shows; nothing is shown if it has none. */
  readonly featured?: { readonly state: string; readonly district: string; readonly tehsil: string };
  /** Instructions to an operator about missing places and scenes, for messages; default: general ones. */
  readonly remedies?: Partial<Remedies>;
  /** Viewer at `/docs/` that can send requests; default: none, and `/docs/` shows the plain reference. */
  readonly apiViewer?: ApiViewer;
  /** Version in OpenAPI, pages, Items, and the health report for superusers. */
  readonly version?: string;
  readonly tokens?: Partial<Omit<TokenSettings, 'secret'>>;
  readonly loginLimits?: LoginLimits;
  /**
   * Pages for people (`/login/`, `/dashboard/`): `own` (the default), `off`, or behind the sign-in of the host, without sign-in pages of
   * the service.
   */
  readonly pages?: ScreensOption;
  /** Rule for self-registered accounts, which read public data and cannot compute; default: `off`. */
  readonly registration?: RegistrationRule;
  /** Accounts that may activate places by `activate_location/`; default: superusers. */
  readonly activation?: ActivationRule;
  /** Mails password reset links; without it, pages refer users to the operator. */
  readonly mail?: MailSender;
  /** Limits per account: by default 20 unfinished runs, and 30 event streams and waiting calls together. */
  readonly userLimits?: Partial<UserLimits>;
  /** Rate limit of all API keys of an account per process; default: none. */
  readonly apiKeyRequestsPerMinute?: number;
  /** Folder for the workbook of each place, updated with its tables; default: none. */
  readonly exportFolder?: ExportFolder;
  /** Rate limit of all API keys of an account per day (UTC), over all processes; default: none. */
  readonly apiKeyRequestsPerDay?: number;
  /** Settings of the work service, which computes regions without an account; default: for private addresses, two at a time. */
  readonly workService?: WorkServiceOptions;
  readonly hasher?: PasswordHasher;
  readonly clock?: Clock;
  /** Default: logs nothing. */
  readonly logger?: Logger;
  /** One log line per request; default false. */
  readonly logRequests?: boolean;
  /** Origins whose pages may send credentials, in addition to local ones. */
  readonly corsOrigins?: readonly string[];
  /** Default body limit in bytes for rows without their own; default 1 MiB. */
  readonly bodyLimit?: number;
  /** Validates every response against its row, and throws if it differs; for tests and development. */
  readonly validateResponses?: boolean;
  /** Returns the name of the pixel engine, for health; throws if it does not work. Default: the engine's own `probe`. */
  readonly pixelsHealth?: () => Promise<string>;
  /** Returns the sources of scenes, for health; throws if they cannot be reached. Default: the source's own `probe`. */
  readonly scenesHealth?: () => Promise<string>;
  /** Checks that files can be written, for health; throws if they cannot. Default: the asset store's own `probe`. */
  readonly filesHealth?: () => Promise<string>;
  /** State of the boundary data download, for health; absent: not reported. */
  readonly boundariesHealth?: () => HealthPart;
  /** Returns the reason why this process must be restarted; health is failing while it returns one. */
  readonly fault?: () => string | undefined;
  /** Returns the free bytes on the disk of results, for health. */
  readonly freeBytes?: () => Promise<number>;
  /** Free space below which health warns and fails; default: 1 GB and 100 MB. */
  readonly freeDisk?: Partial<DiskLimits>;
}
