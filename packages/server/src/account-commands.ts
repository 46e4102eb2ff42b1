import type { User } from '@headwater/identity';
import { askPassword, readAccountOptions, toldPassword } from './account-options.ts';
import { type AccountParts, withAccounts } from './accounts-beside.ts';
import { ConfigError, type Config } from './config.ts';

/** A command about one account that exists: `headwater NAME --username NAME`. */
export type AccountCommand = (config: Config, args: readonly string[]) => Promise<void>;

/** Sets a password (a new one is invented where none is given) and ends every session and every API key of the account. */
const changePassword: AccountCommand = async (config, args) => {
  const username = usernameOf('change-password', args);
  const given = await askPassword();
  await withAccounts(config, async (parts) => {
    const user = await find(parts, username);
    await parts.accounts.resetPassword(user.id, given.password);
    tell(`the password of ${user.username} is changed, its sessions and API keys have ended${toldPassword(given)}`);
  });
};

const setActive =
  (command: string, isActive: boolean, done: string): AccountCommand =>
  async (config, args) => {
    const username = usernameOf(command, args);
    await withAccounts(config, async (parts) => {
      const user = await find(parts, username);
      await parts.accounts.setActive(user.id, isActive);
      tell(`${user.username} ${done}`);
    });
  };

/** The commands by their names. */
export const ACCOUNT_COMMANDS: ReadonlyMap<string, AccountCommand> = new Map([
  ['change-password', changePassword],
  ['disable-account', setActive('disable-account', false, 'is disabled and its sessions have ended')],
  ['enable-account', setActive('enable-account', true, 'may sign in again')],
]);

function usernameOf(command: string, args: readonly string[]): string {
  const usage = `usage: headwater ${command} --username NAME`;
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

function tell(text: string): void {
  process.stdout.write(`${text}\n`);
}
