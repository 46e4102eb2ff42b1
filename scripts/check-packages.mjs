// Packs every public package and checks size, publint and are-the-types-wrong (ESM only).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packAll } from './pack-packages.mjs';

const budgets = JSON.parse(readFileSync('scripts/budgets.json', 'utf8'))['KB of an unpacked tarball'];
const out = mkdtempSync(join(tmpdir(), 'headwater-pack-'));

let failures = 0;
for (const { manifest, tarball, kb } of packAll(out)) {
  if (!(kb <= budgets[manifest.name])) {
    failures += 1;
    console.error(
      `${manifest.name}: ${kb} KB unpacked, its budget in scripts/budgets.json is ${budgets[manifest.name]}`,
    );
  }
  for (const { command, args } of [
    { command: 'publint', args: [tarball, '--strict'] },
    { command: 'attw', args: [tarball, '--profile', 'esm-only', '--no-emoji', '--format', 'ascii'] },
  ]) {
    const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) {
      failures += 1;
      console.error(`${manifest.name}: ${command}\n${stdout}${stderr}`);
    } else console.log(`${manifest.name}: ${command} ok`);
  }
}
rmSync(out, { recursive: true });
process.exit(failures === 0 ? 0 : 1);
