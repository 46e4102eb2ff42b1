import type { EoAccount, EoAccountStore } from '../ports/eo-accounts.ts';
import type { InstallationStore } from '../ports/installation.ts';
import type { Job, JobStore } from '../ports/jobs.ts';
import type { DomainStores } from '../ports/stores.ts';
import type { Clock } from '../ports/host.ts';
import { tehsilUsed } from '../places/place-needs.ts';
import { hasEnded as hasRunEnded } from '../runs/transitions.ts';
import { createSoleProcess } from '../runs/sole-installation.ts';
import { tooManyJobs } from '../runs/too-many-jobs.ts';
import { memoryCatalog } from './catalog.ts';
import { copy } from './copy.ts';
import { memoryData } from './data.ts';
import { memoryEoExports } from './eo-exports.ts';
import { memoryLookups } from './lookups.ts';
import { memoryOperatorLists } from './operator-lists.ts';
import { memoryPlaces } from './places.ts';
import { memoryRuns } from './runs.ts';
import { createRunTable } from './run-table.ts';
import { memorySceneUses } from './scene-uses.ts';

function memoryJobs(clock: Clock): JobStore {
  const jobs = new Map<string, Job>();
  const now = (): string => clock.now().toISOString();
  return {
    add: async ({ id, op, params }, { mostOpen, mostAlike = mostOpen, mostEnded, keepMs }) => {
      const oldest = clock.now().getTime() - keepMs;
      for (const job of jobs.values()) if (Date.parse(job.createdAt) < oldest) jobs.delete(job.id);
      const alike = [...jobs.values()].filter((job) => job.op === op);
      for (const job of alike.filter(hasEnded).sort(latestFirst).slice(mostEnded)) jobs.delete(job.id);
      const open = alike.filter((job) => !hasEnded(job));
      if (open.length >= mostOpen) throw tooManyJobs(op, mostOpen);
      const text = JSON.stringify(params);
      if (open.filter((job) => JSON.stringify(job.params) === text).length >= mostAlike)
        throw tooManyJobs(op, mostAlike, ' for this caller');
      jobs.set(id, copy({ id, op, params, outcome: null, createdAt: now(), finishedAt: null }));
    },
    get: async (id) => copy(jobs.get(id)),
    open: async () =>
      [...jobs.values()]
        .filter((job) => !hasEnded(job))
        .sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id))
        .map(({ id, op, createdAt }) => ({ id, op, createdAt })),
    rename: async (id, to) => {
      const job = jobs.get(id);
      if (job === undefined || hasEnded(job) || jobs.has(to)) return;
      jobs.delete(id);
      jobs.set(to, { ...job, id: to });
    },
    finish: async (id, outcome, mostBytes = Number.POSITIVE_INFINITY) => {
      const job = jobs.get(id);
      if (job === undefined) return 'unknown';
      if (job.outcome !== null) return 'finished';
      jobs.set(id, { ...job, outcome: copy(outcome), finishedAt: now() });
      const ended = [...jobs.values()].filter((each) => each.op === job.op && hasEnded(each)).sort(latestFirst);
      let bytes = 0;
      for (const each of ended) {
        bytes += JSON.stringify([each.params, each.outcome]).length;
        if (bytes > mostBytes && each.id !== id) jobs.delete(each.id);
      }
      return 'stored';
    },
  };
}

const hasEnded = ({ outcome }: Job): boolean => outcome !== null;

const latestFirst = (a: Job, b: Job): number =>
  (b.finishedAt ?? '').localeCompare(a.finishedAt ?? '') || b.id.localeCompare(a.id);

const NEW_ACCOUNT = {
  serviceAccountEmail: null,
  platform: 'local',
  isActive: true,
  visibleTo: 'all',
  ownerId: null,
  organizationId: null,
  exhaustedUntil: null,
} as const;

function memoryEoAccounts(): EoAccountStore {
  const accounts = new Map<number, EoAccount>();
  const keys = new Map<number, string>();
  let lastId = 0;
  return {
    create: async (input) => {
      lastId += 1;
      const account: EoAccount = { ...NEW_ACCOUNT, ...copy(input), id: lastId, hasKey: false };
      accounts.set(account.id, account);
      return copy(account);
    },
    change: async (id, change) => {
      const known = accounts.get(id);
      if (known !== undefined) accounts.set(id, { ...known, ...copy(change) });
      return copy(accounts.get(id));
    },
    byId: async (id) => copy(accounts.get(id)),
    list: async () => copy([...accounts.values()]),
    remove: async (id) => {
      keys.delete(id);
      return accounts.delete(id);
    },
    sealedKey: async (id) => keys.get(id) ?? null,
    setSealedKey: async (id, sealed) => {
      const known = accounts.get(id);
      if (known === undefined) return false;
      accounts.set(id, { ...known, hasKey: sealed !== null });
      if (sealed === null) keys.delete(id);
      else keys.set(id, sealed);
      return true;
    },
  };
}

function memoryTexts(): Pick<InstallationStore, 'getOrCreate' | 'read' | 'write'> {
  const texts = new Map<string, string>();
  return {
    getOrCreate: async (name, proposed) => {
      const value = texts.get(name) ?? proposed;
      texts.set(name, value);
      return value;
    },
    read: async (name) => texts.get(name),
    write: async (name, value) => void texts.set(name, value),
  };
}

/** Builds the domain's stores in memory, with the time of `clock`. Data are lost at the end of the process. */
export function createMemoryDomainStores({
  clock = { now: () => new Date() },
}: { readonly clock?: Clock } = {}): DomainStores {
  const catalog = memoryCatalog(clock);
  const data = memoryData();
  const places = memoryPlaces(clock);
  const { changes, ...sole } = createSoleProcess();
  const table = createRunTable(clock);
  const isUsed = (tehsilId: number): boolean =>
    [
      ...Array.from(catalog.tables.layers.values(), ({ layer }) => layer),
      ...data.tables.values(),
      ...data.series.values(),
    ].some((each) => each.tehsilId === tehsilId) ||
    [...table.runs.values()].some((run) => !hasRunEnded(run) && run.params['tehsilId'] === tehsilId);
  return {
    eoAccounts: memoryEoAccounts(),
    eoExports: memoryEoExports(),
    sceneUses: memorySceneUses(table),
    places: {
      ...places.store,
      removeTehsil: async (tehsilId, { unlessUsed = false } = {}) => {
        if (unlessUsed && isUsed(tehsilId)) throw tehsilUsed();
        await places.store.removeTehsil(tehsilId);
      },
    },
    lookups: memoryLookups({ ...places, layersOf: catalog.store.layersOf }),
    runs: memoryRuns(table, { catalog, data, places }),
    jobs: memoryJobs(clock),
    catalog: catalog.store,
    search: catalog.search,
    data: data.store,
    operatorLists: memoryOperatorLists({ table, catalog: catalog.tables, data, places: places.store }),
    installation: { ...memoryTexts(), ...sole },
    changes,
    ping: async () => ({ kind: 'memory', version: 'in memory' }),
    close: async () => {},
  };
}
