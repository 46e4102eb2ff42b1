import { randomBytes } from 'node:crypto';
import { ConfigError } from './config/read-config.ts';
import { readArguments } from './read-arguments.ts';
import { readPassword } from './read-password.ts';

/** What the commands about accounts may be told. */
export interface AccountOptions {
  readonly username: string | undefined;
  readonly email: string | undefined;
}

/** Reads the options of a command about accounts. Throws `ConfigError`, with the usage where an option is unknown. */
export function readAccountOptions(args: readonly string[], usage: string): AccountOptions {
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
export interface GivenPassword {
  readonly password: string;
  /** Nobody gave one, so that it must be told. */
  readonly isInvented: boolean;
}

/** Asks for a password, or reads one that is piped in; invents one where none is given. */
export async function askPassword(): Promise<GivenPassword> {
  const given = await readPassword({ input: process.stdin, output: process.stderr });
  return given === ''
    ? { password: randomBytes(12).toString('base64url'), isInvented: true }
    : { password: given, isInvented: false };
}

/** The end of a line about an account: the password where it was invented. */
export function toldPassword({ password, isInvented }: GivenPassword): string {
  return isInvented ? `; password: ${password}` : '';
}
