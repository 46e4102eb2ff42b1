import type { NewItem, Run, Place } from '@headwater/core';
import { storableText, isObject } from '@headwater/core/values';
import { isOrchestratorError, type RunHandle, type RunIds, type TaskInstance } from '@headwater/orchestrator-client';
import { collectionId, collectionPath, idSlug, linkTitleOf, MEDIA } from '@headwater/stac';
import { CATALOGUE_TITLE } from '@headwater/core/pipelines';
import { placeOf } from './conf.ts';
import type { HeldRun } from './held-runs.ts';
import { missingFile } from './item-files.ts';
import { isRetryable } from './failures.ts';
import { markedOutput, stacOutput, type StacOutput } from './output.ts';
import type { BackendDeps } from './settings.ts';

/** Maximum number of tasks from which results are read. The task that ended last is read first. */
const MOST_TASKS = 20;

const NO_RESULTS = 'the results of its tasks are not available from this orchestrator';
const CALL_BACK = 'Let the workflow post its conf to /api/export-asset of this service';

type ContainerResult = { readonly items: readonly NewItem[] } | { readonly problem: string };

/** Reads the Items that a task returned, or printed between the markers of a result. */
export async function containerResult(
  deps: BackendDeps,
  { run, stop }: HeldRun,
  remote: RunIds,
): Promise<ContainerResult> {
  const { signal } = stop;
  const handle = deps.client.run(remote.dagId, remote.runId);
  const offered = await handle.offeredTasks({ signal });
  if ('problem' in offered) return { problem: `${NO_RESULTS} (${offered.problem}). ${CALL_BACK}` };
  const tasks = offered
    .filter(({ state }) => state === 'success')
    .toSorted(byEnd)
    .slice(0, MOST_TASKS);
  const problems: string[] = [];
  const unread: unknown[] = [];
  for (const read of [returned, printed]) {
    for (const task of tasks) {
      const output = await read(handle, task, deps).catch((error: unknown) => {
        if (!isOrchestratorError(error)) throw error;
        // The error is not thrown here, because another task may have a result.
        unread.push(error);
        return { problem: error.message };
      });
      if (output === undefined) continue;
      if ('items' in output) return await itemsToPublish(deps, run, { task: task.taskId, signal, ...output });
      problems.push(`task ${task.taskId}: ${output.problem}`);
    }
  }
  // An unread output may contain the result, so the caller must retry.
  const transient = unread.find(isRetryable);
  if (transient !== undefined) throw transient;
  return {
    problem:
      problems.length === 0
        ? 'none of its tasks returned or printed anything'
        : storableText(problems.slice(0, 3).join('; ')),
  };
}

const byEnd = (a: TaskInstance, b: TaskInstance): number => (b.endDate ?? '').localeCompare(a.endDate ?? '');

async function returned(
  handle: RunHandle,
  { taskId, mapIndex }: TaskInstance,
  { checkItem }: BackendDeps,
): Promise<StacOutput | undefined> {
  try {
    const value = (await handle.result({ taskId, mapIndex })) ?? undefined;
    return value === undefined ? undefined : await stacOutput(value, checkItem);
  } catch (error) {
    if (isOrchestratorError(error, 'not_found')) return undefined;
    throw error;
  }
}

async function printed(
  handle: RunHandle,
  { taskId, mapIndex, tryNumber }: TaskInstance,
  { checkItem }: BackendDeps,
): Promise<StacOutput | undefined> {
  const marked = await handle.printed({ taskId, mapIndex, tryNumber });
  return marked.kind === 'none' ? undefined : await markedOutput(marked, checkItem);
}

/**
 * Moves the Items to the tehsil's Collection, because a container may publish only for this tehsil. Refuses all Items
 * if one names another Collection, or if a file cannot be fetched.
 */
async function itemsToPublish(
  deps: BackendDeps,
  run: Run,
  {
    task,
    items,
    signal,
  }: Extract<StacOutput, { readonly items: unknown }> & {
    readonly task: string;
    readonly signal: AbortSignal;
  },
): Promise<ContainerResult> {
  const place = await placeOf(run, deps);
  if (place === undefined) return { problem: 'its Items cannot be published, because the run has no tehsil' };
  const path = collectionPath(place.state.name, place.district.name, place.tehsil.name);
  const target = { place, path };
  const misplaced = items.find((item) => !belongsToRun(item, target));
  if (misplaced !== undefined) {
    return {
      problem: `an Item names the collection ${JSON.stringify(misplaced['collection'])}; the Items of this run belong to ${collectionId(path)}`,
    };
  }
  for (const item of items) {
    const problem = await missingFile(deps, item, signal);
    if (problem !== undefined) return { problem: `task ${task}: ${problem}` };
  }
  const { addresses } = deps;
  return {
    items: items.map((item) => ({
      id: String(item['id']),
      collectionPath: path,
      item: inRunCollection(item, target, addresses),
    })),
  };
}

type Item = Readonly<Record<string, unknown>>;

interface PublicationPlace {
  readonly place: Place;
  readonly path: string;
}

/** Links that define the position of an Item in a tree. */
const TREE_LINKS: ReadonlySet<unknown> = new Set(['root', 'collection', 'parent', 'self']);

/** True if the Item names the run's Collection. The container may give only the tehsil's name instead of the id. */
function belongsToRun({ collection }: Item, { place, path }: PublicationPlace): boolean {
  if (typeof collection !== 'string') return false;
  return collection === collectionId(path) || idSlug(collection) === idSlug(place.tehsil.name);
}

/** Replaces the Collection and the links in the catalogue tree. */
function inRunCollection(item: Item, { place, path }: PublicationPlace, addresses: BackendDeps['addresses']): Item {
  const id = String(item['id']);
  const { links } = item;
  const collection = { href: addresses.collection(path), type: MEDIA.json, title: place.tehsil.name };
  const others = (Array.isArray(links) ? links : []).filter((link) => !isObject(link) || !TREE_LINKS.has(link['rel']));
  return {
    ...item,
    collection: collectionId(path),
    links: [
      { rel: 'root', href: addresses.catalog(), type: MEDIA.json, title: CATALOGUE_TITLE },
      { rel: 'collection', ...collection },
      { rel: 'parent', ...collection },
      { rel: 'self', href: addresses.item(path, id), type: MEDIA.geojson, title: linkTitleOf(item) },
      ...others,
    ],
  };
}
