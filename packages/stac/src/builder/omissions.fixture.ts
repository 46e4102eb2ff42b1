import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SOURCES = fileURLToPath(new URL('../', import.meta.url));

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

/** Source text of the values that snippets use, and of a helper that removes a member. */
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
    emitDeclarationOnly: false,
    noEmit: true,
    rewriteRelativeImportExtensions: false,
    typeRoots: [`${ROOT}node_modules/@types`],
  },
  include: ['*.mts'],
};

/** Compiles each snippet as its own file. Returns the compiler's errors of each snippet; '' means no error. */
export function compile(snippets: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-types-'));
  try {
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(OPTIONS));
    for (const [index, snippet] of snippets.entries())
      writeFileSync(
        join(folder, `snippet-${String(index)}.mts`),
        `${IMPORTS}${VALUES}export const result = ${snippet};\n`,
      );
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status === null) throw new Error('the compiler was killed');
    return errorsBySnippet(stdout, snippets.length);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function errorsBySnippet(output: string, count: number): readonly string[] {
  const errors = Array.from({ length: count }, () => '');
  let current: number | undefined;
  for (const line of output.split('\n')) {
    const index = /^(?:.*\/)?snippet-(\d+)\.mts\(\d+,\d+\): error /.exec(line)?.[1];
    if (index !== undefined) current = Number(index);
    else if (line !== '' && !line.startsWith(' ')) throw new Error(line);
    if (current !== undefined && line !== '') errors[current] = `${errors[current] ?? ''}${line}\n`;
  }
  return errors;
}
