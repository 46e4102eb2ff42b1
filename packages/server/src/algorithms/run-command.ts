import { type AnyPipeline, isDomainError, type Logger, messageOf, type Run, systemTimers } from '@headwater/core';
import { accountProblem } from '@headwater/core/places';
import { isObject } from '@headwater/core/values';
import { runResult, wireMessage, wireParameters } from '@headwater/http-service';
import { RUN_PARAMETERS } from '@headwater/orchestrator-client/workflow-files';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Config, ConfigError } from '../config/read-config.ts';
import { databaseFolder } from '../database.ts';
import { folderIdFile } from '../folder-id.ts';
import { createPipelines } from '../pipelines.ts';
import { assetsFolder } from '../join-servers.ts';
import { declaredParameters } from './declared-parameters.ts';
import { openRunner, type Publishing, type Runner } from './open-runner.ts';
import { postResult } from './post-result.ts';
import { type Parameters, parametersOf, readRunOptions, type RunOptions } from './run-options.ts';
import { startAlgorithm } from './start-algorithm.ts';

interface Postable {
  readonly post: string | undefined;
  /** True if the address is on the command line, not only in the environment. */
  readonly isNamed: boolean;
}

/**
 * Returns `mounted` if this process can open a service's database and no address is on the command line, otherwise
 * `posted`. For `posted`, throws `ConfigError` if there is no address, or if DATA_DIR is the folder of a service.
 */
async function publishingOf({ database, dataDir }: Config, { post, isNamed }: Postable): Promise<Publishing> {
  const isMounted = database !== undefined || existsSync(databaseFolder(dataDir));
  if (isMounted && !isNamed) return 'mounted';
  if (post === undefined || post === '')
    throw new ConfigError(
      'DATA_DIR: it contains no database and DB_HOST is not set. Mount the data folder of the service, set DB_HOST, or set the address to which the result is posted (--post or SERVICE_API_BASE).',
    );
  if (existsSync(folderIdFile(assetsFolder(dataDir))) || existsSync(databaseFolder(dataDir)))
    throw new ConfigError(
      `DATA_DIR: ${dataDir} is the folder of a service, where results are published directly. Leave --post out, or use another folder for the files of a posted result.`,
    );
  return 'posted';
}

/** Throws `ConfigError` before anything is computed if a posted result would be incomplete. */
function checkPostable({ baseUrlIsGiven }: Pick<Config, 'baseUrlIsGiven'>, parameters: Parameters): void {
  const { job_id: jobId, run_token: runToken } = parameters;
  if (typeof jobId !== 'string' || jobId === '')
    throw new ConfigError('--job_id: missing; a posted result needs the id of a job of the service.');
  // A token means a stored run, which needs layers, tables and files. A posted result does not contain them.
  if (typeof runToken === 'string' && runToken !== '')
    throw new ConfigError(
      `DATA_DIR: run ${jobId} must be published in the database and the data folder of its service, and this process has neither. ` +
        'Mount the data folder as DATA_DIR and set DB_HOST with its user and password; an embedded database in the folder needs none of them.',
    );
  if (!baseUrlIsGiven)
    throw new ConfigError(
      'PUBLIC_BASE_URL: is not set, and the files of a posted result are only under DATA_DIR of this process. ' +
        "Set it to the address that serves them, or mount the service's DATA_DIR and set DB_HOST, so that the result is published there.",
    );
}

const ANSWER_MS = 30_000;
const REMEDY =
  "The files are under DATA_DIR of this process. Mount the service's DATA_DIR and set DB_HOST, so that the result is published there, or " +
  'set PUBLIC_BASE_URL to an address that serves them.';

/** Throws an error about the first file that cannot be requested, because clients could not read it either. */
async function checkServed(result: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void> {
  const items: unknown = result['stac_items'];
  for (const item of Array.isArray(items) ? items.filter(isObject) : [])
    for (const [name, asset] of Object.entries(isObject(item['assets']) ? item['assets'] : {})) {
      const href: unknown = isObject(asset) ? asset['href'] : undefined;
      const problem = typeof href === 'string' ? await problemOf(href, signal) : 'it has no address';
      if (problem === undefined) continue;
      throw new Error(`asset ${name} of Item ${String(item['id'])} cannot be fetched: ${problem}. ${REMEDY}`);
    }
}

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

/** Input and output of the command. */
export interface RunSurroundings {
  /** Reads the configuration; not called for a list. */
  readonly config: () => Config;
  /** Value of `SERVICE_API_BASE`. */
  readonly service: string | undefined;
  readonly logger: (config: Config) => Logger;
  readonly print: (line: string) => void;
  readonly readStdin: () => Promise<string>;
  readonly signal: AbortSignal;
}

const MOST_ACCOUNTS = 20;

type Result = Readonly<Record<string, unknown>>;
type RunCommand = Extract<RunOptions, { kind: 'run' }>;

/**
 * Runs one algorithm and returns its result, with the members of its first Item at the top level. `--list` returns all
 * algorithms instead. Throws `ConfigError` for wrong arguments.
 */
export async function runAlgorithmCommand(args: readonly string[], surroundings: RunSurroundings): Promise<Result> {
  const options = readRunOptions(args);
  if (options.kind === 'list') return { algorithms: createPipelines().map(listed) };
  const pipeline = pipelineOf(options.name);
  const parameters = { ...(await parametersFrom(options, surroundings)), ...options.parameters };
  printIgnored(pipeline, parameters, surroundings);
  const config = surroundings.config();
  const post = options.post ?? surroundings.service;
  const publishing = await publishingOf(config, { post, isNamed: options.post !== undefined });
  if (publishing === 'posted') checkPostable(config, parameters);
  const { asSuperuser } = options;
  const run = (): Promise<Result> => runOne(config, { pipeline, parameters, publishing, asSuperuser }, surroundings);
  return withItem(
    publishing === 'mounted' || post === undefined
      ? await run()
      : await runAndPost(run, { post, parameters, secret: config.workService.secret }, surroundings),
  );
}

/**
 * Adds the members of the first Item. Some programs expect the members of the Item at the top level, others the members
 * of the result.
 */
const withItem = (result: Result): Result =>
  isObject(result['stac_spec']) ? { ...result['stac_spec'], ...result } : result;

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
    `NAME: unknown algorithm ${JSON.stringify(name)}; the algorithms are ${pipelines.map((each) => each.name).join(', ')}.`,
  );
}

async function parametersFrom({ source }: RunCommand, { readStdin }: RunSurroundings): Promise<Parameters> {
  if (source === undefined) return {};
  if (source.kind === 'stdin') return parametersOf(await readStdin());
  const text = await readFile(source.path, 'utf8').catch((error: unknown) => {
    throw new ConfigError(
      `--parameters: ${source.path} cannot be read (${messageOf(error)}); name a readable JSON file.`,
    );
  });
  return parametersOf(text);
}

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

/**
 * Unknown parameters are not refused, because workflow generators send some. They are printed, because a name may be
 * misspelt.
 */
function printIgnored({ name, request }: AnyPipeline, parameters: Parameters, { print }: RunSurroundings): void {
  const known = new Set([...COMMON, ...SIDES, ...OLDER, ...wireParameters(request).map((each) => each.name)]);
  const ignored = Object.keys(parameters).filter((each) => !known.has(each));
  if (ignored.length > 0)
    print(`${name} has no parameter ${ignored.map((each) => JSON.stringify(each)).join(', ')}: ignored`);
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
  const { signal, print } = around;
  const runner = await openRunner(config, publishing, around.logger(config));
  try {
    signal.throwIfAborted();
    const algorithm = { pipeline, parameters, signal, publishing, asSuperuser, workService: config.workService };
    const started = await startAlgorithm(runner, algorithm).catch(async (error: unknown) => {
      // The sender of the parameters gets the error, but must not see the accounts. The operator may see them.
      if (asSuperuser && isOfAccount(error)) print(await accountsLine(runner));
      throw error;
    });
    if (started.note !== undefined) print(started.note);
    print(started.reused ? `run ${started.run.id} has already computed this result` : `run ${started.run.id} begins`);
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

/**
 * True for an error about the Earth-observation account. The error has the field `eo_account_id` if no account was
 * sent, and `eoAccountId` if the account is unknown.
 */
const isOfAccount = (error: unknown): boolean =>
  isDomainError(error) && ['eoAccountId', 'eo_account_id'].some((name) => Object.hasOwn(error.fields, name));

async function accountsLine({ stores }: Runner): Promise<string> {
  const visible = (await stores.eoAccounts.list()).filter(
    (account) => account.isVisible && accountProblem(account, new Date()) === undefined,
  );
  const names = visible.slice(0, MOST_ACCOUNTS).map(({ id, name }) => `${id} (${name})`);
  const more = visible.length > names.length ? `, and ${visible.length - names.length} more` : '';
  return names.length === 0
    ? 'eo_account_id: there is no usable account; start the service once, or enable or correct an account of the platform `local` on the admin pages'
    : `eo_account_id: send the id of one of these accounts: ${names.join(', ')}${more}`;
}

/** Prints log lines as they arrive. A signal cancels the run, so that no worker of the service continues it. */
async function ended({ runs, stores, start }: Runner, { id }: Run, { signal, print }: RunSurroundings): Promise<Run> {
  await start();
  try {
    for await (const { kind, data } of runs.subscribe(id, 0, signal))
      if (kind === 'log' && typeof data['message'] === 'string') print(data['message']);
    return await runs.waitFor(id, signal);
  } catch (error) {
    if (signal.aborted) await stores.runs.requestCancel(id);
    throw error;
  }
}

interface Posting {
  readonly post: string;
  readonly parameters: Parameters;
  readonly secret: string | undefined;
}

/**
 * Runs an algorithm and posts its result. A failure is posted too (except after a signal), because otherwise the job
 * would wait for ever.
 */
async function runAndPost(
  run: () => Promise<Result>,
  { post, parameters, secret }: Posting,
  { signal, print }: RunSurroundings,
): Promise<Result> {
  const jobId = String(parameters['job_id']);
  const target = { service: post, secret, jobId, signal, sleep: systemTimers.sleep };
  const complete = async (): Promise<Result> => {
    const result = await run();
    await checkServed(result, signal);
    return result;
  };
  const result = await complete().catch(async (error: unknown) => {
    const outcome = { ok: false, error: reasonOf(error) } as const;
    if (!signal.aborted) await postResult(outcome, target).catch((problem: unknown) => print(String(problem)));
    throw error;
  });
  await postResult({ ok: true, result }, target);
  print(`the result of job ${jobId} is posted`);
  return result;
}

function reasonOf(error: unknown): string {
  if (isDomainError(error)) return wireMessage(error);
  return messageOf(error);
}
