import type { Addresses, Run } from '@headwater/core';
import type { Headwater } from '@headwater/http-adapter-fastify';
import { collectionPath } from '@headwater/stac';
import { computeAllLayers } from './all-layers.ts';
import type { LayerOutcome } from './compute-layer.ts';
import { type Following, secondsOf } from './follow-run.ts';
import type { SampleJob } from './compute-layer.ts';

interface SummaryContext {
  readonly following: Following;
  readonly addresses: Addresses;
  readonly itemsOf: (run: Run) => Promise<readonly string[]>;
}

/** Computes all layers of a place and returns their summary. */
export async function makeAllLayers(
  headwater: Headwater,
  job: SampleJob,
  { following, addresses, itemsOf }: SummaryContext,
): Promise<string> {
  const from = performance.now();
  const outcomes = await computeAllLayers(headwater, job, following);
  const seconds = (performance.now() - from) / 1000;
  const layers = await Promise.all(
    outcomes.map(async (outcome) => ({ outcome, items: 'run' in outcome ? await itemsOf(outcome.run) : [] })),
  );
  const { state, district, tehsil } = job.place;
  const collection = addresses.collection(collectionPath(state.name, district.name, tehsil.name));
  return layersSummary({ place: tehsil.name, years: job.years, collection, seconds, layers });
}

/** Facts of the summary of all layers. */
export interface SummaryFacts {
  readonly place: string;
  readonly years: readonly [number, number];
  readonly collection: string;
  /** Seconds from the start of the first layer to the end of the last. */
  readonly seconds: number;
  readonly layers: readonly { readonly outcome: LayerOutcome; readonly items: readonly string[] }[];
}

/**
 * Lines for the terminal: the number of outcomes of each kind, the outcome of each pipeline with the addresses of its
 * Items, and the address of the Collection.
 */
export function layersSummary({ place, years, collection, seconds, layers }: SummaryFacts): string {
  const count = (kind: LayerOutcome['kind']): number => layers.filter(({ outcome }) => outcome.kind === kind).length;
  const counts = (['computed', 'unchanged', 'left out', 'failed'] as const).map((kind) => `${count(kind)} ${kind}`);
  const width = Math.max(0, ...layers.map(({ outcome }) => outcome.name.length));
  const lines = layers.flatMap(({ outcome, items }) => [
    `  ${outcome.name.padEnd(width)}  ${outcomeText(outcome)}`,
    ...items.map((address) => `    ${address}`),
  ]);
  const head = `  Layers of ${place}, ${years[0]} to ${years[1]}: ${counts.join(', ')} in ${seconds.toFixed(1)} s`;
  return ['', head, ...lines, `  All layers: ${collection}`, ''].join('\n');
}

function outcomeText(outcome: LayerOutcome): string {
  if ('reason' in outcome) return `${outcome.kind}: ${outcome.reason}`;
  return outcome.kind === 'unchanged' ? 'unchanged' : `computed in ${secondsOf(outcome.run).toFixed(1)} s`;
}
