/** Records a wrong setting: name, problem and remedy. Reading continues, so that one message contains all of them. */
export type Refuse = (fault: string) => void;

/** A wrong setting. The message contains name, problem and remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
