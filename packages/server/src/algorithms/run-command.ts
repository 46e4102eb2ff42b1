import { type AnyPipeline, isDomainError, type Logger, messageOf, type Run, systemTimers } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import { runResult, wireMessage, wireParameters } from '@headwater/http-service';
import { RUN_PARAMETERS } from '@headwater/orchestrator-client/workflow-files';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Config, ConfigError } from '../config/read-config.ts';
import { databaseFolder } from '../database.ts';
import { folderIdFile } from '../folder-id.ts';
import { createPipelines } from '../pipelines.ts';
import { assetsFolder } from '../several-servers.ts';
import { declaredParameters } from './declared-parameters.ts';
import { openRunner, type Publishing, type Runner } from './open-runner.ts';
import { postResult } from './post-result.ts';
import { type Parameters, parametersOf, readRunOptions, type RunOptions } from './run-options.ts';
import { startAlgorithm } from './start-algorithm.ts';

/** The service that results could be posted to. */
interface Postable {
  /** Its address; undefined = none is known. */
  readonly post: string | undefined;
  /** The command line names it, and not the environment alone. */
  readonly isNamed: boolean;
}

/** Published where a database is mounted, else posted. Throws `ConfigError` where neither can be, and where a posted result would lie among a service's files. */
async function publishingOf({ database, dataDir }: Config, { post, isNamed }: Postable): Promise<Publishing> {
  const isMounted = database !== undefined || existsSync(databaseFolder(dataDir));
  if (isMounted && !isNamed) return 'mounted';
  if (post === undefined || post === '')
    throw new ConfigError(
      'DATA_DIR: there is no database in it and DB_HOST is not set. Mount the data folder of the service, set DB_HOST, or name the service that the result is posted to (--post or SERVICE_API_BASE).',
    );
  if (existsSync(folderIdFile(assetsFolder(dataDir))) || existsSync(databaseFolder(dataDir)))
    throw new ConfigError(
      `DATA_DIR: ${dataDir} is the folder of a service, which publishes by itself. Leave --post out, or give another folder for the files of a posted result.`,
    );
  return 'posted';
}

/** Throws `ConfigError`, before anything is computed, for a result that could be posted and would not be complete. */
function checkPostable({ baseUrlIsGiven }: Pick<Config, 'baseUrlIsGiven'>, parameters: Parameters): void {
  const { job_id: jobId, run_token: runToken } = parameters;
  if (typeof jobId !== 'string' || jobId === '')
    throw new ConfigError('--job_id: missing; a result that is posted belongs to a job of the service.');
  // Only runs of the service have a token: it takes no posted result for them, since layers, tables and files would be missing.
  if (typeof runToken === 'string' && runToken !== '')
    throw new ConfigError(
      `DATA_DIR: run ${jobId} is published in the database and the data folder of its service, and they are not mounted. ` +
        'Mount the data folder as DATA_DIR and set DB_HOST with its user and password; a database that is embedded in the folder needs none.',
    );
  if (!baseUrlIsGiven)
    throw new ConfigError(
      'PUBLIC_BASE_URL: is not set, and the files of a posted result lie under DATA_DIR of this process alone. ' +
        "Give the address that serves them, or mount the service's DATA_DIR and set DB_HOST, so that the result is published there.",
    );
}

/** How long an address may take to answer, ms. */
const ANSWER_MS = 30_000;
const REMEDY =
  "The files lie under DATA_DIR of this process. Mount the service's DATA_DIR and set DB_HOST, so that the result is published there, or " +
  'let PUBLIC_BASE_URL be an address that serves them.';

/** Throws an error that names the first file of a result that nobody could fetch: a result is posted whole or not at all. */
async function checkServed(result: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void> {
  const items: unknown = result['stac_items'];
  for (const item of Array.isArray(items) ? items.filter(isObject) : [])
    for (const [name, asset] of Object.entries(isObject(item['assets']) ? item['assets'] : {})) {
      const href: unknown = isObject(asset) ? asset['href'] : undefined;
      const problem = typeof href === 'string' ? await problemOf(href, signal) : 'has no address';
      if (problem === undefined) continue;
      throw new Error(`asset ${name} of Item ${String(item['id'])} cannot be fetched: ${problem}. ${REMEDY}`);
    }
}

/** Asks for the first byte. */
async function problemOf(href: string, signal: AbortSignal): Promise<string | undefined> {
  const limits = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  try {
    const answer = await fetch(href, { headers: { range: 'bytes=0-0' }, signal: limits });
    await answer.body?.cancel();
    return answer.ok ? undefined : `${href} answers with ${answer.status}`;
  } catch (error) {
    signal.throwIfAborted();
    const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
    return `${href} does not answer (${messageOf(cause)})`;
  }
}

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
