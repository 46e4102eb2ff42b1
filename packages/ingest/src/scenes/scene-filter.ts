import { DomainError, publicAddress, type Scene, type SceneQuery, type SceneSearch } from '@headwater/core';
import type { Within } from '@headwater/net/files';
import { boxesTouch } from './boxes.ts';
import type { ItemSink } from './item-sink.ts';
import { sceneFromItem } from './scene-from-item.ts';

/** Gathers what searches find: scenes that match the query, and Items left out with their reasons. */
export interface SceneCollector extends ItemSink {
  readonly result: () => SceneSearch;
}

/** Items of one search at most: what a catalogue without end would fill the memory with. */
const MAX_ITEMS = 200_000;

/**
 * Collects the scenes that touch the query's box and lie in its period [start, end); one scene per id, by time. Of two sources
 * that know one id the newer processing wins, and the first found where none is newer. Their local files must lie `within` these
 * folders. Throws `input_data` for more Items than any search needs.
 */
export function createSceneCollector(query: SceneQuery, within: Within): SceneCollector {
  const scenes = new Map<string, Scene>();
  const rejected: { itemHref: string; reason: string }[] = [];
  let count = 0;
  const reject = (itemHref: string, reason: string): void => {
    rejected.push({ itemHref: publicAddress(itemHref), reason });
  };
  const counted = (itemHref: string): void => {
    count += 1;
    if (count > MAX_ITEMS)
      throw new DomainError(
        'input_data',
        `${publicAddress(itemHref)}: the search met more than ${MAX_ITEMS} Items; search catalogues that hold fewer`,
      );
  };
  return {
    add(item, itemHref) {
      counted(itemHref);
      const found = sceneFromItem(item, itemHref, within);
      if ('reason' in found) reject(itemHref, found.reason);
      else if (matches(found.scene, query)) keepNewer(scenes, found.scene);
    },
    reject(itemHref, reason) {
      counted(itemHref);
      reject(itemHref, reason);
    },
    result: () => ({ scenes: [...scenes.values()].toSorted(byTime), rejected }),
  };
}

function keepNewer(scenes: Map<string, Scene>, scene: Scene): void {
  const there = scenes.get(scene.id);
  if (there === undefined || isNewer(scene, there)) scenes.set(scene.id, scene);
}

/** By baseline, then by the instant of processing; what is not told is the oldest. */
function isNewer({ processing: a }: Scene, { processing: b }: Scene): boolean {
  const [ours, theirs] = [a.baseline ?? '', b.baseline ?? ''];
  return ours === theirs ? (a.at ?? '') > (b.at ?? '') : ours > theirs;
}

const byTime = (a: Scene, b: Scene): number => a.datetime.localeCompare(b.datetime) || a.id.localeCompare(b.id);

/** A scene in the query's period whose box overlaps the query's; touching edges count. */
export function matches(scene: Scene, query: SceneQuery): boolean {
  const time = Date.parse(scene.datetime);
  if (time < Date.parse(query.start) || time >= Date.parse(query.end)) return false;
  return boxesTouch(scene.bbox, query.bbox);
}
