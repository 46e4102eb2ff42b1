import { prepared } from '../../../caching/prepared.ts';
import type { Reply } from '../../../seam/reply.ts';

/**
 * Files of an interactive map for the pages of layers, all of them scripts. The page loads `map.js` as a module; other files are chunks that
 * it imports, and have a hash of their content in their names. The script reads an `ItemMap` from the attribute `data-map` of an element.
 */
export interface MapViewer {
  /** Content of each file by its name, UTF-8. */
  readonly files: () => Promise<ReadonlyMap<string, Uint8Array>>;
}

/** Name of the script that a page loads. */
export const MAP_SCRIPT = 'map.js';

/** Replies with the files of a map by their names; they are made by the first request. */
export type MapReplies = (name: string) => Promise<Reply | undefined>;

/** Creates the replies of a map. Files that could not be made are made again by the next request. */
export function mapReplies(viewer: MapViewer): MapReplies {
  let replies: Promise<ReadonlyMap<string, Reply>> | undefined;
  return async (name) => {
    replies ??= viewer
      .files()
      .then((files) => new Map([...files].map(([file, bytes]) => [file, replyOf(file, bytes)])));
    replies.catch(() => (replies = undefined));
    return (await replies).get(name);
  };
}

function replyOf(file: string, bytes: Uint8Array): Reply {
  const type = 'text/javascript; charset=utf-8';
  return prepared(
    bytes,
    file === MAP_SCRIPT ? { type } : { type, cacheControl: 'public, max-age=31536000, immutable' },
  );
}
