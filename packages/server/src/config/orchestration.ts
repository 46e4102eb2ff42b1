import { WORK_SERVICE, type WorkflowAccess, type WorkServiceOptions } from '@headwater/http-service';
import { z } from 'zod';
import type { Refuse } from './config-error.ts';
import {
  address,
  dagId,
  daysUntilRemoval,
  list,
  memberName,
  onOff,
  publicUrl,
  whole,
  workflowAccess,
} from './fields.ts';

const DAY_MS = 86_400_000;
const SHORTEST_SECRET = 16;

/** Variables of the orchestrator, and of the routes by which orchestrators request regions. */
export const ORCHESTRATION_FIELDS = {
  ORCHESTRATOR_API_BASE: publicUrl.optional(),
  ORCHESTRATOR_DAG_ID: dagId.optional(),
  ORCHESTRATOR_JOB_DAG_ID: dagId.optional(),
  ORCHESTRATOR_USERNAME: z.string().optional(),
  ORCHESTRATOR_PASSWORD: z.string().optional(),
  ORCHESTRATOR_TOKEN: z.string().optional(),
  ORCHESTRATOR_UNPAUSE: onOff.default(true),
  SERVICE_API_BASE: publicUrl.optional(),
  DAG_API_ACCESS: workflowAccess.default('private'),
  DAG_CONF_MEMBERS: list(memberName),
  WORK_SERVICE_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'expected printable ASCII characters without spaces, because it is sent in a header')
    .min(SHORTEST_SECRET, `expected at least ${SHORTEST_SECRET} characters`)
    .optional(),
  WORK_SERVICE_ADDRESSES: list(address),
  WORK_SERVICE_AT_ONCE: whole(1, 1000).default(WORK_SERVICE.atOnce),
  WORK_SERVICE_WAITING: whole(0, 100_000).default(WORK_SERVICE.waiting),
  WORK_SERVICE_JOBS: whole(1, 100_000).default(WORK_SERVICE.jobsPerAddress),
  DAG_API_UNFINISHED: whole(1, 10_000).default(WORK_SERVICE.workflowRuns),
  WORK_SERVICE_MAX_KM2: whole(1, 1_000_000).default(WORK_SERVICE.maxKm2),
  REGIONS_DAYS: daysUntilRemoval.default(WORK_SERVICE.keepRegionsMs / DAY_MS),
} as const;

type Values = z.output<z.ZodObject<typeof ORCHESTRATION_FIELDS>>;

/** The orchestrator, which computes every pipeline. */
export interface OrchestratorConfig {
  readonly apiBase: string;
  readonly dagId: string;
  /** Workflow that runs jobs of the work service and posts their results. */
  readonly jobDagId: string;
  /** Credentials for the orchestrator's API. A bearer token takes precedence. */
  readonly credentials:
    | { readonly username: string; readonly password: string }
    | { readonly token: string }
    | undefined;
  /** True: a paused workflow is unpaused before a run starts. False: such a run fails. */
  readonly unpause: boolean;
  /** Address of this service for the orchestrator's workers; default: `baseUrl`. */
  readonly serviceApiBase: string | undefined;
}

/** Settings of the orchestrator that computes this service's pipelines, and of orchestrators that request regions. */
export interface OrchestrationConfig {
  /** The orchestrator; undefined if this service computes. */
  readonly orchestrator: OrchestratorConfig | undefined;
  /** Callers who may start the orchestrator's workflow directly. */
  readonly workflowAccess: WorkflowAccess;
  readonly workService: WorkServiceOptions;
}

/** Reads the settings of orchestration. */
export function orchestrationConfig(values: Values, refuse: Refuse): OrchestrationConfig {
  return {
    orchestrator: orchestrator(values, refuse),
    workflowAccess: values.DAG_API_ACCESS,
    workService: workService(values),
  };
}

function orchestrator(values: Values, refuse: Refuse): OrchestratorConfig | undefined {
  const { ORCHESTRATOR_API_BASE: apiBase, ORCHESTRATOR_DAG_ID: dagId = '' } = values;
  if (apiBase === undefined) return undefined;
  if (dagId === '')
    refuse('ORCHESTRATOR_DAG_ID: needed with ORCHESTRATOR_API_BASE; set it to the id of the workflow to trigger.');
  return {
    apiBase,
    dagId,
    jobDagId: values.ORCHESTRATOR_JOB_DAG_ID ?? dagId,
    credentials: credentials(values, refuse),
    unpause: values.ORCHESTRATOR_UNPAUSE,
    serviceApiBase: values.SERVICE_API_BASE,
  };
}

function credentials(values: Values, refuse: Refuse): OrchestratorConfig['credentials'] {
  const { ORCHESTRATOR_TOKEN: token, ORCHESTRATOR_USERNAME: username, ORCHESTRATOR_PASSWORD: password } = values;
  if (token !== undefined) return { token };
  if (username === undefined && password === undefined) return undefined;
  if (username !== undefined && password !== undefined) return { username, password };
  const missing = username === undefined ? 'ORCHESTRATOR_USERNAME' : 'ORCHESTRATOR_PASSWORD';
  refuse(`${missing}: user and password are needed together; set both, or ORCHESTRATOR_TOKEN instead.`);
  return undefined;
}

function workService(values: Values): WorkServiceOptions {
  const { WORK_SERVICE_SECRET: secret, WORK_SERVICE_ADDRESSES: addresses } = values;
  return {
    ...(secret === undefined ? {} : { secret }),
    addresses,
    atOnce: values.WORK_SERVICE_AT_ONCE,
    waiting: values.WORK_SERVICE_WAITING,
    maxKm2: values.WORK_SERVICE_MAX_KM2,
    jobsPerAddress: values.WORK_SERVICE_JOBS,
    workflowRuns: values.DAG_API_UNFINISHED,
    keepRegionsMs: values.REGIONS_DAYS * DAY_MS,
    confMembers: values.DAG_CONF_MEMBERS,
  };
}
