import type { Clock } from '@headwater/core';
import { MAP_SCRIPT } from '../../../pages/map-data.ts';
import type { MapReplies, MapViewer } from '../../../seam/viewers.ts';
import { prepared } from '../../../caching/prepared.ts';
import type { Reply } from '../../../seam/reply.ts';

/** Time after a failure until the next attempt, ms. Each attempt starts a process. */
const FAILED_MS = 10_000;

/** Creates the replies with the files of a map. After a failure, all requests fail until the end of a pause. */
export function mapReplies(viewer: MapViewer, clock: Clock): MapReplies {
  let replies: Promise<ReadonlyMap<string, Reply>> | undefined;
  let failedAtMs = Infinity;
  return async (name) => {
    if (clock.now().getTime() - failedAtMs >= FAILED_MS) {
      replies = undefined;
      failedAtMs = Infinity;
    }
    return (await (replies ??= made())).get(name);
  };

  async function made(): Promise<ReadonlyMap<string, Reply>> {
    try {
      const files = await viewer.files();
      return new Map([...files].map(([file, bytes]) => [file, replyOf(file, bytes)]));
    } catch (error) {
      failedAtMs = clock.now().getTime();
      throw error;
    }
  }
}

function replyOf(file: string, bytes: Uint8Array): Reply {
  const type = 'text/javascript; charset=utf-8';
  return prepared(
    bytes,
    file === MAP_SCRIPT ? { type } : { type, cacheControl: 'public, max-age=31536000, immutable' },
  );
}
