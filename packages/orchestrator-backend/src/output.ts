import { firstTwice, type ItemCheck } from '@headwater/core/runs';
import { isObject } from '@headwater/core/values';
import { type MarkedResult, parseMarkers, RESULT_START } from '@headwater/orchestrator-client';

type Item = Readonly<Record<string, unknown>>;

/** Values of `status` for a failure in results of the CoRE Stack backend. */
const FAILURE_STATUSES: ReadonlySet<unknown> = new Set(['failed', 'error']);

/** The Items of a result, or the reason why there are none. */
export type StacOutput = { readonly items: readonly Item[] } | { readonly problem: string };

/**
 * Reads the STAC Items of a task's value. The value is an Item, an object with `stac_items` or `stac_spec`, or a
 * text. The text is the JSON of one of these, or printed output that has one of these between markers.
 */
export async function stacOutput(value: unknown, checkItem: ItemCheck): Promise<StacOutput> {
  if (typeof value === 'string') return await printedOutput(value, checkItem);
  if (!isObject(value)) return { problem: 'it returned a value that is not an object' };
  const items = itemsIn(value);
  if (items.length === 0)
    return { problem: `it has no STAC Item: no type "Feature", stac_spec or stac_items${statusOf(value)}` };
  if (FAILURE_STATUSES.has(value['status'])) return { problem: `it has Items but reports a failure${statusOf(value)}` };
  const faults = items.flatMap((item, index) => faultOf(item, index, checkItem));
  if (faults.length > 0) return { problem: faults.slice(0, 3).join('; ') };
  const stacItems = items.filter(isObject);
  const twice = firstTwice(stacItems.map(({ id }) => String(id)));
  return twice === undefined
    ? { items: stacItems }
    : { problem: `two of its Items have the id ${JSON.stringify(twice)}` };
}

async function printedOutput(text: string, checkItem: ItemCheck): Promise<StacOutput> {
  if (!text.includes(RESULT_START)) {
    const value = parsed(text);
    return value === undefined || typeof value === 'string'
      ? { problem: 'it returned a text without a result' }
      : await stacOutput(value, checkItem);
  }
  return await markedOutput(await parseMarkers([text]), checkItem);
}

/** Reads the STAC Items that a container printed between the markers. */
export async function markedOutput(marked: MarkedResult, checkItem: ItemCheck): Promise<StacOutput> {
  if (marked.kind !== 'result') return { problem: marked.problem };
  return typeof marked.value === 'string'
    ? { problem: 'the value between the markers is a text, not an object' }
    : await stacOutput(marked.value, checkItem);
}

function itemsIn(value: Item): readonly unknown[] {
  const list: unknown = value['stac_items'];
  if (Array.isArray(list) && list.length > 0) return list;
  const spec: unknown = value['stac_spec'];
  if (Array.isArray(spec)) return spec;
  if (spec !== undefined && spec !== null) return [spec];
  // The top level is checked last, because a result with a list of Items may repeat the first Item there.
  return value['type'] === 'Feature' ? [value] : [];
}

function faultOf(item: unknown, index: number, checkItem: ItemCheck): readonly string[] {
  if (!isObject(item)) return [`Item ${index} is not an object`];
  const fault = checkItem(item).find(({ severity }) => severity === 'error');
  return fault === undefined
    ? []
    : [`Item ${index}: rule ${fault.rule} at ${fault.pointer === '' ? 'its top' : fault.pointer}`];
}

function statusOf({ status }: Item): string {
  return typeof status === 'string' ? ` (its status is ${JSON.stringify(status.slice(0, 40))})` : '';
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
