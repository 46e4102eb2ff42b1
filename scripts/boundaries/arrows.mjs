// The dependencies in ARCHITECTURE.md as data.

/** Packages that a package may import. `*`: all; `!name`: all except `name`. A package without a line is a fault. */
export const ARROWS = {
  stac: [],
  cql2: [],
  net: [],
  core: ['stac', 'cql2'],
  identity: ['core'],
  client: [],
  'stac-cli': ['stac', 'net'],
  'layer-kit': ['core', 'stac'],
  indicators: ['core'],
  'land-cover': ['core', 'stac', 'layer-kit', 'indicators'],
  terrain: ['core', 'stac', 'layer-kit'],
  accuracy: ['core', 'layer-kit'],
  'orchestrator-client': ['net'],
  'orchestrator-backend': ['core', 'stac', 'orchestrator-client', 'net'],
  'earth-engine': ['core', 'stac', 'net'],
  raster: ['core', 'net'],
  'object-storage': ['core', 'net'],
  postgres: ['core', 'identity', 'cql2', 'net'],
  ingest: ['core', 'stac', 'layer-kit', 'net', 'object-storage'],
  'http-service': ['core', 'identity', 'stac', 'cql2', 'indicators', 'accuracy'],
  'http-adapter-express': ['http-service'],
  'http-adapter-fastify': ['http-service'],
  'map-server': ['core', 'cql2', 'net'],
  'map-view': ['http-service'],
  'sample-world': ['core', 'raster', 'ingest', 'accuracy', 'net'],
  server: ['*', '!testkit', '!testkit-internal'],
  // The examples of testkit import these packages by name.
  testkit: ['testkit', 'core', 'identity', 'http-service'],
  'testkit-internal': ['*'],
};

/**
 * Libraries that a pure package may import. A pure package uses no framework, database driver, `node:` module or
 * environment variable.
 */
export const PURE = {
  indicators: [],
  core: ['zod', 'eventemitter3', 'geojson'],
  identity: ['zod', 'jose'],
  stac: ['zod', 'geojson', '@turf/bbox'],
  // Only the entry `./testing` imports fast-check.
  cql2: ['fast-check'],
  'layer-kit': ['zod', 'geojson'],
  'land-cover': ['zod', 'geojson'],
  terrain: ['zod', 'geojson'],
  accuracy: ['zod', 'geojson', 'hono/html', 'hono/utils/html'],
  // Only the entry `./msw` imports msw.
  'orchestrator-client': ['zod', 'ky', 'eventemitter3', 'yaml', 'msw'],
  'orchestrator-backend': [],
  // aws4fetch computes AWS4 signatures, and has no dependencies.
  'object-storage': ['aws4fetch'],
};

/** Entries of `net` without `node:` modules, which pure packages may import. */
const PURE_ENTRIES_OF_NET = ['retry', 'python-literal'];

/** Matches files in a folder `testing`. They may use Node, so shipped code in other folders may not import them. */
export const FOR_TESTS = /[\\/]src[\\/]testing[\\/]/;

/** Reason why package `owner` may not import `name` (`@headwater/{sibling}/{subpath}`); undefined if it may. */
export function siblingFault(owner, name) {
  const [, sibling, ...deep] = name.split('/');
  if (sibling === owner) return undefined;
  const allowed = ARROWS[owner];
  if (allowed.includes(`!${sibling}`) || !(allowed.includes('*') || allowed.includes(sibling)))
    return `${owner} may not import ${name}`;
  if (sibling === 'net' && PURE[owner] !== undefined && !PURE_ENTRIES_OF_NET.includes(deep[0]))
    return `${owner} is pure and may import only ${PURE_ENTRIES_OF_NET.join(' and ')} of net, not ${name}`;
  if (owner.startsWith('http-adapter') && deep.length > 0)
    return `adapters import only the public entry of http-service, not ${name}`;
  return undefined;
}
