/** Records a wrong setting: its name, the problem and the remedy. The reading continues, so that one message has all of them. */
export type Refuse = (fault: string) => void;

/** A wrong setting: `message` has its name, the problem and the remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
