import { stat } from 'node:fs/promises';
import { isDomainError, messageOf } from '@headwater/core';
import type { EoAccountStore } from '@headwater/core';
import { countOf } from '@headwater/core/values';
import { probeGeoServer } from '@headwater/map-server';
import { freeBytesOf } from '@headwater/net/files';
import { readSchemaState, storesOver } from '@headwater/postgres';
import { accountProblems } from './account-problems.ts';
import { type CommandCall, type CommandSyntax, usageOf } from '../command.ts';
import { checkCredentials } from '../config/credentials.ts';
import type { Config, SettingsRead } from '../config/read-config.ts';
import { checkDataDir, refuseSecondDatabase } from '../data-dir.ts';
import { openToCheck, refuseRestoring } from '../database.ts';
import { checkAddress, checkMapPort } from '../http-server.ts';
import { checkAssets } from '../join-servers.ts';
import { scenesOf } from '../local-compute.ts';
import { checkMail } from '../mail.ts';
import { bucketState } from '../object-storage/open-bucket.ts';
import { checkOrchestrator } from '../orchestrator.ts';
import { readArguments } from '../read-arguments.ts';
import { REMEDIES } from '../remedies.ts';
import { checkSigningKey } from '../secrets.ts';
import { servedPorts } from '../served-ports.ts';
import { checkSampleSize } from '../serve-options.ts';
import { checkMarker } from '../superuser.ts';

/** Result of one check. `problem`: a start would fail. `warning`: a start would succeed in spite of a fault. */
export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'problem';
  readonly text: string;
}

class Warning extends Error {}

/**
 * Size of a container installation with the boundaries of the whole country, bytes (interface specification, limits).
 */
const INSTALL_BYTES = 20e9;
const GB = 1e9;

const CHECK_MS = 5000;

/**
 * Checks everything that a start needs, and changes nothing. If a service with this DATA_DIR and port is running,
 * the checks apply to its restart.
 */
export async function checkStart({ config, faults }: SettingsRead, envFile: string): Promise<readonly Finding[]> {
  const settings = [
    ...faults.map((text): Finding => ({ check: 'settings', level: 'problem', text })),
    ...config.warnings.map((text): Finding => ({ check: 'settings', level: 'warning', text })),
  ];
  const findings: Finding[] = settings.length === 0 ? [{ check: 'settings', level: 'ok', text: 'valid' }] : settings;
  const served = await servedPorts(config.dataDir);
  for (const [check, work] of checksOf(config, { envFile, served })) findings.push(...(await findingsOf(check, work)));
  return findings;
}

/** A check. Returns its text; undefined if there is nothing to check. Throws `Warning`, or the error of a start. */
type Check = () => Promise<string | undefined>;

async function findingsOf(check: string, work: Check): Promise<readonly Finding[]> {
  try {
    const text = await work();
    return text === undefined ? [] : [{ check, level: 'ok', text }];
  } catch (error) {
    return [{ check, level: error instanceof Warning ? 'warning' : 'problem', text: messageOf(error) }];
  }
}

/**
 * Wraps a check of a part that a start does not need: a failure becomes a warning. `variable`: setting with the address
 * of the part.
 */
const asWarning =
  (variable: string, work: Check): Check =>
  () =>
    work().catch((error: unknown) => {
      const remedy = `Check that the server at the address in ${variable} runs, and that ${variable} and the settings of its account are right.`;
      throw new Warning(`${variable}: ${messageOf(error).replace(/\.$/, '')}. ${remedy}`, { cause: error });
    });

interface Around {
  readonly envFile: string;
  /** Process ids of the services on this DATA_DIR, by port. */
  readonly served: ReadonlyMap<number, number>;
}

function checksOf(config: Config, { envFile, served }: Around): readonly (readonly [string, Check])[] {
  const { dataDir, host, port, mapServerPort, containerMarker, mail } = config;
  const isRunning = served.has(port);
  const unlessServed = (at: number, work: Check): Check =>
    served.has(at) ? async () => `${at} belongs to the running service, process ${served.get(at)}` : work;
  return [
    [RUNNING, async () => (isRunning ? `the service already runs, so this checks a restart` : undefined)],
    ['data folder', async () => `${await checkDataDir(dataDir)} is writable`],
    ['disk', () => diskCheck(config)],
    ['secrets', () => secretsCheck(config, envFile)],
    ['sample', async () => (config.sample ? (await checkSampleSize(config), 'can be generated') : undefined)],
    ['port', unlessServed(port, async () => (await checkAddress(config), `${host}:${port} is free`))],
    ['map port', unlessServed(mapServerPort, () => mapPortCheck(config))],
    [
      'container',
      async () =>
        containerMarker === undefined
          ? undefined
          : (await checkMarker(containerMarker), `${containerMarker} can be written`),
    ],
    ['database', () => databaseCheck(config, isRunning)],
    ['storage', () => storageCheck(config)],
    ['bucket', () => bucketCheck(config)],
    ['scenes', () => scenesCheck(config)],
    ['orchestrator', asWarning('ORCHESTRATOR_API_BASE', () => checkOrchestrator(config))],
    ['GeoServer', asWarning('MAPSERVER_URL', () => geoServerCheck(config))],
    ['mail', asWarning('SMTP_URL', async () => mail && (await checkMail(mail), `${mail.from} can sign in`))],
  ];
}

const RUNNING = 'service';

async function diskCheck({ dataDir, boundaryData, containerMarker, freeDisk }: Config): Promise<string | undefined> {
  const folder = await checkDataDir(dataDir).catch(() => undefined);
  if (folder === undefined) return undefined;
  const free = await freeBytesOf(folder);
  const text = `${(free / GB).toFixed(1)} GB are free on the disk of ${dataDir}`;
  const [needed, why] =
    boundaryData === undefined && containerMarker === undefined
      ? [freeDisk.warnBytes, 'FREE_DISK_WARN_MB']
      : [INSTALL_BYTES, 'an installation with the boundaries of the country'];
  if (free < needed) throw new Warning(`${text}, but ${why} requires ${(needed / GB).toFixed(1)} GB; free some space.`);
  return text;
}

/** Checks the signing key. Warns if other users of the machine can read the secrets in the file of settings. */
async function secretsCheck({ dataDir, jwtSecret }: Config, envFile: string): Promise<string> {
  if (jwtSecret === undefined) await checkSigningKey(dataDir);
  const mode = (await stat(envFile).catch(() => undefined))?.mode;
  if (mode !== undefined && (mode & 0o077) !== 0)
    throw new Warning(`${envFile} can be read by other users of this machine; run chmod 600 ${envFile}.`);
  return jwtSecret === undefined ? 'a start makes a signing key, or uses the stored one' : 'JWT_SECRET signs tokens';
}

async function mapPortCheck(config: Config): Promise<string | undefined> {
  const warning = await checkMapPort(config);
  if (warning !== undefined) throw new Warning(warning);
  return config.mapServerPort === 0 ? undefined : `${config.mapServerPort} is free, or a start does not use it`;
}

async function geoServerCheck({ geoServer }: Config): Promise<string | undefined> {
  return geoServer === undefined ? undefined : await probeGeoServer({ ...geoServer, timeoutMs: CHECK_MS });
}

/** Checks the sources of scenes. Without a source, a start with the sample generates scenes. */
async function scenesCheck(config: Config): Promise<string | undefined> {
  try {
    return await scenesOf(config).probe?.();
  } catch (error) {
    if (!isDomainError(error)) throw error;
    if (error.code === 'no_scenes' && config.sample) return 'a start generates the scenes of the sample';
    const remedy = error.code === 'no_scenes' ? REMEDIES.scenes : 'Check that EO_STAC_API_URL is right.';
    throw new Warning(`${error.message}. ${remedy}`, { cause: error });
  }
}

/** Checks connection, versions, migrations, credentials of the accounts, and boundaries. */
async function databaseCheck(config: Config, isRunning: boolean): Promise<string> {
  refuseRestoring(config.dataDir);
  const opened = await openToCheck(config, isRunning);
  if (opened === undefined) {
    refuseSecondDatabase(config);
    return 'a start makes the embedded database';
  }
  const { database, close } = opened;
  try {
    const { version, isNew, pending } = await readSchemaState(database);
    if (pending.length > 0) {
      return `${database.place}: ${version}; a start applies ${countOf(pending.length, 'migration')}${isNew ? '' : `, from ${pending[0] ?? ''} on`}`;
    }
    const { eoAccounts, places, installation } = storesOver(database);
    if (config.database !== undefined) await checkAssets(installation, config.dataDir);
    await checkCredentials(config, eoAccounts);
    const problems = await accountProblems(config, { eoAccounts, installation });
    if (problems.length > 0) throw new Warning(problems.join(' '));
    const states = (await places.states()).length;
    const found = `${database.place}: ${version}; no migration is pending`;
    if (states === 0 && config.boundaryData !== undefined) return `${found}; a start downloads the boundaries`;
    if (states === 0 && !config.sample) throw new Warning(`${found}; no boundaries are stored. ${NO_PLACES}`);
    return `${found}; boundaries of ${countOf(states, 'state')} are stored`;
  } finally {
    await close();
  }
}

const NO_PLACES =
  'Set BOUNDARY_DATA_URL, put files into DATA_DIR/places, or run npx headwater import places after the first start.';

/** Checks the credentials file for the bucket. `databaseCheck` checks it for the accounts that need it. */
async function storageCheck(config: Config): Promise<string | undefined> {
  if (config.credentials === undefined) return undefined;
  const warning = await checkCredentials(config, NO_ACCOUNTS);
  if (warning !== undefined) throw new Warning(warning);
  return `${config.credentials.path} is a credentials file`;
}

async function bucketCheck(config: Config): Promise<string | undefined> {
  const state = await bucketState(config);
  if (state?.level === 'problem') throw new Error(state.text);
  if (state?.level === 'warning') throw new Warning(state.text);
  return state?.text;
}

const NO_ACCOUNTS: Pick<EoAccountStore, 'list'> = { list: async () => [] };

/** Syntax of `headwater check`. */
export const CHECK: CommandSyntax = { name: 'check', options: ['[--json]'] };

/** Lines of `headwater check --help` after its usage. */
export const CHECK_DETAILS: readonly string[] = [
  'Reads settings, secrets, ports, data folder, free disk space, database, bucket, scenes, orchestrator, GeoServer and mail server, as a start would do.',
  'Prints every problem and every warning, and writes nothing. With the embedded database it needs a few seconds.',
  'If the service runs with the same DATA_DIR and port, a restart is checked: its ports and its database are not reported as problems.',
  'To check places and scenes of a computation, use npx headwater check-data.',
  '--json   prints a list of {"check", "level", "text"}; level is ok, warning or problem',
  'Exit code 1: a start would fail. Warnings do not change the exit code. Example:',
  '  npx headwater check',
];

/** Runs `headwater check`; the exit code is 1 if a start would fail. */
export async function checkCommand({ args, settings, warnOfMisspelt }: CommandCall): Promise<void> {
  const { json = false } = readArguments({ args, options: { json: { type: 'boolean' } } }, usageOf(CHECK)).values;
  const misspelt: Finding[] = [];
  warnOfMisspelt((text) => misspelt.push({ check: 'settings', level: 'warning', text }));
  const findings = [...misspelt, ...(await checkStart(settings(), '.env'))];
  process.stdout.write(json ? `${JSON.stringify(findings, undefined, 2)}\n` : textOf(findings));
  if (findings.some(({ level }) => level === 'problem')) process.exitCode = 1;
}

const MARKS = { ok: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' } as const;

function textOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const count = (level: Finding['level']): number => findings.filter((each) => each.level === level).length;
  const start = findings.some(({ check }) => check === RUNNING) ? 'a restart' : 'a start';
  const end =
    count('problem') === 0
      ? `${start} would succeed; ${countOf(count('warning'), 'warning')}`
      : `${start} would fail: ${countOf(count('problem'), 'problem')}, ${countOf(count('warning'), 'warning')}`;
  return [...findings.map(({ check, level, text }) => `${MARKS[level]}${check.padEnd(width)}  ${text}`), end, ''].join(
    '\n',
  );
}
