import { randomInt } from 'node:crypto';
import type { User } from '@headwater/identity';
import { askPassword, readAccountOptions, toldPassword } from './account-options.ts';
import { type AccountParts, withAccounts } from './accounts-beside.ts';
import { type Command, type CommandSyntax, usageOf } from './command.ts';
import { ConfigError, type Config } from './config/read-config.ts';

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
