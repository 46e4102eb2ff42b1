import { randomUUID } from 'node:crypto';
import { type Logger, messageOf, type Timers } from '@headwater/core';
import type { ClaimedExport, DomainStores, EoExportChange, ListedLayer } from '@headwater/core/ports';
import type { RunSignals } from '@headwater/core/runs';
import { advance } from './advance.ts';
import { holdExport, LEASE_MS } from './held-export.ts';
import type { StepParts } from './steps/step.ts';

/** Exports of published rasters. Processes on one database share the work. */
export interface Exporter {
  /** Finds rasters without export, and makes due steps until `close`. */
  start(): void;
  /** Ends the steps in progress. Any process can continue them later. */
  close(): Promise<void>;
  /** Makes the due steps at once. */
  wake(): void;
  /**
   * Stores an export for each raster that was computed with an Earth Engine account; returns the number of new exports.
   */
  findNew(): Promise<number>;
  /** Makes all steps that are due now; returns their number. */
  runDue(): Promise<number>;
}

/** Dependencies of `createExporter`. */
export interface ExporterParts extends StepParts {
  readonly stores: StepParts['stores'] & Pick<DomainStores, 'operatorLists' | 'runs'>;
  readonly signals: RunSignals;
  readonly logger: Logger;
  readonly timers: Timers;
}

const PARALLEL = 4;
const PAGE_SIZE = 100;
/** Pause before a search, so that one search finds all layers of a run. */
const PAUSE_MS = 500;
/** Longest pause between reads of the store. No event announces the due steps of a process that ended. */
const LONGEST_PAUSE_MS = 60_000;

/** Creates the exporter. The store is the queue, so nothing is lost if this process ends. */
export function createExporter(parts: ExporterParts): Exporter {
  const { stores, signals, timers, logger, now } = parts;
  const stopping = new AbortController();
  const known: KnownLayers = { versions: new Map(), isWhole: false };
  let waking = new AbortController();
  let isListDue = true;
  let working: Promise<void> | undefined;

  const wake = (): void => waking.abort();
  const onChange = (): void => {
    isListDue = true;
    wake();
  };
  const findNew = async (): Promise<number> => {
    isListDue = false;
    try {
      return await addNew(parts, known);
    } catch (error) {
      isListDue = true;
      throw error;
    }
  };
  const work = async (): Promise<number> => {
    for (let steps = 0; ; steps += 1) {
      const claimed = stopping.signal.aborted ? undefined : await stores.eoExports.claim(now(), LEASE_MS);
      if (claimed === undefined) return steps;
      const change = await makeStep(claimed, parts, stopping.signal);
      if (change.state === 'failed') {
        const { workspace, layerName } = claimed;
        const problem = change.problem ?? '';
        logger.error({ problem }, `${workspace}:${layerName} was not exported: ${problem}`);
      }
    }
  };
  const runDue = async (): Promise<number> => {
    const steps = await Promise.all(Array.from({ length: PARALLEL }, work));
    return steps.reduce((sum, each) => sum + each, 0);
  };
  const pass = async (): Promise<void> => {
    try {
      if (isListDue) await findNew();
      await runDue();
    } catch (error) {
      if (!stopping.signal.aborted) logger.error({ error: messageOf(error) }, 'exports wait for the database');
    }
  };
  const pauseMs = async (): Promise<number> => {
    const due = await stores.eoExports.nextDue().catch(() => null);
    const untilDue = due === null ? LONGEST_PAUSE_MS : Date.parse(due) - now().getTime();
    return Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, untilDue));
  };
  const workUntilClosed = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      waking = new AbortController();
      await pass();
      await timers.sleep(await pauseMs(), AbortSignal.any([stopping.signal, waking.signal]));
      if (isListDue) await timers.sleep(PAUSE_MS, stopping.signal);
    }
  };
  return {
    findNew,
    runDue,
    wake,
    start: () => {
      if (working !== undefined) return;
      signals.on('changed', onChange);
      working = workUntilClosed();
    },
    close: async () => {
      signals.off('changed', onChange);
      stopping.abort();
      await working;
    },
  };
}

async function makeStep(claimed: ClaimedExport, parts: ExporterParts, stopping: AbortSignal): Promise<EoExportChange> {
  const { stores, now, timers } = parts;
  const held = holdExport(claimed, { store: stores.eoExports, now, timers, stopping });
  let change: EoExportChange = {};
  try {
    change = await advance(claimed, parts, held);
  } catch (error) {
    if (!held.signal.aborted) throw error;
  } finally {
    await held.end(change);
  }
  return change;
}

interface KnownLayers {
  readonly versions: Map<string, number>;
  /**
   * True if the last pass ended without an error. All its layers are then in `versions`, so the next pass may stop
   * at the first page without new layers.
   */
  isWhole: boolean;
}

/** Stores an export for each raster of an Earth Engine account. Skips rasters whose version is in `known`. */
async function addNew({ stores, now }: ExporterParts, known: KnownLayers): Promise<number> {
  const { versions } = known;
  let mayStop = known.isWhole;
  known.isWhole = false;
  let added = 0;
  let last: string | undefined;
  for (let offset = 0; ;) {
    const page = { order: 'published', isDescending: true, layerType: 'raster', limit: PAGE_SIZE, offset } as const;
    const { rows } = await stores.operatorLists.layers(page);
    // Each page repeats the last layer of the previous page. If that layer is missing, layers have moved to an earlier
    // page, so the list is read again.
    const isMoved = last !== undefined && rows.every((layer) => keyOf(layer) !== last);
    const unknown = isMoved ? [] : rows.filter((layer) => versions.get(keyOf(layer)) !== layer.version);
    for (const layer of unknown) {
      const accountId = await platformAccount(layer, stores);
      const { workspace, layerName, assetKey } = layer;
      const wanted = { id: randomUUID(), workspace, layerName, assetKey, createdAt: now().toISOString() };
      if (accountId !== undefined && (await stores.eoExports.add({ ...wanted, accountId }))) added += 1;
      versions.set(keyOf(layer), layer.version);
    }
    if (!isMoved && ((mayStop && unknown.length === 0) || rows.length < PAGE_SIZE)) break;
    mayStop = mayStop && !isMoved;
    last = isMoved ? undefined : rows.map(keyOf).at(-1);
    offset = isMoved ? 0 : offset + PAGE_SIZE - 1;
  }
  known.isWhole = true;
  return added;
}

const keyOf = ({ workspace, layerName }: ListedLayer): string => `${workspace}:${layerName}`;

async function platformAccount(
  { assetKey }: ListedLayer,
  { runs, eoAccounts }: ExporterParts['stores'],
): Promise<number | undefined> {
  const run = await runs.get(assetKey.split('/')[0] ?? '');
  const id = run?.params['eoAccountId'];
  const account = typeof id === 'number' ? await eoAccounts.byId(id) : undefined;
  return account?.platform === 'earth_engine' ? account.id : undefined;
}
