// Packs every public package and checks its tarball: the size, publint (fields, formats), and are-the-types-wrong
// (ESM only).
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const run = (command, args, cwd) => spawnSync(command, args, { cwd, encoding: 'utf8' });
const budgets = JSON.parse(readFileSync('scripts/budgets.json', 'utf8'))['KB of an unpacked tarball'];
const out = mkdtempSync(join(tmpdir(), 'headwater-pack-'));

/** Removes declarations whose source was renamed or removed. `tsc -b` does not remove them, so they would be packed. */
function removeStale(folder) {
  for (const file of globSync('dist/**/*.d.ts{,.map}', { cwd: folder })) {
    const source = file.replace(/^dist/, 'src').replace(/\.d\.ts(\.map)?$/, '.ts');
    if (!existsSync(join(folder, source))) rmSync(join(folder, file));
  }
}

let failures = 0;
for (const name of readdirSync('packages')) {
  const folder = join('packages', name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (manifest.private) continue;
  removeStale(folder);
  const packed = run('npm', ['pack', '--json', '--pack-destination', out], folder);
  const listing = JSON.parse(packed.stdout);
  const { filename, unpackedSize } = Array.isArray(listing) ? listing[0] : Object.values(listing)[0];
  const size = Math.ceil(unpackedSize / 1000);
  if (!(size <= budgets[manifest.name])) {
    failures += 1;
    console.error(
      `${manifest.name}: ${size} KB unpacked, its budget in scripts/budgets.json is ${budgets[manifest.name]}`,
    );
  }
  const tarball = join(out, filename.replace('@', '').replace('/', '-'));
  for (const { command, args } of [
    { command: 'publint', args: [tarball, '--strict'] },
    { command: 'attw', args: [tarball, '--profile', 'esm-only', '--no-emoji', '--format', 'ascii'] },
  ]) {
    const { status, stdout, stderr } = run(command, args);
    if (status !== 0) {
      failures += 1;
      console.error(`${manifest.name}: ${command}\n${stdout}${stderr}`);
    } else console.log(`${manifest.name}: ${command} ok`);
  }
}
rmSync(out, { recursive: true });
process.exit(failures === 0 ? 0 : 1);
