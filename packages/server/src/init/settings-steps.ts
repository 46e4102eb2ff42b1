import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isDomainError, messageOf } from '@headwater/core';
import { readSchemaState } from '@headwater/postgres';
import type { Stores } from '@headwater/identity';
import { accountsOver, randomName } from '../account-commands.ts';
import { ConfigError } from '../config/config-error.ts';
import type { Config, Environment } from '../config/read-config.ts';
import { prepareDataDir } from '../data-dir.ts';
import { openStores, openToCheck } from '../database.ts';
import { downloadBoundariesCommand } from '../download-boundaries-command.ts';
import { importCommand } from '../import-command.ts';
import { scenesOf } from '../local-compute.ts';
import { makeCatalogCommand } from '../make-catalog/catalog-command.ts';
import { callerPath } from '../read-arguments.ts';
import { readHidden, readPassword } from '../read-password.ts';
import { answerTo, type Asking } from './asking.ts';
import { setVariables } from './env-file.ts';

/** Parts of the steps of `headwater init`. */
export interface Init {
  readonly asking: Asking;
  readonly envFile: string;
  /** Reads the settings; `variables` are the answers of this call. */
  readonly config: (variables: Environment) => Config;
  readonly variables: Record<string, string>;
  readonly print: (line: string) => void;
}

/** Settings with the answers so far. */
export const configOf = ({ config, variables }: Init): Config => config(variables);

/** Writes settings to the file, and uses them in the following steps. */
export async function addVariables(init: Init, added: Readonly<Record<string, string>>): Promise<void> {
  await setVariables(init.envFile, added);
  Object.assign(init.variables, added);
}

const DATABASES = ['embedded', 'postgresql'];

/** Asks which database to use. Connects to a PostgreSQL immediately, to find wrong settings here. */
export async function databaseStep(init: Init): Promise<void> {
  const { asking } = init;
  const known = configOf(init).database;
  const isKnown = known !== undefined && asking.flags['database'] === undefined;
  const answer = isKnown
    ? 'postgresql'
    : await answerTo(
        {
          flag: 'database',
          text: 'Database: embedded, or postgresql (your own, with PostGIS)',
          fallback: 'embedded',
          problem: (text) =>
            DATABASES.includes(text) ? undefined : `${text} is not a kind of database; write embedded or postgresql.`,
        },
        asking,
      );
  if (answer === 'embedded' && known !== undefined)
    throw new ConfigError('--database: embedded is not possible, because DB_HOST is set; remove DB_HOST first.');
  if (answer === 'postgresql' && known === undefined) await chooseServer(init);
  await prepareDataDir(configOf(init).dataDir);
  await asking.record.store({ database: answer });
}

/** Asks until the PostgreSQL can be used, and writes its address to the file of settings. */
async function chooseServer(init: Init): Promise<void> {
  const { asking, print } = init;
  for (;;) {
    const ask = (flag: string, text: string, fallback: string): Promise<string> =>
      answerTo({ flag, text, fallback }, asking);
    const server = {
      DB_HOST: await ask('db-host', 'Host of PostgreSQL', 'localhost'),
      DB_PORT: await ask('db-port', 'Port', '5432'),
      DB_NAME: await ask('db-name', 'Name of the database', 'headwater'),
      DB_USER: await ask('db-user', 'Role (user)', 'headwater'),
    };
    const set = init.config({ ...init.variables, ...server }).database?.password ?? '';
    const password = set === '' ? await hiddenPassword(init, server.DB_USER) : set;
    const all = { ...server, ...(password === '' ? {} : { DB_PASSWORD: password }) };
    try {
      await tryDatabase(init.config({ ...init.variables, ...all }));
      await addVariables(init, all);
      return;
    } catch (error) {
      // Only typed answers can change. With other answers, repeating the questions would never end.
      const isTyped = asking.input.isTTY === true && asking.flags['db-host'] === undefined && !asking.takesDefaults;
      if (!isTyped || !isDomainError(error)) throw error;
      print(`  ${messageOf(error)}. Enter the address again.`);
    }
  }
}

/**
 * Asks for the password; empty without a terminal, and with `--yes`. No option sets it, because other users of the
 * machine can read the arguments of a process.
 */
async function hiddenPassword({ asking }: Init, user: string): Promise<string> {
  const isAsked = asking.input.isTTY === true && !asking.takesDefaults;
  return isAsked ? await readHidden(asking, `Password of ${user} (not shown): `) : '';
}

async function tryDatabase(config: Config): Promise<void> {
  const opened = await openToCheck(config);
  if (opened === undefined) return;
  try {
    await readSchemaState(opened.database);
  } finally {
    await opened.close();
  }
}

/**
 * Creates or migrates the database, and creates a superuser if there is none. A generated password is printed only
 * here.
 */
export async function superuserStep(init: Init): Promise<void> {
  const config = configOf(init);
  const onMakingDatabase = (): void => init.print('the embedded database is being made, which takes about ten seconds');
  const stores = await openStores(config, { onDeath: () => {}, onMakingDatabase });
  try {
    const { kind, version } = await stores.ping();
    const place = config.database === undefined ? `${kind} in ${config.dataDir}` : `${kind} at ${config.database.host}`;
    init.print(`database: ${place}, ${version}; all migrations are applied`);
    await createUnlessKnown(stores, init);
  } finally {
    await stores.close();
  }
}

async function createUnlessKnown(stores: Stores, init: Init): Promise<void> {
  const { asking, print } = init;
  const known = await stores.users.firstSuperuser();
  if (known !== undefined) {
    print(`superuser: ${known.username} exists already`);
    return;
  }
  const question = { flag: 'superuser', text: 'Name of the superuser', fallback: randomName() };
  const username = await answerTo(question, asking);
  const { superuserPassword } = configOf(init);
  const isAsked = superuserPassword === undefined && asking.input.isTTY === true && !asking.takesDefaults;
  const entered = superuserPassword ?? (isAsked ? await readPassword(asking) : '');
  const password = entered === '' ? randomBytes(12).toString('base64url') : entered;
  await accountsOver(stores, configOf(init))
    .createSuperuser({ username, email: '', password })
    .catch((error: unknown) => {
      if (!isDomainError(error)) throw error;
      const text = error.message.replace(/^username:/, '--superuser:').replace(/^password:/, 'SUPERUSER_PASSWORD:');
      throw new ConfigError(text);
    });
  print(`superuser: ${username} is created${entered === '' ? `; password, shown only now: ${password}` : ''}`);
}

const isAddress = (answer: string): boolean => /^https?:\/\//i.test(answer);

/** Downloads or imports boundaries. The answer is `none`, an address, or a path. Returns false for `none`. */
export async function boundariesStep(init: Init): Promise<boolean> {
  const { asking, print } = init;
  const set = configOf(init).boundaryData?.url;
  const answer =
    asking.flags['boundaries'] === undefined && set !== undefined
      ? set
      : await answerTo(
          {
            flag: 'boundaries',
            text: 'Boundaries of tehsils: none, the http(s) address of a file, or the path of a file',
            fallback: 'none',
          },
          asking,
        );
  if (answer === 'none') {
    await asking.record.store({ boundaries: answer });
    print('boundaries: none; the first start makes the sample tehsil, unless HEADWATER_SAMPLE is off');
    return false;
  }
  await switchSampleOff(init);
  if (isAddress(answer) && answer !== set) await addVariables(init, { BOUNDARY_DATA_URL: answer });
  if (isAddress(answer)) {
    await downloadBoundariesCommand(configOf(init), []);
    print('boundaries: downloaded and stored');
    return true;
  }
  await importStep(init, 'boundaries', { kind: 'places', path: answer });
  const mws = await answerTo(
    {
      flag: 'mws',
      text: 'Micro-watersheds: none, or the path of a file (without them there are no tables)',
      fallback: 'none',
    },
    asking,
  );
  if (mws === 'none') await asking.record.store({ mws });
  else await importStep(init, 'mws', { kind: 'mws', path: mws });
  return true;
}

/**
 * Switches the sample off, because an installation with its own boundaries needs none. An earlier choice in the file of
 * settings stays.
 */
async function switchSampleOff(init: Init): Promise<void> {
  await addVariables(init, { HEADWATER_SAMPLE: 'off' }).catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    init.print(
      `boundaries: HEADWATER_SAMPLE already has a value in ${init.envFile}, which stays; set it to off if a start should not make the sample`,
    );
  });
}

async function importStep(
  init: Init,
  flag: string,
  { kind, path }: { readonly kind: string; readonly path: string },
): Promise<void> {
  const { asking, print } = init;
  const file = callerPath(path);
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) throw new ConfigError(`--${flag}: there is no file ${file}; check its name.`);
  const version = `${file} ${found.size} ${found.mtimeMs}`;
  if (asking.record.isDone(`${flag} file`, version)) {
    print(`${flag}: ${path} is stored already`);
    return;
  }
  await importCommand(configOf(init), [kind, file]);
  // The command has printed why the file is broken, or why its rows were refused.
  if (process.exitCode === 1)
    throw new ConfigError(`--${flag}: ${path} was not stored; correct it and call init again.`);
  await asking.record.store({ [flag]: file });
  await asking.record.finish(`${flag} file`, version);
  print(`${flag}: ${path} is stored`);
}

/** Settings of the catalogue Earth Search, which needs no account. */
const EARTH_SEARCH = {
  EO_STAC_API_URL: 'https://earth-search.aws.element84.com/v1',
  EO_STAC_COLLECTION: 'sentinel-2-l2a',
};

/** Chooses the source of scenes: Earth Search, a folder of downloads, or none. */
export async function scenesStep(init: Init, hasBoundaries: boolean): Promise<void> {
  const { asking, print } = init;
  const set = configOf(init).eoStacApi?.url;
  const answer =
    asking.flags['scenes'] === undefined && set !== undefined
      ? set
      : await answerTo(
          {
            flag: 'scenes',
            text: 'Satellite scenes: earth-search (over the network), the path of a folder with downloads, or none',
            fallback: hasBoundaries ? 'earth-search' : 'none',
          },
          asking,
        );
  if (answer === 'earth-search') await addVariables(init, EARTH_SEARCH);
  else if (answer !== 'none' && answer !== set) await catalogStep(init, callerPath(answer));
  await asking.record.store({ scenes: answer });
  const state = await scenesOf(configOf(init))
    .probe?.()
    .catch((error: unknown) => messageOf(error));
  print(`scenes: ${answer === 'none' ? 'no source was chosen; ' : ''}${state ?? answer}`);
}

async function catalogStep(init: Init, folder: string): Promise<void> {
  await makeCatalogCommand(configOf(init), [folder]);
  if (process.exitCode !== 1) return;
  // Some files could not be converted and were printed. `init` continues with the others.
  process.exitCode = 0;
  init.print(
    `scenes: some files in ${folder} were not converted, see above; correct or replace these files, then call init again`,
  );
}
