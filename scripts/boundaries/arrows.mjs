// The arrows of ARCHITECTURE.md as data: which package may import which, and which packages are pure.

/** Package -> siblings that it may import; `*` = all, `!name` = all but that one. A package that is not here is a fault: a new one needs its line. */
export const ARROWS = {
  stac: [],
  cql2: [],
  net: [],
  core: ['stac', 'cql2'],
  identity: ['core'],
  'stac-cli': ['stac', 'net'],
  'layer-kit': ['core', 'stac'],
  indicators: ['core'],
  'land-cover': ['core', 'stac', 'layer-kit', 'indicators'],
  terrain: ['core', 'stac', 'layer-kit'],
  accuracy: ['core', 'layer-kit'],
  'orchestrator-client': ['net'],
  'orchestrator-backend': ['core', 'stac', 'orchestrator-client', 'net'],
  raster: ['core', 'net'],
  postgres: ['core', 'identity', 'cql2', 'net'],
  ingest: ['core', 'stac', 'layer-kit', 'net'],
  'http-service': ['core', 'identity', 'stac', 'cql2', 'indicators', 'accuracy'],
  'http-adapter-express': ['http-service'],
  'http-adapter-fastify': ['http-service'],
  'sample-world': ['core', 'raster', 'ingest', 'accuracy'],
  server: ['*', '!testkit'],
  testkit: ['*'],
};

/** Pure packages -> libraries that they may import: no framework, no driver, no `node:` module, no environment. */
export const PURE = {
  indicators: [],
  core: ['zod', 'eventemitter3', 'geojson'],
  identity: ['zod', 'jose'],
  stac: ['zod', 'geojson'],
  // For its ./testing alone.
  cql2: ['fast-check'],
  'layer-kit': ['zod', 'geojson'],
  'land-cover': ['zod', 'geojson'],
  terrain: ['zod', 'geojson'],
  accuracy: ['zod', 'geojson', 'hono/html', 'hono/utils/html'],
  'orchestrator-client': ['zod', 'ky', 'eventemitter3', 'yaml'],
  'orchestrator-backend': [],
};

/** Entries of `net` without a `node:` module, which pure packages may import. */
const PURE_ENTRIES_OF_NET = ['retry', 'python-literal'];

/** Folders of pure packages that users' own tests import (`./testing`): they may use Node, and nothing shipped may use them. */
export const FOR_TESTS = /[\\/]src[\\/]testing[\\/]/;

/** Reason why `owner` may not import the package `name`, or undefined. `@headwater/{sibling}/{subpath}`. */
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
