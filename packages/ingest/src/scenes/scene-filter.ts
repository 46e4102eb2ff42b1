import { DomainError, publicAddress, type Scene, type SceneQuery, type SceneSearch } from '@headwater/core';
import type { Within } from '@headwater/net/files';
import { boxesTouch } from './boxes.ts';
import type { ItemSink } from './json.ts';
import { sceneFromItem } from './scene-from-item.ts';

/** Collects scenes that match the query, and rejected Items and other documents with reasons. */
export interface SceneCollector extends ItemSink {
  readonly result: () => SceneSearch;
}

/** Maximum number of Items and rejected documents, because a catalogue may be endless. */
const MAX_ITEMS = 200_000;

/**
 * Collects the scenes in the query's box and period [start, end), sorted by time. Of scenes with the same id, the
 * newest processing is used, and of equal processings the first scene. Throws `input_data` for more than `MAX_ITEMS`
 * Items and rejected documents.
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
        `${publicAddress(itemHref)}: the search found more than ${MAX_ITEMS} Items; use smaller catalogues`,
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
  const other = scenes.get(scene.id);
  if (other === undefined || isNewer(scene, other)) scenes.set(scene.id, scene);
}

function isNewer({ processing: a }: Scene, { processing: b }: Scene): boolean {
  const [ours, theirs] = [a.baseline ?? '', b.baseline ?? ''];
  return ours === theirs ? (a.at ?? '') > (b.at ?? '') : ours > theirs;
}

const byTime = (a: Scene, b: Scene): number => a.datetime.localeCompare(b.datetime) || a.id.localeCompare(b.id);

/** True for a scene in the query's period whose box touches the query's box. */
export function matches(scene: Scene, query: SceneQuery): boolean {
  const time = Date.parse(scene.datetime);
  if (time < Date.parse(query.start) || time >= Date.parse(query.end)) return false;
  return boxesTouch(scene.bbox, query.bbox);
}
