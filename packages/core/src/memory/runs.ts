import { DomainError } from '../errors.ts';
import type { EnqueuedRun, EnqueueOptions, NewRun, RequestKey, Run, RunStore } from '../ports/runs.ts';
import {
  completedRun,
  countsAsOpen,
  failedRun,
  hasEnded,
  isUnowned,
  keyReused,
  noResult,
  queuedRun,
  succeededRun,
  tooManyOfAddress,
  tooManyOpen,
  waitingStep,
  waitsForItself,
} from '../runs/transitions.ts';
import { callOf } from '../runs/calls.ts';
import { checkData } from '../runs/data-check.ts';
import { ABANDONED_IMPORT, isAbandonedImport, isImport } from '../runs/own-queues.ts';
import { publishedTehsils } from '../runs/publication.ts';
import { withoutBulk } from '../runs/request-for.ts';
import type { MemoryCatalog } from './catalog.ts';
import { copy } from './copy.ts';
import type { MemoryData } from './data.ts';
import type { MemoryPlaces } from './places.ts';
import { memoryAges } from './run-ages.ts';
import { memoryClaims } from './run-claims.ts';
import { memoryParts } from './run-parts.ts';
import { requestStop, stopChildren } from './run-claims.ts';
import { openRuns, type RunTable } from './run-table.ts';

/** Stores into which runs publish. */
export interface MemoryPublications {
  readonly catalog: MemoryCatalog;
  readonly data: MemoryData;
  readonly places: Pick<MemoryPlaces, 'activate'>;
}

/** Builds a run store in memory. Every method is atomic, because it never awaits between reads and writes. */
export function memoryRuns(table: RunTable, published: MemoryPublications): RunStore {
  const { catalog, data, places } = published;
  const keys = requestKeys();
  const { add: addParts, inPart, forget: forgetParts, ...parts } = memoryParts(table);
  const counts = new Map<string, number>();
  // True if all results of a run are current. If a later run replaced an Item by one with equal content, the new Item
  // and its tables count as current results of this run.
  const isWhole = ({ id, itemIds }: Run): boolean =>
    catalog.shownItems(id) === itemIds.length &&
    data.shown(id) + data.describedBy(catalog.standIns(id)) >= (counts.get(id) ?? 0);
  return {
    enqueue: async (incoming, { key, dependencies = [], parts: ownParts = [], part, ...limits } = {}) => {
      const known = key === undefined ? undefined : keys.runOf(key);
      if (known !== undefined) {
        return { run: copy(table.runs.get(known) ?? unknown(known)), joined: true, dependencies: [] };
      }
      const stored = inPart(incoming, part, () => enqueueAll(table, copy([...dependencies, incoming]), limits));
      if (key !== undefined) keys.bind(key, stored.run.id);
      if (!stored.joined) addParts(stored.run.id, ownParts);
      return copy(stored);
    },
    keyedRun: async (key) => copy(table.runs.get(keys.runOf(key) ?? '')),
    bindKey: async (key, runId) => {
      const id = keys.runOf(key) ?? runId;
      const run = table.runs.get(id) ?? unknown(id);
      keys.bind(key, id);
      return copy(run);
    },
    resultOf: async (fingerprint) => {
      const results = [...table.runs.values()].filter((run) => run.fingerprint === fingerprint && run.inputs !== null);
      const newest = results.at(-1);
      return newest !== undefined && isWhole(newest) ? copy(newest) : undefined;
    },
    get: async (id) => copy(table.runs.get(id)),
    list: async ({ ownerId, parentId, state, limit, offset }) => {
      const runs = [...table.runs.values()].toReversed().filter((run) => {
        const isOwned = ownerId === undefined || run.ownerId === ownerId;
        const isChild = parentId === undefined || run.parentId === parentId;
        return isOwned && isChild && (state === undefined || run.state === state);
      });
      const page = runs.slice(offset, offset + limit).map((run) => ({ ...run, params: withoutBulk(run.params) }));
      return { runs: copy(page), total: runs.length };
    },
    hasOpenRuns: async (tehsilId) => openRuns(table).some(({ params }) => params['tehsilId'] === tehsilId),
    openRunsOf: async (eoAccountId, limit) => withAccount(openRuns(table), eoAccountId, limit),
    ...memoryClaims(table),
    ...parts,
    publish: async (id, token, { form, ...deliverable }) =>
      table.write(id, token, (run) => {
        if (run.cancelRequested) return 'cancelled';
        checkData(deliverable);
        const tables = catalog.put(id, deliverable, form);
        data.put({ runId: id, publishedAt: table.now() }, { ...deliverable, tables });
        places.activate(publishedTehsils(deliverable));
        counts.set(id, (deliverable.tables ?? []).length + (deliverable.series ?? []).length);
        table.change(succeededRun(run, copy(deliverable), table.now()));
        return 'ok';
      }),
    complete: async (id, token, publishedBy) =>
      table.write(id, token, (run) => {
        if (run.cancelRequested) return 'cancelled';
        const by = table.runs.get(publishedBy);
        if (by?.state !== 'success') throw noResult(id, publishedBy);
        table.change(completedRun(run, by, table.now()));
        return 'ok';
      }),
    requestCancel: async (id) => copy(requestCancel(table, id)),
    endAbandonedImports: async (queuedMs) => endAbandonedImports(table, queuedMs),
    appendEvent: async (id, event) => {
      if (!table.runs.has(id)) throw new DomainError('not_found', `There is no run "${id}" to log to.`);
      return copy(table.append(id, copy(event)));
    },
    events: async (id, after, limit) =>
      copy((table.events.get(id) ?? []).filter(({ seq }) => seq > after).slice(0, limit)),
    ...memoryAges(table, published, (id) => {
      keys.forget(id);
      forgetParts(id);
      table.claimOrder.forget(id);
      counts.delete(id);
    }),
  };
}

function unknown(id: string): never {
  throw new DomainError('not_found', `There is no run "${id}".`);
}

function requestKeys(): {
  readonly runOf: (key: RequestKey) => string | undefined;
  readonly bind: (key: RequestKey, runId: string) => void;
  readonly forget: (runId: string) => void;
} {
  const known = new Map<string, { readonly request: string; readonly runId: string }>();
  const at = ({ ownerId, key }: RequestKey): string => JSON.stringify([ownerId, key]);
  return {
    runOf: (key) => {
      const found = known.get(at(key));
      if (found !== undefined && found.request !== key.request) throw keyReused(key.key);
      return found?.runId;
    },
    bind: (key, runId) => void known.set(at(key), { request: key.request, runId }),
    forget: (runId) => known.forEach((value, name) => value.runId === runId && known.delete(name)),
  };
}

type Limits = Pick<EnqueueOptions, 'mostOpen' | 'mostOfAddress'>;

/**
 * Stores the last run, and the runs before it as its dependencies. If the last run joins another run or is refused, no
 * run is stored.
 */
function enqueueAll(table: RunTable, incoming: readonly NewRun[], limits: Limits): EnqueuedRun {
  const [run, before] = [incoming.at(-1), incoming.slice(0, -1)];
  if (run === undefined) throw new RangeError('there is no run to store');
  if (before.some(({ fingerprint }) => fingerprint === run.fingerprint)) throw waitsForItself(run.id);
  const stored = enqueue(table, { ...run, after: [], awaits: [] }, limits);
  if (stored.joined) return { ...stored, dependencies: [] };
  const ids = new Map<string, string>();
  const known = ({ after = [] }: NewRun): readonly string[] => after.map((id) => ids.get(id) ?? id);
  const dependencies = before.map((each) => {
    const dependency = enqueue(table, { ...each, after: known(each) });
    ids.set(each.id, dependency.run.id);
    return dependency;
  });
  const after = known(run);
  const waiting = { ...stored.run, after, awaits: run.awaits ?? [], step: waitingStep(run.awaits ?? []) };
  table.runs.set(waiting.id, waiting);
  return { run: waiting, joined: false, dependencies };
}

function enqueue(
  table: RunTable,
  incoming: NewRun,
  { mostOpen = Number.POSITIVE_INFINITY, mostOfAddress = Number.POSITIVE_INFINITY }: Limits = {},
): { readonly run: Run; readonly joined: boolean } {
  const inFlight = [...table.runs.values()].find(
    (run) => run.fingerprint === incoming.fingerprint && !hasEnded(run) && !run.cancelRequested,
  );
  if (inFlight !== undefined) return { run: inFlight, joined: true };
  if (table.runs.has(incoming.id))
    throw new DomainError('conflict', `A run with the id "${incoming.id}" exists already.`);
  if (countsAsOpen(incoming)) {
    const open = countedRuns(table, incoming.ownerId);
    if (open.length >= mostOpen) throw tooManyOpen(mostOpen, incoming.ownerId);
    const from = callOf(incoming)?.from ?? undefined;
    const isAlike = (run: Run): boolean => callOf(run)?.from === from;
    if (from !== undefined && open.filter(isAlike).length >= mostOfAddress) throw tooManyOfAddress(mostOfAddress);
  }
  return { run: table.change(queuedRun(incoming, table.now())), joined: false };
}

function countedRuns(table: RunTable, ownerId: number | null): readonly Run[] {
  const isOwn = (run: Run): boolean =>
    ownerId === null ? isUnowned(run) : run.ownerId === ownerId && run.parentId === null;
  return openRuns(table).filter((run) => isOwn(run) && !isImport(run));
}

/** Finds the runs with this `eoAccountId` at any depth of their parameters, newest first. */
function withAccount(runs: readonly Run[], eoAccountId: number, limit: number) {
  const named = new RegExp(`"eoAccountId":${eoAccountId}[,}]`);
  const ids = runs.filter(({ params }) => named.test(JSON.stringify(params))).map(({ id }) => id);
  return { ids: ids.toReversed().slice(0, limit), total: ids.length };
}

function endAbandonedImports(table: RunTable, queuedMs: number): number {
  const ended = [...table.runs.values()].filter((run) => isAbandonedImport(run, table.nowMs(), queuedMs));
  for (const run of ended) table.change(failedRun(run, ABANDONED_IMPORT, table.now()));
  return ended.length;
}

function requestCancel(table: RunTable, id: string): Run | undefined {
  const run = table.runs.get(id);
  if (run === undefined || hasEnded(run)) return run;
  stopChildren(table, run);
  return requestStop(table, run);
}
