import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readArchive } from './archive.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-archive-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Creates an entry as `tar` does: a header of 512 bytes and the padded content. */
function entry(name: string, content: Buffer, kind = '0'): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 'latin1');
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  header.write(kind, 156, 'latin1');
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

function archiveOf(...parts: Buffer[]): URL {
  const path = join(folder, 'files.tar.gz');
  writeFileSync(path, gzipSync(Buffer.concat(parts)));
  return pathToFileURL(path);
}

const big = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 251));
const end = Buffer.alloc(1024);

describe('readArchive', () => {
  it('returns the wanted files completely', async () => {
    const path = archiveOf(
      entry('lib/', Buffer.alloc(0), '5'),
      entry('lib/unwanted', big),
      entry('lib/wanted', big),
      entry('lib/empty', Buffer.alloc(0)),
      entry('lib/short', Buffer.from('abc')),
      end,
    );
    const files = await readArchive(path, (name) => name.startsWith('lib/') && !name.endsWith('unwanted'));
    expect([...files.keys()]).toEqual(['lib/wanted', 'lib/empty', 'lib/short']);
    expect(big.equals(files.get('lib/wanted') ?? Buffer.alloc(0))).toBe(true);
    expect(Buffer.from(files.get('lib/short') ?? []).toString()).toBe('abc');
    // The content is copied, because a view would keep the whole larger chunk in memory.
    expect(files.get('lib/short')?.buffer.byteLength).toBe(512);
  });

  it('does not unpack the rest of the archive after the wanted number of files', async () => {
    const path = archiveOf(
      entry('lib/wanted', big),
      entry('lib/short', Buffer.from('abc')),
      entry('lib/torn', randomBytes(400_000)),
    );
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, whole.length - 20_000));
    const files = await readArchive(path, (name) => name !== 'lib/short', 1);
    expect([...files.keys()]).toEqual(['lib/wanted']);
    await expect(readArchive(path, () => true)).rejects.toThrow('unexpected end of file');
  });

  it('rejects an archive that ends within a file', async () => {
    const path = archiveOf(entry('lib/wanted', big).subarray(0, 100_000));
    await expect(readArchive(path, () => true)).rejects.toThrow(/ends within lib\/wanted/);
  });

  it('rejects a missing archive', async () => {
    await expect(readArchive(pathToFileURL(join(folder, 'absent')), () => true)).rejects.toThrow('ENOENT');
  });
});
