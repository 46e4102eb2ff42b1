import { ConfigError } from './config-error.ts';

/** The variables that say where runs are worked on. */
interface WorkerVariables {
  readonly WORKER: boolean;
  readonly DB_HOST?: string | undefined;
}

/** Whether the service works on runs itself. Throws `ConfigError` where nobody else could. */
export function workerInProcess({ WORKER: isOn, DB_HOST: host }: WorkerVariables): boolean {
  if (!isOn && host === undefined)
    throw new ConfigError(
      'WORKER: is off, but the embedded database belongs to the one process that opens it, so no worker beside it could reach the ' +
        'runs. Unset WORKER, or set DB_HOST to a PostgreSQL and start `headwater worker` beside the service.',
    );
  return isOn;
}
