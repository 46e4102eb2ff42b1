import { createHash } from 'node:crypto';

/** Longest path segment, bytes: systems allow 255, and the file of an Item adds its ending. */
const LONGEST = 120;
/** Device names that Windows reserves, with any ending. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/;

/**
 * An id as a path segment for every system. It is lower-cased, blanks become `_`, and characters other than letters,
 * digits and `.,_-` are dropped. A segment that would be empty, too long or taken gets eight digits of the id's hash.
 * The segment is added to `taken`.
 */
export function segmentOf(id: string, taken: Set<string>): string {
  const plain = id
    .toLowerCase()
    .replaceAll(' ', '_')
    .replace(/[^a-z0-9.,_-]/g, '')
    .replace(/^\.+|\.+$/g, '')
    .replace(DEVICES, '_$&');
  const isWhole = plain !== '' && plain.length <= LONGEST && !taken.has(plain);
  const segment = isWhole ? plain : unique(`${plain.slice(0, LONGEST)}_${hashOf(id)}`.replace(/^_/, ''), taken);
  taken.add(segment);
  return segment;
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 8);
}

/** Adds a number to a taken segment. Siblings with the same id are a fault of the tree, not of its export. */
function unique(segment: string, taken: ReadonlySet<string>): string {
  let number = 2;
  let free = segment;
  while (taken.has(free)) free = `${segment}_${String(number++)}`;
  return free;
}
