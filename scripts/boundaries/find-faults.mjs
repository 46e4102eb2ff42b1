// Finds imports that ARCHITECTURE.md forbids, circular imports, misplaced words, and reads of environment variables.
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ARROWS, FOR_TESTS, PURE, siblingFault } from './arrows.mjs';
import { circlesOf } from './circles.mjs';
import { importsOf } from './imports.mjs';
import { variableNames, wordFaults } from './words.mjs';

const BUILTINS = new Set(builtinModules);
const VARIABLES = 'packages/server/src/config';

/** True for test code, which is not shipped. Test code may use Node, environment variables and scripts. */
const isTestCode = (file) => /\.(test|test-d|fixture|test-helper)\.ts$/.test(file);

function importFault({ owner, isPackage, file, root }, { name, typeOnly }) {
  if (name.startsWith('@headwater/')) return isPackage ? siblingFault(owner, name) : undefined;
  if (name.startsWith('.')) {
    const home = resolve(root, 'packages', owner) + sep;
    const outside = isPackage && !resolve(dirname(file), name).startsWith(home);
    if (outside && !isTestCode(file)) return `reaches outside its package: ${name}`;
    const reachesTests = FOR_TESTS.test(resolve(dirname(file), name)) && !FOR_TESTS.test(file) && !isTestCode(file);
    return reachesTests ? `shipped code may not import test helpers: ${name}` : undefined;
  }
  const allowed = PURE[owner];
  if (allowed === undefined || isTestCode(file) || allowed.includes(name)) return undefined;
  const builtin = name.startsWith('node:') || BUILTINS.has(name.split('/')[0]);
  if (builtin && FOR_TESTS.test(file)) return undefined;
  return builtin && typeOnly ? undefined : `${owner} is pure and may not import ${name}`;
}

/** Fault of a pure package that uses Node without an import (`require`, `process`, `import.meta`). */
function hiddenFault(owner, source) {
  if (PURE[owner] === undefined) return undefined;
  const found = /\b(require\(|process\s*[.?[]|import\.meta\b)/.exec(withoutComments(source));
  return found === null ? undefined : `${owner} is pure and may not use ${found[1].replace(/\W+$/, '')}`;
}

const withoutComments = (source) => source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');

/** Folder of a file. A file directly in `src` counts as a folder of its own. */
function folderOf(file) {
  const folder = dirname(file);
  return folder.endsWith(`${sep}src`) ? file : folder;
}

function connect(graphs, from, to) {
  for (const [graph, a, b] of [
    [graphs.files, from, to],
    [graphs.folders, folderOf(from), folderOf(to)],
  ]) {
    if (a !== b) graph.set(a, (graph.get(a) ?? new Set()).add(b));
  }
}

function readVariables(root) {
  const files = globSync(`${VARIABLES}/*.ts`, { cwd: root });
  return files.flatMap((file) => variableNames(readFileSync(join(root, file), 'utf8')));
}

/** Faults that would hide other faults from this check. */
function blindSpots(root, variables) {
  const packages = existsSync(join(root, 'packages')) ? readdirSync(join(root, 'packages')) : [];
  const unknown = packages.filter((name) => ARROWS[name] === undefined);
  const server = join(root, 'packages/server');
  return [
    ...unknown.map(
      (name) =>
        `packages/${name}: ${name} is unknown; give it a line in scripts/boundaries/arrows.mjs and ARCHITECTURE.md`,
    ),
    ...(existsSync(server) && variables.length === 0
      ? [`${VARIABLES}: names no variable; correct the path of this check`]
      : []),
  ];
}

function faultsOf(place, source, { graphs, variables }) {
  const { owner, isPackage, file } = place;
  const imports = importsOf(file, source);
  const faults = imports.map((found) => importFault(place, found)).filter((reason) => reason !== undefined);
  if (isTestCode(file)) return faults;
  const hidden = hiddenFault(owner, source);
  if (hidden !== undefined) faults.push(hidden);
  for (const { name } of imports.filter(({ name }) => name.startsWith('.')))
    connect(graphs, file, resolve(dirname(file), name));
  return isPackage && !HAS_VARIABLES.has(owner) ? [...faults, ...wordFaults(place, source, variables)] : faults;
}

const HAS_VARIABLES = new Set(['server', 'testkit-internal']);

function readsEnvironment(source) {
  return /\bprocess\s*(\?\.|\.)\s*env\b|\bprocess\[/.test(withoutComments(source));
}

/** Besides tests and testkit-internal, only these files may read environment variables. */
const MAIN_FILES = [
  'packages/server/src/main.ts',
  'examples/reference-server/src/main.ts',
  'examples/join-on-uid/src/main.ts',
];

/** Returns every fault as `file: reason`. */
export function findFaults(root) {
  const context = { graphs: { files: new Map(), folders: new Map() }, variables: readVariables(root) };
  const files = globSync(['packages/*/src/**/*.ts', 'examples/*/src/**/*.ts'], { cwd: root });
  const faults = blindSpots(root, context.variables);
  for (const path of files) {
    const [top, owner] = path.split(sep);
    const place = { owner, isPackage: top === 'packages', file: resolve(root, path), root };
    if (place.isPackage && ARROWS[owner] === undefined) continue;
    const source = readFileSync(place.file, 'utf8');
    faults.push(...faultsOf(place, source, context).map((reason) => `${path}: ${reason}`));
    if (readsEnvironment(source) && !MAIN_FILES.includes(path) && !isTestCode(path) && owner !== 'testkit-internal')
      faults.push(`${path}: reads process.env; only ${MAIN_FILES.join(' and ')} may`);
  }
  for (const [kind, graph] of Object.entries(context.graphs)) {
    for (const circle of circlesOf(graph))
      faults.push(`${circle.map((each) => relative(root, each)).join(' <-> ')}: ${kind} in a circle; cut it`);
  }
  return { faults, files: files.length };
}
