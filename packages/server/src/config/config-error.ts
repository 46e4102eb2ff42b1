/**
 * Records a wrong setting: its name, the problem and the remedy. The other settings are still read, so that one message contains all wrong
 * settings.
 */
export type Refuse = (fault: string) => void;

/** A wrong setting. The message contains the name of the setting, the problem and the remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
