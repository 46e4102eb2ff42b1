import { createHash } from 'node:crypto';

/** Bytes of a part of a path; systems allow 255, and the file of an Item adds its ending. */
const LONGEST = 120;
/** Names that Windows keeps for devices, with any ending. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/;

/**
 * An id as one part of a path on every system: lower-cased, blanks made `_`, what is neither letter, digit nor `.,_-` dropped. An id
 * of which nothing would be left, that is too long, or whose part another one has already, gets eight digits of its hash. The part is
 * added to `taken`.
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

/** Two documents with one id beside each other are a fault of the tree, not of its export. */
function unique(segment: string, taken: ReadonlySet<string>): string {
  let number = 2;
  let free = segment;
  while (taken.has(free)) free = `${segment}_${String(number++)}`;
  return free;
}
