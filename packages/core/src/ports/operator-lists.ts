import type { ItemVersion, LayerRecord, Publications } from './catalog.ts';
import type { TehsilNames } from './places.ts';
import type { Run, RunState } from './runs.ts';
import type { RunBackend } from './run-work.ts';
import type { TableHead } from './tables.ts';

/** Position, size and direction of a page of a list. */
export interface OperatorPart {
  readonly limit: number;
  readonly offset: number;
  /** If true, the list is in descending order. */
  readonly isDescending?: boolean;
}

/** Rows of a page, and the number of all rows that match. */
export interface OperatorPage<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/**
 * A run in a list, with the names of its tehsil. The names are null if the place directory does not have the tehsil, or if the run
 * has none.
 */
export interface ListedRun extends Pick<
  Run,
  'id' | 'pipeline' | 'ownerId' | 'backend' | 'state' | 'progress' | 'createdAt' | 'startedAt' | 'finishedAt'
> {
  readonly place: TehsilNames | null;
}

/** Column by which runs are sorted. Runs that have not ended have the duration 0; states are in the order of their names. */
export type RunOrder = 'created' | 'duration' | 'state';

/** A page of all runs, and its conditions. Default order: `created`. */
export interface RunSearch extends OperatorPart {
  readonly state?: RunState | undefined;
  readonly pipeline?: string | undefined;
  readonly backend?: RunBackend | undefined;
  /**
   * Lists only the run with this id, the runs of these owners, and the runs of tehsils that match `slug`. A tehsil matches if `slug`
   * occurs in its own slug, or in the slug of its district or state.
   */
  readonly search?: { readonly id: string; readonly ownerIds: readonly number[]; readonly slug: string } | undefined;
  readonly order?: RunOrder;
}

/** Runs of one owner that have not ended. */
export interface OpenOwner {
  /** Account that owns the runs; null for the runs of the work service. */
  readonly ownerId: number | null;
  readonly queued: number;
  readonly running: number;
}

/** All runs that have not ended, on all queues and backends. */
export interface OpenWork {
  readonly queued: number;
  readonly running: number;
  /** Time at which the oldest queued run was stored; null if none is queued. */
  readonly oldestAt: string | null;
  /** Number of owners of unfinished runs. */
  readonly owners: number;
  /** The owners who have the largest numbers of unfinished runs. */
  readonly most: readonly OpenOwner[];
  /** Number of workers with a valid lease of at least one run. */
  readonly workers: number;
}

/** Numbers of runs on all queues and backends, for metrics and warnings. */
export interface RunCounts {
  /** Unfinished runs, and runs that ended within `endedMs`, by pipeline and state. */
  readonly runs: readonly { readonly pipeline: string; readonly state: RunState; readonly count: number }[];
  /** Number of queued runs that wait for no other run. */
  readonly waiting: number;
  /** Time at which the oldest of the runs in `waiting` was stored; null if there is none. */
  readonly oldestAt: string | null;
  /** Number of workers with a valid lease of at least one run. */
  readonly workers: number;
}

/** A published layer with the run and time of its Item; run and time are null if the Item is missing. */
export interface ListedLayer extends LayerRecord {
  readonly collectionPath: string | null;
  readonly runId: string | null;
  /** Time of the publication, ISO 8601 UTC. */
  readonly publishedAt: string | null;
  readonly place: TehsilNames | null;
}

/** Column by which layers are sorted. */
export type LayerOrderColumn = 'name' | 'dataset' | 'version' | 'published';

/** A page of all published layers, without their former names. Default order: `name`. */
export interface LayerSearch extends OperatorPart {
  /** Words that must all occur in the place, the dataset or the name, ignoring case. */
  readonly search?: string;
  readonly layerType?: LayerRecord['layerType'] | undefined;
  readonly datasetName?: string | undefined;
  /** Name of the state of the layer's tehsil. */
  readonly state?: string | undefined;
  readonly order?: LayerOrderColumn;
}

/** A layer, the publications that belong to its Item, and the versions of this Item, newest first. */
export interface LayerDetail extends ListedLayer, Publications {
  readonly versions: readonly Pick<ItemVersion, 'runId' | 'version'>[];
}

/** A published table with the names of its tehsil. */
export interface ListedTable extends Pick<
  TableHead,
  'name' | 'tehsilId' | 'rowCount' | 'version' | 'runId' | 'publishedAt'
> {
  readonly place: TehsilNames | null;
}

/** A page of all tables. Default order: `name`; tables with the same name are sorted by the tehsil's id. */
export interface TableSearch extends OperatorPart {
  /** Words that must all occur in the place or the name, ignoring case. */
  readonly search?: string;
  readonly order?: 'name' | 'rows' | 'version' | 'published';
}

/** Lists of runs and publications for operators. The database searches and sorts the lists and returns one page. */
export interface OperatorLists {
  runs(query: RunSearch): Promise<OperatorPage<ListedRun>>;
  /** `most`: maximum number of owners. */
  openWork(most: number): Promise<OpenWork>;
  /** `endedMs`: ended runs are counted if they ended at most this long ago, ms. */
  runCounts(endedMs: number): Promise<RunCounts>;
  layers(query: LayerSearch): Promise<OperatorPage<ListedLayer>>;
  /** Names of the datasets of published layers, sorted; at most 200. */
  layerDatasets(): Promise<readonly string[]>;
  /** Returns the layer with this present or former name. */
  layer(workspace: string, layerName: string): Promise<LayerDetail | undefined>;
  tables(query: TableSearch): Promise<OperatorPage<ListedTable>>;
}
