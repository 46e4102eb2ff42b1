// Words that the files of some packages may not contain, because the words belong to the HTTP interface or to the
// server.

/** Paths of the HTTP interface, and messages that only the clients of this interface expect. */
const WIRE_WORDS = [
  '/api/v1',
  'This field ',
  'Ensure this field',
  'No active account',
  'Authentication credentials',
  'Given token not valid',
  'Token is ',
  'Not a valid string',
  'A valid integer is required',
  'two space-delimited values',
];

/** Packages that contain only domain logic. */
const NO_WIRE = new Set(['accuracy', 'core', 'indicators', 'land-cover', 'layer-kit', 'stac', 'terrain']);

/**
 * True if a file may not contain words of the HTTP interface. In http-service, only files in the folder `wire` may
 * contain them.
 */
const isOutsideOfWire = (owner, path) =>
  NO_WIRE.has(owner) || (owner === 'http-service' && !/[\\/]src[\\/]wire[\\/]/.test(path));

/**
 * Returns the names of environment variables in a file of the server's configuration: the keys of the tables in that
 * file.
 */
export function variableNames(source) {
  return [...source.matchAll(/^  ([A-Z][A-Z0-9]*_[A-Z0-9_]+):/gm)].map(([, name]) => name);
}

/** Returns a reason for each forbidden word of a source file. Words in comments count too. */
export function wordFaults({ owner, file }, source, variables) {
  const wire = isOutsideOfWire(owner, file) ? WIRE_WORDS.filter((word) => source.includes(word)) : [];
  const named = variables.filter((name) => new RegExp(`\\b${name}\\b`).test(source));
  return [
    ...wire.map((word) => `contains "${word.trim()}": texts and paths of the wire belong to http-service/src/wire`),
    ...named.map((name) => `names ${name}: environment variables belong to packages/server`),
  ];
}
