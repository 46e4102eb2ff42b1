// Words of the HTTP interface or of the server, which some packages may not contain.

/** Paths of the HTTP interface, and messages for its clients. */
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

/** Packages with only domain logic. */
const NO_WIRE = new Set(['accuracy', 'core', 'indicators', 'land-cover', 'layer-kit', 'stac', 'terrain']);

/**
 * True for files that may not contain words of the HTTP interface. In http-service, only the folder `wire` may contain
 * these words.
 */
const isOutsideOfWire = (owner, path) =>
  NO_WIRE.has(owner) || (owner === 'http-service' && !/[\\/]src[\\/]wire[\\/]/.test(path));

/** Names of the environment variables of the server: keys of the tables in the source of its configuration. */
export function variableNames(source) {
  return [...source.matchAll(/^  ([A-Z][A-Z0-9]*_[A-Z0-9_]+):/gm)].map(([, name]) => name);
}

/** Returns a message for each forbidden word in a file, also in comments. */
export function wordFaults({ owner, file }, source, variables) {
  const wire = isOutsideOfWire(owner, file) ? WIRE_WORDS.filter((word) => source.includes(word)) : [];
  const named = variables.filter((name) => new RegExp(`\\b${name}\\b`).test(source));
  return [
    ...wire.map((word) => `contains "${word.trim()}": texts and paths of the wire belong to http-service/src/wire`),
    ...named.map((name) => `names ${name}: environment variables belong to packages/server`),
  ];
}
