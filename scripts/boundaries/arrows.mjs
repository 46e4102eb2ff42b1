// The dependencies in ARCHITECTURE.md as data: the packages that each package may import, and the pure packages.

/**
 * Package -> packages of this repository that this package may import. `*` stands for all packages; `!name` excludes
 * the package `name`. A package without a line is reported as a fault.
 */
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
  // The examples of testkit import testkit and `identity` by their package names, as users do.
  testkit: ['testkit', 'core', 'identity', 'http-service'],
  'testkit-internal': ['*'],
};

/**
 * Pure package -> libraries that this package may import. A pure package may not use a framework, a database driver, a
 * `node:` module or environment variables.
 */
export const PURE = {
  indicators: [],
  core: ['zod', 'eventemitter3', 'geojson'],
  identity: ['zod', 'jose'],
  stac: ['zod', 'geojson', '@turf/bbox'],
  // Only the entry `./testing` of cql2 imports fast-check.
  cql2: ['fast-check'],
  'layer-kit': ['zod', 'geojson'],
  'land-cover': ['zod', 'geojson'],
  terrain: ['zod', 'geojson'],
  accuracy: ['zod', 'geojson', 'hono/html', 'hono/utils/html'],
  // Only the entry `./msw` of orchestrator-client imports msw.
  'orchestrator-client': ['zod', 'ky', 'eventemitter3', 'yaml', 'msw'],
  'orchestrator-backend': [],
  // aws4fetch computes AWS4 signatures, and has no dependencies of its own.
  'object-storage': ['aws4fetch'],
};

/** Entries of package `net` that import no `node:` module. Pure packages may import these entries. */
const PURE_ENTRIES_OF_NET = ['retry', 'python-literal'];

/**
 * Pattern of the folders `testing` of pure packages, which users import in their own tests (`./testing`). Code in these
 * folders may use Node. So other shipped code may not import from these folders.
 */
export const FOR_TESTS = /[\\/]src[\\/]testing[\\/]/;

/**
 * Returns the reason why package `owner` may not import `name` (`@headwater/{sibling}/{subpath}`); undefined if it
 * may.
 */
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
