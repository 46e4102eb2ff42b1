import type { Logger } from '@headwater/core';
import { createScryptHasher } from '@headwater/http-service';
import {
  type AccountService,
  createAccountService,
  createTokens,
  type Stores,
  TOKEN_DEFAULTS,
  type User,
} from '@headwater/identity';
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type Command, type CommandSyntax, usageOf } from './command.ts';
import { type Config, ConfigError } from './config/read-config.ts';
import { openStoresBeside } from './database.ts';
import { createLogger } from './logger.ts';
import { readArguments } from './read-arguments.ts';
import { readPassword } from './read-password.ts';

/** What the commands about accounts may be told. */
interface AccountOptions {
  readonly username: string | undefined;
  readonly email: string | undefined;
}

/** Reads the options of a command about accounts. Throws `ConfigError`, with the usage where an option is unknown. */
function readAccountOptions(args: readonly string[], usage: string): AccountOptions {
  if (args.some((arg) => /^--?password(?:=|$)/.test(arg))) throw new ConfigError(PASSWORD_IN_ARGUMENTS);
  const options = { username: { type: 'string' }, email: { type: 'string' } } as const;
  const { username, email } = readArguments({ args, options }, usage).values;
  return { username, email };
}

const PASSWORD_IN_ARGUMENTS = [
  '--password: everybody on this machine can read the arguments of a process, and shells keep them. Leave it out: the password is asked for.',
  `In a script pipe it in: printf '%s\\n' "$PASSWORD" | npx headwater ...`,
].join('\n');

/** A password for an account. */
interface GivenPassword {
  readonly password: string;
  /** Nobody gave one, so that it must be told. */
  readonly isInvented: boolean;
}

/** Asks for a password, or reads one that is piped in; invents one where none is given. */
async function askPassword(): Promise<GivenPassword> {
  const given = await readPassword({ input: process.stdin, output: process.stderr });
  return given === ''
    ? { password: randomBytes(12).toString('base64url'), isInvented: true }
    : { password: given, isInvented: false };
}

/** The end of a line about an account: the password where it was invented. */
function toldPassword({ password, isInvented }: GivenPassword): string {
  return isInvented ? `; password: ${password}` : '';
}

/** Accounts and their stores, for a command. */
interface AccountParts {
  readonly accounts: AccountService;
  readonly stores: Stores;
}

/** Does a command's work on the accounts, beside a running service or without one. */
async function withAccounts<T>(config: Config, work: (parts: AccountParts) => Promise<T>): Promise<T> {
  const stores = await openStoresBeside(config);
  try {
    const clock = { now: () => new Date() };
    // Signing in is no command's business: the key only has to be a valid one.
    const tokens = createTokens({ ...TOKEN_DEFAULTS, secret: randomBytes(32) }, clock);
    return await work({
      stores,
      accounts: createAccountService({ stores, tokens, hasher: createScryptHasher(), clock, ...logOf(config) }),
    });
  } finally {
    await stores.close();
  }
}

/** Security events go into the service's log file; a command prints what it did by itself, and makes no folder. */
function logOf({ logLevel, dataDir, log }: Config): { readonly logger?: Logger } {
  if (!existsSync(dataDir)) return {};
  return { logger: createLogger(logLevel, dataDir, { ...log, output: { write: () => {} } }) };
}

/** A command about an account. */
export interface AccountCommand extends Omit<Command, 'run'> {
  readonly run: (config: Config, args: readonly string[]) => Promise<void>;
}

/** Sets a password (a new one is invented where none is given) and ends every session and every API key of the account. */
const changePassword: AccountCommand['run'] = async (config, args) => {
  const username = usernameOf('change-password', args);
  const given = await askPassword();
  await withAccounts(config, async (parts) => {
    const user = await find(parts, username);
    await parts.accounts.resetPassword(user.id, given.password);
    print(`the password of ${user.username} is changed, its sessions and API keys have ended${toldPassword(given)}`);
  });
};

const setActive =
  (command: string, isActive: boolean, done: string): AccountCommand['run'] =>
  async (config, args) => {
    const username = usernameOf(command, args);
    await withAccounts(config, async (parts) => {
      const user = await find(parts, username);
      await parts.accounts.setActive(user.id, isActive);
      print(`${user.username} ${done}`);
    });
  };

const CREATE: CommandSyntax = { name: 'create-superuser', options: ['[--username NAME] [--email ADDRESS]'] };

/** A name like the installer's. */
const inventName = (): string => `test_user_${String(randomInt(10_000)).padStart(4, '0')}`;

/** Creates a superuser, and prints a password that it had to invent. */
const createSuperuser: AccountCommand['run'] = async (config, args) => {
  const { username = inventName(), email = '' } = readAccountOptions(args, usageOf(CREATE));
  const given = await askPassword();
  await withAccounts(config, async ({ accounts }) => {
    const user = await accounts.createSuperuser({ username, email, password: given.password });
    print(`superuser ${user.username} (id ${user.id}) is made${toldPassword(given)}`);
  });
};

const ofAccount = (name: string): CommandSyntax => ({ name, options: ['--username NAME'] });

/** The commands about accounts; each works with a running service or without one. */
export const ACCOUNT_COMMANDS: readonly AccountCommand[] = [
  { ...CREATE, help: 'Creates a superuser.', run: createSuperuser },
  { ...ofAccount('change-password'), help: 'Sets a password and ends sessions and API keys.', run: changePassword },
  {
    ...ofAccount('disable-account'),
    help: 'Disables an account and ends its sessions.',
    run: setActive('disable-account', false, 'is disabled and its sessions have ended'),
  },
  {
    ...ofAccount('enable-account'),
    help: 'Lets a disabled account sign in again.',
    run: setActive('enable-account', true, 'may sign in again'),
  },
];

function usernameOf(command: string, args: readonly string[]): string {
  const usage = usageOf(ofAccount(command));
  const { username, email } = readAccountOptions(args, usage);
  if (username === undefined) throw new ConfigError(`--username: is missing; name the account.\n${usage}`);
  if (email !== undefined) throw new ConfigError(`--email: is not an option of ${command}.\n${usage}`);
  return username;
}

async function find({ stores }: AccountParts, username: string): Promise<User> {
  const user = await stores.users.byUsername(username);
  if (user === undefined)
    throw new ConfigError(`--username: no account is called ${username}; check its spelling and DATA_DIR.`);
  return user;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
