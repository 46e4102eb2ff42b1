/** A variable that is set wrongly: `message` names it, says what is wrong and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
