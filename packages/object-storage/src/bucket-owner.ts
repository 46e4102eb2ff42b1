import { isDomainError } from '@headwater/core/errors';
import { crc32c, crcText } from './crc32c.ts';
import { BucketFault, type ObjectStore } from './object-store.ts';

/** Object with the id of the installation that owns the bucket. */
const KEY = '.headwater-installation';

/** An installation that wants to use a bucket. */
export interface BucketOwner {
  /** Id of this installation. */
  readonly id: string;
  /** Id of the earlier owner that this installation replaces. */
  readonly replaces?: string | undefined;
}

/**
 * Id of the bucket's owner; undefined if there is none. Throws `BucketFault` for an owner other than `id` and
 * `replaces`.
 */
export async function checkOwner(
  objects: ObjectStore,
  { id, replaces }: BucketOwner,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const info = await objects.head(KEY, signal);
  if (info === undefined) return undefined;
  const pieces: Uint8Array[] = [];
  for await (const piece of objects.read(info, { start: 0, end: Math.min(info.bytes, 1000) - 1 }, signal))
    pieces.push(piece.slice());
  const owner = await new Blob(pieces.map((piece) => Uint8Array.from(piece))).text();
  if (owner === id || owner === replaces) return owner;
  throw new BucketFault(
    'owner',
    `${objects.name} contains files of another installation (${owner}); this installation would remove those files. Use another bucket, or a folder of this bucket, ` +
      `such as ${objects.name}/second. If that installation has ended, this installation may take the bucket over from ${owner}.`,
  );
}

/**
 * Makes an installation the only owner of a bucket, because two owners would remove each other's objects. Throws
 * `BucketFault` if the bucket has an owner other than `owner.id` and `owner.replaces`.
 */
export async function claimBucket(objects: ObjectStore, owner: BucketOwner, signal?: AbortSignal): Promise<void> {
  const found = await checkOwner(objects, owner, signal);
  if (found === owner.id) return;
  if (found !== undefined) await objects.remove(KEY, signal);
  const bytes = new TextEncoder().encode(owner.id);
  const source = { bytes: bytes.length, crc32c: crcText(crc32c(bytes)), read: async () => bytes };
  const journal = { read: async () => undefined, write: async () => {} };
  await objects.put({ key: KEY, mediaType: 'text/plain', source, journal }, signal).catch(async (error: unknown) => {
    // Another installation may have created the object. This check then throws an error with the id of the other
    // installation.
    if (isDomainError(error) && error.code === 'conflict') await checkOwner(objects, { id: owner.id }, signal);
    throw error;
  });
}
