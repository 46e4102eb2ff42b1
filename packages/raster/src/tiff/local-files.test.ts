import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRaster } from './open-raster.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-local-raster-')));
const inside = join(base, 'eo');
const at = (name: string): string => join(inside, name);
const socket = createServer();

beforeAll(async () => {
  mkdirSync(at('folder'), { recursive: true });
  mkdirSync(`${inside}-twin`);
  writeFileSync(join(base, 'signing.key'), 'secret');
  writeFileSync(join(`${inside}-twin`, 'file'), 'text');
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync('/dev/zero', at('zero'));
  symlinkSync(join(base, 'signing.key'), at('key'));
  symlinkSync('..', at('up'));
  symlinkSync(join(`${inside}-twin`, 'file'), at('twin'));
  symlinkSync('loop', at('loop'));
  await new Promise<void>((done) => socket.listen(at('socket'), done));
});
afterAll(() => {
  socket.close();
  rmSync(base, { recursive: true, force: true });
});

describe('a hostile entry in a folder', () => {
  it.each([
    ['pipe', /pipe: it is a pipe, not a file; put the file itself there/],
    ['folder', /folder: it is a folder, not a file/],
    ['socket', /socket: it is a socket, not a file/],
    ['zero', /zero: it is outside/],
    ['key', /key: it is outside of the allowed folder, or is a link to a file outside/],
    ['up/signing.key', /signing\.key: it is outside/],
    ['twin', /twin: it is outside/],
  ])('%s is refused immediately, with a message that names the entry', async (name, reason) => {
    const refusal = { code: 'input_data', message: expect.stringMatching(reason) };
    await expect(openRaster(at(name), { within: [inside] })).rejects.toMatchObject(refusal);
  });

  it('a device is refused also without a restriction to folders', async () => {
    const reason = { code: 'input_data', message: expect.stringMatching(/is a device, not a file/) };
    await expect(openRaster('/dev/zero')).rejects.toMatchObject(reason);
    await expect(openRaster(at('zero'))).rejects.toMatchObject(reason);
  });

  it('a link to itself and a missing file are reported with the reason', async () => {
    await expect(openRaster(at('loop'))).rejects.toMatchObject({ message: expect.stringMatching(/ELOOP/) });
    await expect(openRaster(at('none'))).rejects.toMatchObject({ message: expect.stringMatching(/does not exist/) });
  });
});
