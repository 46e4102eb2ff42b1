import type { WorkflowAccess } from '@headwater/http-service';
import { ConfigError } from './config-error.ts';

/** The orchestrator through which every pipeline computes. */
export interface OrchestratorConfig {
  /** REST root, without slash at its end. */
  readonly apiBase: string;
  readonly dagId: string;
  /** The workflow that does jobs of the work service and posts their results back. */
  readonly jobDagId: string;
  /** A bearer token wins over name and password; undefined = none are sent. */
  readonly credentials:
    | { readonly username: string; readonly password: string }
    | { readonly token: string }
    | undefined;
  /** A paused workflow is unpaused before a run is started; else such a run fails and says so. */
  readonly unpause: boolean;
  /** Where its workers reach this service. */
  readonly serviceApiBase: string | undefined;
}

/** Values of the variables that tell of the orchestrator. */
export interface OrchestratorValues {
  readonly ORCHESTRATOR_API_BASE?: string | undefined;
  readonly ORCHESTRATOR_DAG_ID?: string | undefined;
  readonly ORCHESTRATOR_JOB_DAG_ID?: string | undefined;
  readonly ORCHESTRATOR_USERNAME?: string | undefined;
  readonly ORCHESTRATOR_PASSWORD?: string | undefined;
  readonly ORCHESTRATOR_TOKEN?: string | undefined;
  readonly ORCHESTRATOR_UNPAUSE: boolean;
  readonly SERVICE_API_BASE?: string | undefined;
  readonly DAG_API_ACCESS: WorkflowAccess;
}

/** Undefined without an address: then everything is computed here, whatever the other variables say. Throws `ConfigError`. */
export function orchestrator(values: OrchestratorValues): OrchestratorConfig | undefined {
  const { ORCHESTRATOR_API_BASE: apiBase, ORCHESTRATOR_DAG_ID: dagId } = values;
  if (apiBase === undefined) return undefined;
  if (dagId === undefined) {
    throw new ConfigError(
      'ORCHESTRATOR_DAG_ID: needed with ORCHESTRATOR_API_BASE; give the id of the workflow to trigger.',
    );
  }
  return {
    apiBase,
    dagId,
    jobDagId: values.ORCHESTRATOR_JOB_DAG_ID ?? dagId,
    credentials: credentials(values),
    unpause: values.ORCHESTRATOR_UNPAUSE,
    serviceApiBase: values.SERVICE_API_BASE,
  };
}

function credentials(values: OrchestratorValues): OrchestratorConfig['credentials'] {
  const { ORCHESTRATOR_TOKEN: token, ORCHESTRATOR_USERNAME: username, ORCHESTRATOR_PASSWORD: password } = values;
  if (token !== undefined) return { token };
  if (username === undefined && password === undefined) return undefined;
  if (username !== undefined && password !== undefined) return { username, password };
  const missing = username === undefined ? 'ORCHESTRATOR_USERNAME' : 'ORCHESTRATOR_PASSWORD';
  throw new ConfigError(`${missing}: user and password belong together; give both, or ORCHESTRATOR_TOKEN instead.`);
}
