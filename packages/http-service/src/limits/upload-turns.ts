import { createLanes } from '@headwater/core/timing';
import { DomainError } from '@headwater/core';

/** Uploads that are received, wait or are read: so many files lie on the disk at most. */
const AT_HAND = 4;
/** Files that are read at a time: reading one may take a process of 2 GB, and a working file of 32 GB. */
const AT_WORK = 2;
const RETRY_AFTER_SECONDS = 30;

/** Takes turns among uploads that all at once would fill memory and disk. */
export interface UploadTurns {
  /** Receives an upload. Throws `unavailable` before anything of it is read where too many are at hand. */
  receive<T>(work: () => Promise<T>): Promise<T>;
  /** Reads a file that was received, when its turn comes. Throws the signal's reason where nobody waits for it any more. */
  read<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** Turns of one service. */
export function createUploadTurns(): UploadTurns {
  const places = createLanes({ width: AT_HAND, maxWaiting: 0, refuse: tooMany });
  const readers = createLanes({ width: AT_WORK, maxWaiting: AT_HAND, refuse: tooMany });
  return {
    receive: (work) => places.run('', work),
    read: (work, signal) =>
      readers.run('', async () => {
        signal.throwIfAborted();
        return await work();
      }),
  };
}

const tooMany = (): DomainError =>
  new DomainError(
    'unavailable',
    `${AT_HAND} files are being imported, which is as many as are taken at once; send this one again in ${RETRY_AFTER_SECONDS} s.`,
    { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } },
  );
