// Compiles the AssemblyScript kernels to one WebAssembly module and writes it, base64, as a TypeScript file.
// `--stdout` prints the file instead (the test compares it with the committed one).
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main as compileAssemblyScript } from 'assemblyscript/asc';
import { medianSource } from './median-source.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const target = join(root, 'src/pixels/kernels.generated.ts');
const OPTIONS = [
  '--runtime',
  'stub',
  '--enable',
  'simd',
  '-O3',
  '--noAssert',
  '--converge',
  '--initialMemory',
  '16',
  '--zeroFilledMemory',
];

async function compile() {
  let binary = null;
  const messages = [];
  const { error } = await compileAssemblyScript(
    ['kernels/index.ts', '--baseDir', root, '--outFile', 'kernels.wasm', ...OPTIONS],
    {
      readFile: async (name, baseDir) => {
        if (basename(name) === 'median.ts') return medianSource();
        return readFile(join(baseDir, name), 'utf8').catch(() => null);
      },
      writeFile: (name, contents) => {
        if (name.endsWith('.wasm')) binary = contents;
      },
      listFiles: () => [],
      stderr: { write: (chunk) => messages.push(Buffer.from(chunk).toString()) },
    },
  );
  if (error || binary === null) throw new Error(`kernels do not compile: ${error?.message}\n${messages.join('')}`);
  return binary;
}

function asSource(binary) {
  const lines =
    Buffer.from(binary)
      .toString('base64')
      .match(/.{1,116}/g) ?? [];
  return [
    '// Made by `npm run kernels` from packages/raster/kernels; do not edit.',
    '/** The compiled SIMD kernels, base64. */',
    'export const KERNELS_BASE64 =',
    lines.map((line) => `  '${line}'`).join(' +\n') + ';',
    '',
  ].join('\n');
}

const binary = await compile();
const source = asSource(binary);
if (process.argv.includes('--stdout')) process.stdout.write(source);
else {
  await writeFile(target, source);
  console.log(`kernels: ${binary.byteLength} bytes of WebAssembly`);
}
