import { randomBytes, randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createAccountService, createTokens, TOKEN_DEFAULTS } from '@headwater/core';
import { createScryptHasher } from '@headwater/http-service';
import { ConfigError, type Config } from './config.ts';
import { openStoresBeside } from './database.ts';

const USAGE = 'usage: headwater create-superuser [--username NAME] [--email ADDRESS] [--password PASSWORD]';

function readOptions(args: readonly string[]): { username: string; email: string; password: string | undefined } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { username: { type: 'string' }, email: { type: 'string' }, password: { type: 'string' } },
    });
    return { username: values.username ?? inventName(), email: values.email ?? '', password: values.password };
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

/** A name like the installer's. */
const inventName = (): string => `test_user_${String(randomInt(10_000)).padStart(4, '0')}`;

/** Makes a superuser, beside a running service or without one, and prints a password that it had to invent. */
export async function createSuperuserCommand(config: Config, args: readonly string[]): Promise<void> {
  const { username, email, password: given } = readOptions(args);
  const password = given ?? randomBytes(12).toString('base64url');
  const stores = await openStoresBeside(config);
  try {
    const clock = { now: () => new Date() };
    // Signing in is not this command's business: the key only has to be a valid one.
    const tokens = createTokens({ ...TOKEN_DEFAULTS, secret: randomBytes(32) }, clock);
    const accounts = createAccountService({ stores, tokens, hasher: createScryptHasher(), clock });
    const user = await accounts.createSuperuser({ username, email, password });
    process.stdout.write(
      `superuser ${user.username} (id ${user.id}) is made${given === undefined ? `; password: ${password}` : ''}\n`,
    );
  } finally {
    await stores.close();
  }
}
