// Compiles the AssemblyScript kernels of a package to one WebAssembly module and writes it, base64, as a TypeScript file.
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { main as compileAssemblyScript } from 'assemblyscript/asc';

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

/**
 * Writes `target` of the package at `root`; with `--stdout` it prints the file instead (a test compares it with the committed one).
 * `made`: sources that are made, by name.
 */
export async function writeKernels({ root, target, made = {} }) {
  const binary = await compile(root, made);
  const source = asSource(binary, `packages/${basename(root)}/kernels`);
  if (process.argv.includes('--stdout')) {
    process.stdout.write(source);
    return;
  }
  await writeFile(join(root, target), source);
  console.log(`kernels of ${basename(root)}: ${binary.byteLength} bytes of WebAssembly`);
}

async function compile(root, made) {
  let binary = null;
  const messages = [];
  const { error } = await compileAssemblyScript(
    ['kernels/index.ts', '--baseDir', root, '--outFile', 'kernels.wasm', ...OPTIONS],
    {
      readFile: async (name, baseDir) =>
        made[basename(name)]?.() ?? readFile(join(baseDir, name), 'utf8').catch(() => null),
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

function asSource(binary, folder) {
  const lines =
    Buffer.from(binary)
      .toString('base64')
      .match(/.{1,116}/g) ?? [];
  return [
    `// Made by \`npm run kernels\` from ${folder}; do not edit.`,
    '/** The compiled SIMD kernels, base64. */',
    'export const KERNELS_BASE64 =',
    lines.map((line) => `  '${line}'`).join(' +\n') + ';',
    '',
  ].join('\n');
}
