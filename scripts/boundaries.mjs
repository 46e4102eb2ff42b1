// Keeps the arrows of ARCHITECTURE.md: parses every import of every source file and lists what may not be.
import { readFileSync } from 'node:fs';
import { globSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, relative, resolve, sep } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Package -> siblings it may import; `*` = all. Examples and testkit see everything. */
const ARROWS = {
  stac: [],
  core: ['stac'],
  raster: ['core'],
  postgres: ['core'],
  'http-service': ['core', 'stac'],
  'http-adapter-express': ['http-service'],
  'http-adapter-fastify': ['http-service'],
  testkit: ['*'],
};
const PURE = new Set(['core', 'stac']);
const BUILTINS = new Set(builtinModules);

/** Tests and their helpers may use Node, the environment and the scripts folder; none of them is shipped. */
const isTestCode = (file) => /\.(test|fixture|test-helper)\.ts$|[\\/]e2e[\\/]/.test(file);

function importsOf(file, source) {
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const dynamic = module.dynamicImports.map((found) =>
    source.slice(found.moduleRequest.start, found.moduleRequest.end),
  );
  return [
    ...module.staticImports.map((found) => ({
      name: found.moduleRequest.value,
      typeOnly: found.entries.length > 0 && found.entries.every((entry) => entry.isType),
    })),
    ...module.staticExports.flatMap((found) =>
      found.entries
        .filter((entry) => entry.moduleRequest)
        .map((entry) => ({ name: entry.moduleRequest.value, typeOnly: entry.isType })),
    ),
    ...dynamic.filter((text) => /^['"]/.test(text)).map((text) => ({ name: text.slice(1, -1), typeOnly: false })),
  ];
}

function siblingFault(owner, name) {
  const [, sibling, ...deep] = name.split('/');
  if (sibling === owner) return undefined;
  const allowed = ARROWS[owner] ?? ['*'];
  if (!allowed.includes('*') && !allowed.includes(sibling)) return `${owner} may not import ${name}`;
  if (owner.startsWith('http-adapter') && deep.length > 0)
    return `adapters import only the public entry of http-service, not ${name}`;
  return undefined;
}

function fault({ owner, file, root }, { name, typeOnly }) {
  if (name.startsWith('@headwater/')) return siblingFault(owner, name);
  if (name.startsWith('.')) {
    const home = resolve(root, 'packages', owner) + sep;
    const target = resolve(dirname(file), name);
    if (ARROWS[owner] && !target.startsWith(home) && !isTestCode(file)) return `reaches outside its package: ${name}`;
    return undefined;
  }
  const builtin = name.startsWith('node:') || BUILTINS.has(name.split('/')[0]);
  if (PURE.has(owner) && builtin && !typeOnly && !isTestCode(file))
    return `${owner} is pure and may not import ${name}`;
  return undefined;
}

/** Every fault as `file: reason`. `readEnvironment` names the one file that may read process.env. */
export function findFaults(root, readEnvironment = 'examples/reference-server/src/main.ts') {
  const faults = [];
  const files = globSync(['packages/*/src/**/*.ts', 'examples/*/src/**/*.ts'], { cwd: root });
  for (const path of files) {
    const file = resolve(root, path);
    const source = readFileSync(file, 'utf8');
    const owner = path.split(sep)[1];
    for (const found of importsOf(file, source)) {
      const reason = fault({ owner, file, root }, found);
      if (reason) faults.push(`${path}: ${reason}`);
    }
    const reads = /\bprocess\.env\b/.test(source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''));
    if (reads && relative(root, file) !== readEnvironment && !isTestCode(file) && owner !== 'testkit') {
      faults.push(`${path}: reads process.env; only ${readEnvironment} may`);
    }
  }
  return { faults, files: files.length };
}
