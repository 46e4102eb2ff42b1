import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStores } from '@headwater/identity/memory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from './config/read-config.ts';
import { folderIdFile, readFolderId } from './folder-id.ts';
import { signingKey } from './secrets.ts';
import { assetsFolder, checkAssets, joinAssets, joinAsWorker, joinServers } from './join-servers.ts';

// These tests have no database: the stores are in memory. `two-servers.pg.test.ts` tests running servers.
let installation = createMemoryStores().installation;
let root: string;
beforeEach(async () => {
  ({ installation } = createMemoryStores());
  root = await mkdtemp(join(tmpdir(), 'headwater-servers-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const secret = new Uint8Array(32);
const text = (key: Uint8Array): string => new TextDecoder().decode(key);

describe('the data folder of a database', () => {
  it('gets an id at the first start, and is recognized by it', async () => {
    const dataDir = join(root, 'data');
    await joinServers(installation, { dataDir, secret });
    expect(await readFolderId(assetsFolder(dataDir))).toMatch(/^[0-9a-f-]{36}$/);
    await joinServers(installation, { dataDir, secret });
  });

  it('cannot be replaced by a missing folder or by the folder of another database', async () => {
    await joinServers(installation, { dataDir: join(root, 'data'), secret });
    const other = join(root, 'other');
    await expect(joinServers(installation, { dataDir: other, secret })).rejects.toThrow(
      /^DATA_DIR: the files of this database are in .*other\/assets is another folder .*is missing.*share one DATA_DIR/,
    );
    await joinServers(createMemoryStores().installation, { dataDir: other, secret });
    const refused = joinServers(installation, { dataDir: other, secret });
    await expect(refused).rejects.toThrow(/contains [0-9a-f-]{36}/);
    await expect(refused).rejects.toBeInstanceOf(ConfigError);
  });

  it('is checked without writing an id', async () => {
    const dataDir = join(root, 'data');
    await checkAssets(installation, dataDir);
    expect(await readFolderId(assetsFolder(dataDir))).toBeUndefined();
    await joinAssets(installation, dataDir);
    await checkAssets(installation, dataDir);
    await expect(checkAssets(installation, join(dataDir, 'other'))).rejects.toThrow('another folder');
  });

  it('is accepted at another path if the command in the error message writes the id there', async () => {
    await joinServers(installation, { dataDir: join(root, 'data'), secret });
    const dataDir = join(root, 'moved');
    const refusal = await joinServers(installation, { dataDir, secret }).catch((error: unknown) => String(error));
    const [, id = '', file = ''] = /echo (\S+) > (\S+)$/.exec(String(refusal)) ?? [];
    expect(file).toBe(folderIdFile(assetsFolder(dataDir)));
    await mkdir(assetsFolder(dataDir), { recursive: true });
    await writeFile(file, `${id}\n`);
    await joinServers(installation, { dataDir, secret });
  });
});

it('the start of a server or worker is refused if it has another bucket than the running ones, or none', async () => {
  const agreed = new Map<string, string>();
  const shared = {
    ...installation,
    agree: async (name: string, value: string): Promise<boolean> => {
      agreed.set(name, agreed.get(name) ?? value);
      return agreed.get(name) === value;
    },
  };
  const dataDir = join(root, 'data');
  const bucket = { kind: 's3', bucket: 'maps', prefix: '' } as const;
  await joinServers(shared, { dataDir, bucket, secret });
  await joinAsWorker(shared, { dataDir, bucket });
  const other = { ...bucket, bucket: 'other' };
  for (const start of [
    () => joinServers(shared, { dataDir, bucket: other, secret }),
    () => joinServers(shared, { dataDir, secret }),
    () => joinAsWorker(shared, { dataDir }),
  ])
    await expect(start()).rejects.toThrow(
      /^STORAGE_BUCKET_NAME: another server or worker .* uses another bucket or none/,
    );
});

describe('the key that signs tokens', () => {
  it('is JWT_SECRET if this variable is set', async () => {
    const secret = 'a-key-from-the-environment-0123456789';
    await signingKey({ configured: undefined, dataDir: root, installation });
    expect(text(await signingKey({ configured: secret, dataDir: root, installation }))).toBe(secret);
    expect(text(await signingKey({ configured: secret, dataDir: root }))).toBe(secret);
  });

  it('is the same for all servers on a database, without a file', async () => {
    const keys = await Promise.all(
      ['a', 'b'].map((name) => signingKey({ configured: undefined, dataDir: join(root, name), installation })),
    );
    expect(keys[0]).toEqual(keys[1]);
    expect(keys[0]?.length).toBeGreaterThanOrEqual(32);
    await expect(stat(join(root, 'a'))).rejects.toThrow('ENOENT');
  });

  it('is stored in the database if it is in the file of an earlier start', async () => {
    const before = await signingKey({ configured: undefined, dataDir: root });
    expect((await stat(join(root, 'secrets', 'jwt.key'))).mode & 0o777).toBe(0o600);
    expect(await signingKey({ configured: undefined, dataDir: root, installation })).toEqual(before);
    expect(await signingKey({ configured: undefined, dataDir: join(root, 'other'), installation })).toEqual(before);
  });

  it('is refused if the key in its file is too short; the message has the path of the file', async () => {
    const path = join(root, 'secrets', 'jwt.key');
    await mkdir(join(root, 'secrets'));
    await writeFile(path, 'short');
    for (const shared of [{}, { installation }])
      await expect(signingKey({ configured: undefined, dataDir: root, ...shared })).rejects.toThrow(
        `${path} contains fewer than 32 characters`,
      );
    expect(await readFile(path, 'utf8')).toBe('short');
  });
});
