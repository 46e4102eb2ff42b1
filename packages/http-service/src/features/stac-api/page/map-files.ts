import type { MapReplies, MapViewer } from '../../../seam/viewers.ts';
import { prepared } from '../../../caching/prepared.ts';
import type { Reply } from '../../../seam/reply.ts';

/** Name of the script that a page loads. */
export const MAP_SCRIPT = 'map.js';

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
