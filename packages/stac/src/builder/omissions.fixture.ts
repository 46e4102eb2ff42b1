import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SOURCES = fileURLToPath(new URL('../', import.meta.url));

/** What each snippet may use. */
const IMPORTS = Object.entries({
  'samples.fixture.ts':
    'COLLECTION_INPUT, NUMERIC_INPUT, RASTER_INPUT, TABULAR_INPUT, VECTOR_INPUT, sampleCatalog, sampleCollection, sampleRaster, sampleTabular, sampleVector',
  'builder/raster-item.ts': 'rasterItem, tabularRasterItem',
  'builder/vector-item.ts': 'vectorItem',
  'builder/table.ts': 'columnsOf',
  'builder/catalog.ts': 'buildCatalog, buildCollection',
  'types.ts': 'type Catalog, type Collection, type RasterItem, type TabularRasterItem, type VectorItem',
})
  .map(([file, names]) => `import { ${names} } from ${JSON.stringify(SOURCES + file)};\n`)
  .join('');

/** Values that snippets use, and a value without one of its members. */
const VALUES = `
export const COLUMN = { type: 'object', description: 'Text' } as const;
export const ASSET = { href: 'https://example.org/a', title: 'A' };
export const ROOT = { id: 'a', title: 'A', description: 'A', self: 'https://a.b/' };
export function without<T extends object, K extends keyof T>(value: T, key: K): Omit<T, K> {
  const { [key]: _, ...rest } = value;
  return rest;
}
`;

const OPTIONS = {
  extends: `${ROOT}tsconfig.base.json`,
  compilerOptions: {
    composite: false,
    declaration: false,
    declarationMap: false,
    noEmit: true,
    rewriteRelativeImportExtensions: false,
    typeRoots: [`${ROOT}node_modules/@types`],
  },
  include: ['*.mts'],
};

/** Compiles each snippet as a file of its own, all in one run of the compiler; what it says of each, '' where it says nothing. */
export function compile(snippets: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-types-'));
  try {
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(OPTIONS));
    for (const [index, snippet] of snippets.entries())
      writeFileSync(
        join(folder, `snippet-${String(index)}.mts`),
        `${IMPORTS}${VALUES}export const made = ${snippet};\n`,
      );
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status === null) throw new Error('the compiler did not end by itself');
    return sorted(stdout, snippets.length);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Lines that belong to no snippet would be a fault of this fixture. */
function sorted(output: string, count: number): readonly string[] {
  const told = Array.from({ length: count }, () => '');
  let current: number | undefined;
  for (const line of output.split('\n')) {
    const index = /^(?:.*\/)?snippet-(\d+)\.mts\(\d+,\d+\): error /.exec(line)?.[1];
    if (index !== undefined) current = Number(index);
    else if (line !== '' && !line.startsWith(' ')) throw new Error(line);
    if (current !== undefined && line !== '') told[current] = `${told[current] ?? ''}${line}\n`;
  }
  return told;
}
