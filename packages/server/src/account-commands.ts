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

interface AccountOptions {
  readonly username: string | undefined;
  readonly email: string | undefined;
}

/**
 * Parses name and email. Throws `ConfigError` for a password in the arguments, and for an unknown option.
 */
function readAccountOptions(args: readonly string[], usage: string): AccountOptions {
  if (args.some((arg) => /^--?password(?:=|$)/.test(arg))) throw new ConfigError(PASSWORD_IN_ARGUMENTS);
  const options = { username: { type: 'string' }, email: { type: 'string' } } as const;
  const { username, email } = readArguments({ args, options }, usage).values;
  return { username, email };
}

const PASSWORD_IN_ARGUMENTS = [
  '--password: any user of this machine can read the arguments of a process, and shells store them. Leave it out: the command asks for the password.',
  `In a script, send it through a pipe: printf '%s\\n' "$PASSWORD" | npx headwater ...`,
].join('\n');

interface NewPassword {
  readonly password: string;
  readonly isGenerated: boolean;
}

/** Asks for a password, or reads it from a pipe. Generates one if the input is empty. */
async function askPassword(): Promise<NewPassword> {
  const entered = await readPassword({ input: process.stdin, output: process.stderr });
  return entered === ''
    ? { password: randomBytes(12).toString('base64url'), isGenerated: true }
    : { password: entered, isGenerated: false };
}

/** End of a message, with the password if it was generated. Other passwords are not printed. */
function passwordNote({ password, isGenerated }: NewPassword): string {
  return isGenerated ? `; password: ${password}` : '';
}

interface AccountParts {
  readonly accounts: AccountService;
  readonly stores: Stores;
}

/** Opens stores and accounts for `work`. A service may be running on the same database. */
async function withAccounts<T>(config: Config, work: (parts: AccountParts) => Promise<T>): Promise<T> {
  const stores = await openStoresBeside(config);
  try {
    return await work({ stores, accounts: accountsOver(stores, config) });
  } finally {
    await stores.close();
  }
}

/** Account service of a command. */
export function accountsOver(stores: Stores, config: Config): AccountService {
  const clock = { now: () => new Date() };
  // Commands issue no tokens, so any secret is sufficient.
  const tokens = createTokens({ ...TOKEN_DEFAULTS, secret: randomBytes(32) }, clock);
  return createAccountService({ stores, tokens, hasher: createScryptHasher(), clock, ...logOf(config) });
}

/**
 * Logger of security events, which writes to the service's log file. Absent without a data folder, because a command
 * must not create the folder.
 */
function logOf({ logLevel, dataDir, log }: Config): { readonly logger?: Logger } {
  if (!existsSync(dataDir)) return {};
  return { logger: createLogger(logLevel, dataDir, { ...log, output: { write: () => {} } }) };
}

/** Command about an account. */
export interface AccountCommand extends Omit<Command, 'run'> {
  readonly run: (config: Config, args: readonly string[]) => Promise<void>;
}

/** Changes a password. Also ends every session and API key of the account. */
const changePassword: AccountCommand['run'] = async (config, args) => {
  const username = usernameOf('change-password', args);
  const chosen = await askPassword();
  await withAccounts(config, async (parts) => {
    const user = await find(parts, username);
    await parts.accounts.resetPassword(user.id, chosen.password);
    print(
      `the password of ${user.username} is changed; all sessions and API keys of the account have ended${passwordNote(chosen)}`,
    );
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

/** Random name in the form of the installer's superuser. */
export const randomName = (): string => `test_user_${String(randomInt(10_000)).padStart(4, '0')}`;

const createSuperuser: AccountCommand['run'] = async (config, args) => {
  const { username = randomName(), email = '' } = readAccountOptions(args, usageOf(CREATE));
  const chosen = await askPassword();
  await withAccounts(config, async ({ accounts }) => {
    const user = await accounts.createSuperuser({ username, email, password: chosen.password });
    print(`superuser ${user.username} (id ${user.id}) is created${passwordNote(chosen)}`);
  });
};

const ofAccount = (name: string): CommandSyntax => ({ name, options: ['--username NAME'] });

/** Commands about accounts, with or without a running service. */
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
    help: 'Enables a disabled account.',
    run: setActive('enable-account', true, 'is enabled'),
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
    throw new ConfigError(`--username: there is no account ${username}; check its spelling and DATA_DIR.`);
  return user;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
