/**
 * Records a wrong setting: name, problem and remedy. Other settings are still read, so that one message contains all
 * faults.
 */
export type Refuse = (fault: string) => void;

/** A wrong setting. The message contains name, problem and remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
