import type { ItemVersion, LayerRecord, Publications } from './catalog.ts';
import type { TehsilNames } from './places.ts';
import type { Run, RunState } from './runs.ts';
import type { RunBackend } from './run-work.ts';
import type { TableHead } from './tables.ts';

/** Position, size and direction of a page of a list. */
export interface OperatorPart {
  readonly limit: number;
  readonly offset: number;
  readonly isDescending?: boolean;
}

/** Rows of a page, and the number of all rows that match. */
export interface OperatorPage<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** A run in a list, with the names of its tehsil, if known. */
export interface ListedRun extends Pick<
  Run,
  'id' | 'pipeline' | 'ownerId' | 'backend' | 'state' | 'progress' | 'createdAt' | 'startedAt' | 'finishedAt'
> {
  readonly place: TehsilNames | null;
}

/** Column by which runs are sorted. Unfinished runs have the duration 0. */
export type RunOrder = 'created' | 'duration' | 'state';

/** Request for a page of runs, with its conditions. Default order: `created`. */
export interface RunSearch extends OperatorPart {
  readonly state?: RunState | undefined;
  readonly pipeline?: string | undefined;
  readonly backend?: RunBackend | undefined;
  /** Only the run with this id, the runs of these owners, and the runs of tehsils whose slugs contain `slug`. */
  readonly search?: { readonly id: string; readonly ownerIds: readonly number[]; readonly slug: string } | undefined;
  readonly order?: RunOrder;
}

/** Runs of one owner that have not ended. */
export interface OpenOwner {
  /** Account that owns the runs; null for runs of regions (`/api/export-asset`), which no account owns. */
  readonly ownerId: number | null;
  readonly queued: number;
  readonly running: number;
}

/** All runs that have not ended, on all queues and backends. */
export interface OpenWork {
  readonly queued: number;
  readonly running: number;
  readonly oldestAt: string | null;
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
  /** Time at which the oldest run of `waiting` was stored. */
  readonly oldestAt: string | null;
  /** Number of workers with a valid lease of at least one run. */
  readonly workers: number;
}

/** A published layer, with run and time of its Item. These are null if the Item is missing. */
export interface ListedLayer extends LayerRecord {
  readonly collectionPath: string | null;
  readonly runId: string | null;
  /** Time of the publication or last change of the Item, ISO 8601 UTC. */
  readonly publishedAt: string | null;
  readonly place: TehsilNames | null;
}

/** Column by which layers are sorted. */
export type LayerOrderColumn = 'name' | 'dataset' | 'version' | 'published';

/** Request for a page of published layers. Former names are not searched or listed. Default order: `name`. */
export interface LayerSearch extends OperatorPart {
  /** Words that must all occur in the place, the dataset or the name, ignoring case. */
  readonly search?: string;
  readonly layerType?: LayerRecord['layerType'] | undefined;
  readonly datasetName?: string | undefined;
  readonly state?: string | undefined;
  readonly order?: LayerOrderColumn;
}

/** A layer, the publications of its Item, and the versions of this Item, newest first. */
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

/** Request for a page of tables. Default order: `name`, then id of the tehsil. */
export interface TableSearch extends OperatorPart {
  /** Words that must all occur in the place or the name, ignoring case. */
  readonly search?: string;
  readonly order?: 'name' | 'rows' | 'version' | 'published';
}

/** Lists of runs and publications for operators, searched and sorted by the database. */
export interface OperatorLists {
  runs(query: RunSearch): Promise<OperatorPage<ListedRun>>;
  /** Returns numbers of unfinished runs, and at most `most` owners. */
  openWork(most: number): Promise<OpenWork>;
  /** Returns numbers of runs. Counts only those ended runs that ended within the last `endedMs`. */
  runCounts(endedMs: number): Promise<RunCounts>;
  layers(query: LayerSearch): Promise<OperatorPage<ListedLayer>>;
  /** Returns the names of the datasets of published layers, sorted; at most 200. */
  layerDatasets(): Promise<readonly string[]>;
  /** Returns the layer with this present or former name. */
  layer(workspace: string, layerName: string): Promise<LayerDetail | undefined>;
  tables(query: TableSearch): Promise<OperatorPage<ListedTable>>;
}
