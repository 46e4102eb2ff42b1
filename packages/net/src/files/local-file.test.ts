import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLocalFile, openLocal, openLocalSync, readLocalText } from './local-file.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-local-')));
const inside = join(base, 'eo');
const at = (name: string): string => join(inside, name);
const socket = createServer();

beforeAll(async () => {
  mkdirSync(at('folder'), { recursive: true });
  mkdirSync(`${inside}-twin`);
  writeFileSync(at('file'), 'text');
  writeFileSync(join(base, 'signing.key'), 'secret');
  writeFileSync(join(`${inside}-twin`, 'file'), 'text');
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync('/dev/zero', at('zero'));
  symlinkSync(join(base, 'signing.key'), at('key'));
  symlinkSync('..', at('up'));
  symlinkSync(join(`${inside}-twin`, 'file'), at('twin'));
  symlinkSync('file', at('alias'));
  symlinkSync('loop', at('loop'));
  writeFileSync(at('large'), '');
  truncateSync(at('large'), 2 ** 40);
  await new Promise<void>((done) => socket.listen(at('socket'), done));
});
afterAll(() => {
  socket.close();
  rmSync(base, { recursive: true, force: true });
});

describe('a local file', () => {
  it('is read if it is a regular file in its folder, also through a link inside the folder', async () => {
    expect(await readLocalText(at('file'), { within: [inside], maxBytes: 4 })).toBe('text');
    expect(await isLocalFile(at('alias'), [inside])).toBe(true);
    expect(await readLocalText(at('alias'), { within: [inside], maxBytes: 4 })).toBe('text');
    expect(await readLocalText(join(base, 'signing.key'), { within: undefined, maxBytes: 6 })).toBe('secret');
  });

  it.each([
    ['pipe', /pipe: it is a pipe, not a file; put the file itself there/],
    ['folder', /folder: it is a folder, not a file/],
    ['socket', /socket: it is a socket, not a file/],
    ['zero', /zero: it is outside/],
    ['key', /key: it is outside of the allowed folder, or is a link to a file outside/],
    ['up/signing.key', /signing\.key: it is outside/],
    ['twin', /twin: it is outside/],
  ])(
    'is refused immediately, with a message that names the file, if it is not a regular file in the folder: %s',
    async (name, reason) => {
      const refusal = { code: 'input_data', message: expect.stringMatching(reason) };
      await expect(openLocal(at(name), [inside])).rejects.toMatchObject(refusal);
      expect(() => openLocalSync(at(name), [inside])).toThrow(expect.objectContaining(refusal));
      expect(await isLocalFile(at(name), [inside])).toBe(false);
    },
  );

  it('is refused if it is a device, even without a restriction to folders', async () => {
    const reason = { code: 'input_data', message: expect.stringMatching(/is a device, not a file/) };
    await expect(openLocal('/dev/zero', undefined)).rejects.toMatchObject(reason);
    await expect(openLocal(at('zero'), undefined)).rejects.toMatchObject(reason);
  });

  it('is not read if it is too large, even if it is a sparse file', async () => {
    await expect(readLocalText(at('large'), { within: [inside], maxBytes: 1024 })).rejects.toMatchObject({
      message: expect.stringMatching(/large: it has 1099511627776 bytes, more than 1024/),
    });
  });
});
