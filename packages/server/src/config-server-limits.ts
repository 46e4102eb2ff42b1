import { SERVER_LIMITS, type ServerLimits } from '@headwater/http-service';

const SECOND_MS = 1000;

/** Values of the variables that bound what one server takes. */
export interface ServerLimitValues {
  readonly MAX_CONNECTIONS: number;
  readonly REQUEST_TIMEOUT_SECONDS: number;
  readonly WRITE_TIMEOUT_SECONDS: number;
}

/** The limits of a server. */
export function serverLimits(values: ServerLimitValues): ServerLimits {
  return {
    ...SERVER_LIMITS,
    maxConnections: values.MAX_CONNECTIONS,
    requestTimeoutMs: values.REQUEST_TIMEOUT_SECONDS * SECOND_MS,
    writeTimeoutMs: values.WRITE_TIMEOUT_SECONDS * SECOND_MS,
  };
}
