/** A wrong setting: `message` has its name, the problem and the remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
