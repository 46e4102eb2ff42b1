import { ConfigError } from './config-error.ts';
import { VARIABLES } from './variables.ts';

/** Variables as given; an empty text counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Throws `ConfigError` for a variable whose part is not in this version. */
export function refuseMissingParts(env: Environment): void {
  for (const { name, use, part } of VARIABLES) {
    const value = env[name];
    if (use === 'not-yet' && value !== undefined && value !== '') {
      throw new ConfigError(
        `${name} is set, but ${part ?? 'its part'} is not in this version. Unset ${name} to start.`,
      );
    }
  }
}

/** Those that the service reads, as far as they are set. */
export function givenVariables(env: Environment): Environment {
  return Object.fromEntries(
    VARIABLES.filter((variable) => variable.use === 'read')
      .map(({ name }) => [name, env[name]] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  );
}
