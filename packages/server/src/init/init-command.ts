import { join } from 'node:path';
import { type CommandCall, type CommandSyntax, usageOf } from '../command.ts';
import { prepareDataDir } from '../data-dir.ts';
import { readArguments } from '../read-arguments.ts';
import { InitRecord } from './asking.ts';
import { onlyInShell, readText } from './env-file.ts';
import { boundariesStep, databaseStep, type Init, scenesStep, superuserStep } from './settings-steps.ts';
import { tehsilStep } from './tehsil-step.ts';
import { abortOnSignals } from '../stop-on-signals.ts';

/** Syntax of `headwater init`. */
export const INIT: CommandSyntax = {
  name: 'init',
  options: [
    '[--yes] [--database D] [--db-host H] [--db-port P] [--db-name N] [--db-user U] [--superuser NAME] [--boundaries B] [--mws FILE] [--scenes S] [--tehsil T] [--years Y] [--compute yes|no]',
  ],
};

/** Lines of `headwater init --help` after its usage. */
export const INIT_DETAILS: readonly string[] = [
  'Asks for everything that an installation needs, does each step after its questions, and writes the settings to .env (mode 0600).',
  'Reads .env and the answers of earlier calls (DATA_DIR/init.json). A further call continues after the last finished step.',
  '--yes            takes the default of every question that no option and no earlier call has answered',
  '--database D     embedded, or postgresql with --db-host, --db-port, --db-name, --db-user and the variable DB_PASSWORD',
  '--superuser NAME default: test_user_ and four digits; the password is asked for, or comes from SUPERUSER_PASSWORD',
  '--boundaries B   none, the http(s) address of a file, or the path of a file of tehsils',
  '--mws FILE       micro-watersheds of these tehsils, or none',
  '--scenes S       earth-search, the path of a folder with downloads, or none',
  '--tehsil T       first tehsil: NAME, or "NAME, DISTRICT, STATE", or none. Its cost is printed before it is computed',
  '--years Y        hydrological years of the tehsil: 2023, or 2021-2023',
  '--compute yes|no computes the tehsil now',
  'Settings from the environment are used and not written to .env; their names are printed at the end.',
  'Writes the database, boundaries and layers to DATA_DIR or PostgreSQL. Exit code 1 or 2: a step failed; correct it and call again. Example:',
  '  npx headwater init --boundaries tehsils.gpkg --mws mws.gpkg --scenes earth-search --tehsil Chaibasa --yes',
];

const TEXT = { type: 'string' } as const;
const OPTIONS = {
  yes: { type: 'boolean' },
  database: TEXT,
  'db-host': TEXT,
  'db-port': TEXT,
  'db-name': TEXT,
  'db-user': TEXT,
  superuser: TEXT,
  boundaries: TEXT,
  mws: TEXT,
  scenes: TEXT,
  tehsil: TEXT,
  years: TEXT,
  compute: TEXT,
} as const;

/** Runs `headwater init`. */
export async function initCommand({ args, config }: CommandCall): Promise<void> {
  const { yes = false, ...flags } = readArguments({ args, options: OPTIONS }, usageOf(INIT)).values;
  const { dataDir, shell } = config();
  await prepareDataDir(dataDir);
  const init: Init = {
    envFile: '.env',
    config: (variables) => config({}, variables),
    variables: {},
    print: (line) => void process.stdout.write(`${line}\n`),
    asking: {
      flags,
      takesDefaults: yes,
      input: process.stdin,
      output: process.stdout,
      record: await InitRecord.read(join(dataDir, 'init.json')),
    },
  };
  await runSteps(init);
  const only = onlyInShell(shell, await readText(init.envFile));
  if (only.length > 0)
    init.print(
      `\nThese settings are set in the environment of this command, and not in ${init.envFile}: ${only.join(', ')}. ` +
        `Set them in the environment of each start too, or add them to ${init.envFile}.`,
    );
  init.print(`\nThe installation is complete. Start it: ${NEXT}`);
}

const NEXT = 'npm start (or npx headwater)';

async function runSteps(init: Init): Promise<void> {
  await databaseStep(init);
  await superuserStep(init);
  const hasBoundaries = await boundariesStep(init);
  await scenesStep(init, hasBoundaries);
  const signal = abortOnSignals((name) => `stopped by ${name}. Finished steps stay; call init again to continue.`);
  await tehsilStep(init, signal);
}
