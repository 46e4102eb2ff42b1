/** Export of a published raster to an asset of a platform, such as Earth Engine. */
export interface EoExport {
  /** UUID in requests to the platform, so that a repeated request starts nothing new. */
  readonly id: string;
  /** `AssetStore` key of the file. A file has at most one export. */
  readonly assetKey: string;
  readonly workspace: string;
  readonly layerName: string;
  readonly accountId: number;
  /** Path of the asset; null before it is known. */
  readonly assetPath: string | null;
  /** Address of the file in the bucket from which the platform reads; null before the upload. */
  readonly source: string | null;
  /** Operation of the platform that is in progress or has ended. */
  readonly operation: string | null;
  /** State of the export. A `failed` export is retried only on request. */
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** Number of operations that failed at the platform, or that a restart of the export abandoned. */
  readonly attempts: number;
  /** Number of failed steps since the last successful step. */
  readonly failures: number;
  /** Time of the next step, ISO 8601 UTC. */
  readonly dueAt: string;
  /** Reason and remedy of the last failure; null after a successful step. */
  readonly problem: string | null;
  /** Computing time that the platform charged, EECU seconds. */
  readonly eecuSeconds: number | null;
  readonly createdAt: string;
}

/** A new export; its first step is due at once. */
export type NewEoExport = Pick<EoExport, 'id' | 'assetKey' | 'workspace' | 'layerName' | 'accountId' | 'createdAt'>;

/** An export that one process may change until the lease ends. */
export interface ClaimedExport extends EoExport {
  readonly leaseUntil: string;
}

/** Members of an export that a step changes. */
export type EoExportChange = Partial<
  Omit<EoExport, 'id' | 'assetKey' | 'workspace' | 'layerName' | 'accountId' | 'createdAt'>
>;

/** Store of exports to platforms, and the queue of unfinished exports. */
export interface EoExportStore {
  /** Stores an export and returns true. If the file already has an export, stores nothing and returns false. */
  add(wanted: NewEoExport): Promise<boolean>;
  /** Leases the unfinished export that has been due for the longest time; undefined if none is due. */
  claim(now: Date, leaseMs: number): Promise<ClaimedExport | undefined>;
  /**
   * Changes a leased export and ends the lease, or extends it to `leaseUntil`. Returns false without a change if the
   * lease was lost.
   */
  save(
    claimed: Pick<ClaimedExport, 'id' | 'leaseUntil'>,
    change: EoExportChange,
    options?: { readonly leaseUntil?: string },
  ): Promise<boolean>;
  /** Makes a failed export due again, beginning with the upload; undefined if no failed export has this id. */
  retry(id: string, now: Date): Promise<EoExport | undefined>;
  byId(id: string): Promise<EoExport | undefined>;
  /** Returns the exports of files, in any order. */
  ofFiles(assetKeys: readonly string[]): Promise<readonly EoExport[]>;
  /** Returns the unfinished exports of a layer and of its earlier files, in any order. */
  openOf(layer: Pick<EoExport, 'workspace' | 'layerName'>): Promise<readonly EoExport[]>;
  /**
   * Returns a page of the exports in this state (default: any), newest first. `total` is the number of all these
   * exports.
   */
  list(page: {
    readonly state?: EoExport['state'] | undefined;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly rows: readonly EoExport[]; readonly total: number }>;
  /** Returns the earliest time at which `claim` can lease an export, ISO 8601 UTC; null if none is unfinished. */
  nextDue(): Promise<string | null>;
}
