import { readFile } from 'node:fs/promises';
import { type AnyPipeline, isDomainError, type Logger, messageOf, type Run, systemTimers } from '@headwater/core';
import { runResult, wireMessage, wireParameters } from '@headwater/http-service';
import { RUN_PARAMETERS } from '@headwater/orchestrator-client/workflow-files';
import { type Config, ConfigError } from '../config/read-config.ts';
import { createPipelines } from '../pipelines.ts';
import { declaredParameters } from './declared-parameters.ts';
import { openRunner, type Publishing, type Runner } from './open-runner.ts';
import { checkServed } from './check-served.ts';
import { postResult } from './post-result.ts';
import { checkPostable, publishingOf } from './publishing.ts';
import { type Parameters, parametersOf, readRunOptions, type RunOptions } from './run-options.ts';
import { startAlgorithm } from './start-algorithm.ts';

/** What surrounds the command. */
export interface RunSurroundings {
  /** Read when a run needs it. */
  readonly config: () => Config;
  /** `SERVICE_API_BASE`, where it is set. */
  readonly service: string | undefined;
  readonly logger: (config: Config) => Logger;
  /** A line for whoever reads along. */
  readonly tell: (line: string) => void;
  readonly readStdin: () => Promise<string>;
  readonly signal: AbortSignal;
}

/** Accounts that a line lists. */
const MOST_ACCOUNTS = 20;

type Result = Readonly<Record<string, unknown>>;
type Asked = Extract<RunOptions, { kind: 'run' }>;

/** Runs one algorithm and gives its result, or the list of all. Throws `ConfigError` for what was asked wrongly. */
export async function runAlgorithmCommand(args: readonly string[], surroundings: RunSurroundings): Promise<Result> {
  const options = readRunOptions(args);
  if (options.kind === 'list') return { algorithms: createPipelines().map(listed) };
  const pipeline = pipelineOf(options.name);
  const parameters = { ...(await parametersFrom(options, surroundings)), ...options.parameters };
  tellIgnored(pipeline, parameters, surroundings);
  const config = surroundings.config();
  const post = options.post ?? surroundings.service;
  const publishing = await publishingOf(config, { post, isNamed: options.post !== undefined });
  if (publishing === 'posted') checkPostable(config, parameters);
  const { asSuperuser } = options;
  const run = (): Promise<Result> => runOne(config, { pipeline, parameters, publishing, asSuperuser }, surroundings);
  return publishing === 'mounted' || post === undefined
    ? run()
    : runAndPost(run, { post, parameters, secret: config.workService.secret }, surroundings);
}

const listed = (pipeline: AnyPipeline) => ({
  name: pipeline.name,
  summary: pipeline.summary,
  parameters: [...RUN_PARAMETERS, ...declaredParameters(pipeline)],
});

function pipelineOf(name: string): AnyPipeline {
  const pipelines: readonly AnyPipeline[] = createPipelines();
  const found = pipelines.find((pipeline) => pipeline.name === name);
  if (found !== undefined) return found;
  throw new ConfigError(
    `NAME: there is no algorithm ${JSON.stringify(name)}; there are ${pipelines.map((each) => each.name).join(', ')}.`,
  );
}

async function parametersFrom({ source }: Asked, { readStdin }: RunSurroundings): Promise<Parameters> {
  if (source === undefined) return {};
  if (source.kind === 'stdin') return parametersOf(await readStdin());
  const text = await readFile(source.path, 'utf8').catch((error: unknown) => {
    throw new ConfigError(`--parameters: ${source.path} cannot be read: ${messageOf(error)}`);
  });
  return parametersOf(text);
}

/** Members that every algorithm understands beside its own. */
const COMMON = [
  'job_id',
  'run_token',
  'execution_id',
  'overwrite',
  'with_dependencies',
  'region',
  'year',
  'base_scheme',
];
const SIDES = ['west', 'south', 'east', 'north'];
const OLDER = ['tehsil', 'gee_account_id'];

/** Generators send more than an algorithm asks for; somebody who mistyped a name wants to know. */
function tellIgnored({ name, request }: AnyPipeline, parameters: Parameters, { tell }: RunSurroundings): void {
  const known = new Set([...COMMON, ...SIDES, ...OLDER, ...wireParameters(request).map((each) => each.name)]);
  const ignored = Object.keys(parameters).filter((each) => !known.has(each));
  if (ignored.length > 0)
    tell(`${name} has no parameter ${ignored.map((each) => JSON.stringify(each)).join(', ')}: left out`);
}

interface Running {
  readonly pipeline: AnyPipeline;
  readonly parameters: Parameters;
  readonly publishing: Publishing;
  readonly asSuperuser: boolean;
}

async function runOne(
  config: Config,
  { pipeline, parameters, publishing, asSuperuser }: Running,
  around: RunSurroundings,
): Promise<Result> {
  const { signal, tell } = around;
  const runner = await openRunner(config, publishing, around.logger(config));
  try {
    signal.throwIfAborted();
    const asked = { pipeline, parameters, signal, publishing, asSuperuser, workService: config.workService };
    const started = await startAlgorithm(runner, asked).catch(async (error: unknown) => {
      // What others sent is answered to them: the accounts are told to the operator alone.
      if (asSuperuser && isOfAccount(error)) tell(await accountsLine(runner));
      throw error;
    });
    tell(started.reused ? `run ${started.run.id} has made this before` : `run ${started.run.id} begins`);
    const run = await ended(runner, started.run, around);
    const id = parameters['execution_id'];
    return await runResult(
      run,
      { stores: runner.stores, baseUrl: config.baseUrl, publication: config.publication },
      {
        joined: started.joined,
        reused: started.reused,
        hostingPlatform: runner.platform,
        executionId: typeof id === 'string' || typeof id === 'number' ? String(id) : run.id,
        message: pipeline.messages.finished,
        year: typeof run.params['endYear'] === 'number' ? run.params['endYear'] : undefined,
      },
    );
  } finally {
    await runner.close();
  }
}

/** A parameter that is missing is refused by its name on the wire, an account that is not there by that of the domain. */
const isOfAccount = (error: unknown): boolean =>
  isDomainError(error) && ['eoAccountId', 'eo_account_id'].some((name) => Object.hasOwn(error.fields, name));

/** The accounts that may be named, for who cannot guess them. */
async function accountsLine({ stores }: Runner): Promise<string> {
  const visible = (await stores.eoAccounts.list()).filter(({ isVisible }) => isVisible);
  const told = visible.slice(0, MOST_ACCOUNTS).map(({ id, name }) => `${id} (${name})`);
  const more = visible.length > told.length ? `, and ${visible.length - told.length} more` : '';
  return `eo_account_id: the accounts are ${told.join(', ') || 'none; start the service once'}${more}`;
}

/** The run as it ended; its lines are told as they come. One that is told to stop is cancelled, for nobody else would take it up. */
async function ended({ runs, stores, start }: Runner, { id }: Run, { signal, tell }: RunSurroundings): Promise<Run> {
  start();
  try {
    for await (const { kind, data } of runs.subscribe(id, 0, signal))
      if (kind === 'log' && typeof data['message'] === 'string') tell(data['message']);
    return await runs.waitFor(id, signal);
  } catch (error) {
    if (signal.aborted) await stores.runs.requestCancel(id);
    throw error;
  }
}

interface Posting {
  readonly post: string;
  readonly parameters: Parameters;
  /** What the service asks of calls like this one, where its operator has set a secret. */
  readonly secret: string | undefined;
}

/** The service is told of a failure too: whoever waits there for the job must not wait for ever. */
async function runAndPost(
  run: () => Promise<Result>,
  { post, parameters, secret }: Posting,
  { signal, tell }: RunSurroundings,
): Promise<Result> {
  const jobId = String(parameters['job_id']);
  const target = { service: post, secret, jobId, signal, sleep: systemTimers.sleep };
  const complete = async (): Promise<Result> => {
    const made = await run();
    await checkServed(made, signal);
    return made;
  };
  const result = await complete().catch(async (error: unknown) => {
    const outcome = { ok: false, error: reasonOf(error) } as const;
    if (!signal.aborted) await postResult(outcome, target).catch((problem: unknown) => tell(String(problem)));
    throw error;
  });
  await postResult({ ok: true, result }, target);
  tell(`the result of job ${jobId} is posted`);
  return result;
}

function reasonOf(error: unknown): string {
  if (isDomainError(error)) return wireMessage(error);
  return messageOf(error);
}
