import { randomInt } from 'node:crypto';
import { askPassword, readAccountOptions, toldPassword } from './account-options.ts';
import { withAccounts } from './accounts-beside.ts';
import type { Config } from './config.ts';

const USAGE = 'usage: headwater create-superuser [--username NAME] [--email ADDRESS]';

/** A name like the installer's. */
const inventName = (): string => `test_user_${String(randomInt(10_000)).padStart(4, '0')}`;

/** Makes a superuser, beside a running service or without one, and prints a password that it had to invent. */
export async function createSuperuserCommand(config: Config, args: readonly string[]): Promise<void> {
  const { username = inventName(), email = '' } = readAccountOptions(args, USAGE);
  const given = await askPassword();
  await withAccounts(config, async ({ accounts }) => {
    const user = await accounts.createSuperuser({ username, email, password: given.password });
    process.stdout.write(`superuser ${user.username} (id ${user.id}) is made${toldPassword(given)}\n`);
  });
}
