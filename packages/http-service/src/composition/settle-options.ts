import { similarity } from '@headwater/core/values';
import type { Logger } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { z } from 'zod';
import { FEATURES } from '../rows/common.ts';
import type { HeadwaterOptions, LimitOptions, SettledOptions } from '../headwater-options.ts';

/**
 * Object type with a schema for each option of `T`. If the schema of an option is missing, the compiler reports an
 * error.
 */
type Shape<T> = Readonly<Record<keyof T, z.ZodType>>;

/** Schema of an object with these optional members and no others. */
const group = <T>(shape: Shape<T>) => z.strictObject(shape).partial();

/** Schema of an object with these functions, which the embedder passes. */
const part = (...functions: readonly string[]): z.ZodType =>
  z.unknown().superRefine((value, context) => {
    const isPart = (typeof value === 'object' && value !== null) || typeof value === 'function';
    const missing = functions.filter((name) => !isPart || typeof Reflect.get(value, name) !== 'function');
    if (!isPart) context.addIssue({ code: 'custom', message: 'is not an object' });
    else if (missing.length > 0) context.addIssue({ code: 'custom', message: `lacks ${missing.join(', ')}` });
  });

const storeNames: Readonly<Record<keyof Stores, 'part' | 'function'>> = {
  eoAccounts: 'part',
  eoExports: 'part',
  sceneUses: 'part',
  places: 'part',
  lookups: 'part',
  runs: 'part',
  jobs: 'part',
  catalog: 'part',
  search: 'part',
  data: 'part',
  operatorLists: 'part',
  installation: 'part',
  changes: 'part',
  ping: 'function',
  close: 'function',
  users: 'part',
  people: 'part',
  teams: 'part',
  refreshTokens: 'part',
  pageSessions: 'part',
  throttle: 'part',
  apiKeys: 'part',
  directory: 'part',
  audit: 'part',
  moves: 'part',
};
const stores = part().superRefine((value, context) => {
  if (typeof value !== 'object' || value === null) return;
  const missing = Object.entries(storeNames).flatMap(([name, kind]) => {
    const given: unknown = Reflect.get(value, name);
    return given !== null && typeof given === (kind === 'part' ? 'object' : kind) ? [] : [name];
  });
  if (missing.length === 0) return;
  const message = `lacks ${missing.join(', ')}; give { ...createMemoryStores(), ...yours } with createMemoryStores of @headwater/identity/memory`;
  context.addIssue({ code: 'custom', message });
});

const isFunction = (value: unknown): boolean => typeof value === 'function';
const callable = z.custom(isFunction, 'is not a function');
const text = z.string();
const flag = z.boolean();
const count = z.int().min(1);
const duration = z.number().nonnegative();
/**
 * Normal form of an origin, as browsers send it; undefined for other texts. Origins of apps, such as
 * `capacitor://localhost`, stay unchanged.
 */
const originForm = (value: string): string | undefined => {
  if (!/^[a-z][\w+.-]*:\/\/[^\s/?#]+$/i.test(value) || !URL.canParse(value)) return undefined;
  const known = new URL(value).origin;
  return known === 'null' ? value : known;
};
const origin = z.string().superRefine((value, context) => {
  const form = originForm(value);
  if (form === value) return;
  const remedy = `write ${form ?? 'for example https://app.example.org'}`;
  context.addIssue({ code: 'custom', message: `${JSON.stringify(value)} is not an origin; ${remedy}` });
});

const baseUrl = z.string().refine(
  (value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    return url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  },
  { error: ({ input }) => `${JSON.stringify(input)} is not an address; give one such as http://localhost:8000` },
);
// Browsers read // and /\ as the start of an address of another site.
const signInPath = text.regex(/^\/(?![/\\])/, 'is not a path of this origin; begin it with one /, such as /sign-in');

const MIN_TOKEN = 16;
const MIN_SECRET = 32;
const secret = z
  .union([z.string(), z.instanceof(Uint8Array)], {
    error: ({ input }) =>
      input === undefined
        ? `is missing; give at least ${MIN_SECRET} random bytes, the same ones at each start`
        : 'is neither a text nor a Uint8Array',
  })
  .superRefine((value, context) => {
    const { length } = typeof value === 'string' ? new TextEncoder().encode(value) : value;
    if (length >= MIN_SECRET) return;
    context.addIssue({ code: 'custom', message: `has ${length} bytes; give at least ${MIN_SECRET} random bytes` });
  });

const identity = group<NonNullable<HeadwaterOptions['identity']>>({
  authenticate: callable,
  signIn: signInPath,
  registration: z.enum(['off', 'open']),
  activation: z.enum(['superuser', 'anybody']),
  mail: part('send'),
  tokens: group<NonNullable<NonNullable<HeadwaterOptions['identity']>['tokens']>>({
    issuer: text,
    audience: text,
    accessTtlSeconds: count,
    refreshTtlSeconds: count,
    sessionTtlSeconds: count,
  }),
  hasher: part('hash', 'verify'),
});

const compute = group<NonNullable<HeadwaterOptions['compute']>>({
  earthObservation: part('search'),
  pixels: part('close'),
  assets: part(),
  elevation: part(),
  sceneEngines: part('open', 'problemOf'),
  backend: callable,
  leaseMs: duration,
  worker: z.union([
    z.literal(false),
    group<Exclude<NonNullable<NonNullable<HeadwaterOptions['compute']>['worker']>, false>>({
      workerId: text,
      queue: text,
      concurrency: count,
      leaseMs: duration,
      idleMs: duration,
      progressMs: duration,
      maxAttempts: count,
      mostUnowned: count,
      retryMs: duration,
      keepReplacedMs: duration,
      keepEventsMs: duration,
      keepRunsMs: duration,
      keepRegionsMs: duration,
    }),
  ]),
});

const wholeCompute = compute.superRefine((value, context) => {
  const given = PORTS.filter((name) => value[name] !== undefined);
  const computes = given.length === PORTS.length;
  const unused = [
    ...(value.elevation === undefined || computes ? [] : ['elevation']),
    ...(value.sceneEngines === undefined || computes ? [] : ['sceneEngines']),
    ...(typeof value.worker === 'object' && !computes ? ['worker'] : []),
  ];
  for (const name of unused) {
    const message = 'has no effect without earthObservation, pixels and assets; give these three, or leave it out';
    context.addIssue({ code: 'custom', path: [name], message });
  }
  if (given.length === PORTS.length || given.length === 0 || (given.length === 1 && given[0] === 'assets')) return;
  const missing = PORTS.filter((name) => !given.includes(name));
  context.addIssue({
    code: 'custom',
    message: `has ${given.join(' and ')} without ${missing.join(' and ')}; a process that computes needs all three`,
  });
});

const PORTS = ['earthObservation', 'pixels', 'assets'] as const;

/** Schema of the work service's options. Most ranges are checked later, by the code that uses the numbers. */
const workService = group<NonNullable<HeadwaterOptions['workService']>>({
  secret: text,
  addresses: z.array(text),
  atOnce: z.number(),
  waiting: z.number(),
  perAddress: z.number(),
  maxKm2: z.number(),
  publicMaxKm2: z.number(),
  jobs: part('trigger', 'ended'),
  jobsPerAddress: z.number(),
  workflowRuns: z.number(),
  confMembers: z.array(text),
  lookMs: z.number(),
  keepRegionsMs: duration,
  workflowAccess: z.enum(['private', 'public', 'bearer', 'session']),
});

const limits = group<LimitOptions>({
  openRuns: count,
  eventStreams: count,
  bodyLimit: z.int().nonnegative(),
  apiKeyRequestsPerMinute: count,
  apiKeyRequestsPerDay: count,
  login: z.strictObject({ windowMs: duration, perNameAtAddress: count, perName: count, perAddress: count }),
  freeDisk: group<NonNullable<LimitOptions['freeDisk']>>({ warnBytes: duration, failBytes: duration }),
  warnings: group<NonNullable<LimitOptions['warnings']>>({ queueMs: duration, backupMs: duration }),
});

const optionShape: Shape<HeadwaterOptions> = {
  baseUrl,
  secret,
  stores,
  imports: z.strictObject({ importers: callable, scratchDir: text, maxBytes: count.optional() }),
  mount: z.array(z.enum(FEATURES)).min(1),
  identity,
  compute: wholeCompute,
  workService,
  limits,
  publication: group<NonNullable<HeadwaterOptions['publication']>>({
    title: text,
    license: text,
    licenseUrl: text,
    providers: z.union([z.literal('service'), z.array(z.looseObject({ name: text }))]),
    attribution: text,
  }),
  pipelines: z.array(part('execute', 'resolve')),
  operations: z.array(part('handler')),
  tags: z.record(text, text),
  mapServerUrl: text,
  mapServer: callable,
  featured: z.strictObject({ state: text, district: text, tehsil: text }),
  remedies: group<NonNullable<HeadwaterOptions['remedies']>>({
    placeData: text,
    scenes: text,
    elevation: text,
    orchestrator: text,
    callers: text,
    sceneEngines: text,
  }),
  apiViewer: part('script', 'style'),
  mapViewer: part('files'),
  guide: part('open'),
  mapBackgrounds: z.array(part()),
  version: text,
  pages: z.union([z.enum(['own', 'off']), z.strictObject({ userOf: callable, signIn: signInPath })]),
  auditDays: duration,
  adminResources: callable,
  eoCredentials: part('email', 'test'),
  eoExporter: callable,
  exportFolder: part('has', 'read', 'write'),
  clock: part('now'),
  logger: part('debug', 'info', 'error'),
  telemetry: group<NonNullable<HeadwaterOptions['telemetry']>>({ api: part(), onMetric: callable }),
  metrics: group<NonNullable<HeadwaterOptions['metrics']>>({
    token: text.min(MIN_TOKEN, `has fewer than ${MIN_TOKEN} characters; give a random text`),
    pools: callable,
    sceneCache: callable,
  }),
  logRequests: flag,
  corsOrigins: z.array(origin),
  validateResponses: flag,
  pixelsHealth: callable,
  scenesHealth: callable,
  filesHealth: callable,
  boundariesHealth: callable,
  bucketHealth: callable,
  fault: callable,
  freeBytes: callable,
  systemFacts: callable,
};

const { baseUrl: _baseUrl, secret: _secret, ...optional } = optionShape;
const schema = z
  .strictObject({ ...z.strictObject(optional).partial().shape, baseUrl, secret })
  .superRefine((options: object, context) => {
    for (const { path, message } of contradictions(options)) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
  });

type Contradiction = { readonly path: readonly string[]; readonly message: string };

function contradictions({ identity: accounts = {}, limits: most, pages, mount }: Checked): readonly Contradiction[] {
  const { authenticate, signIn } = accounts;
  const isOfHost = authenticate !== undefined;
  const isUnused = (name: string) => ({
    path: name.split('.'),
    message: 'has no effect with identity.authenticate, because the host signs users in; leave it out',
  });
  const ofPasswords = {
    'identity.mail': accounts.mail,
    'identity.tokens': accounts.tokens,
    'identity.hasher': accounts.hasher,
    'identity.registration': accounts.registration === 'open' ? 'open' : undefined,
    'limits.login': most?.login,
  };
  const found: Contradiction[] = Object.entries(ofPasswords).flatMap(([name, value]) =>
    isOfHost && value !== undefined ? [isUnused(name)] : [],
  );
  if (isOfHost && typeof pages === 'object') {
    const message = 'has no effect with identity.authenticate; give the address of the sign-in page as identity.signIn';
    found.push({ path: ['pages'], message });
  }
  if (!isOfHost && signIn !== undefined) {
    const message = 'has no effect without identity.authenticate; give both, or pages: { userOf, signIn }';
    found.push({ path: ['identity', 'signIn'], message });
  }
  const [ofUsers] = (mount ?? []).filter((name) => name === 'dashboard' || name === 'admin');
  if (ofUsers === undefined || mount === undefined) return found;
  const isOff = pages === 'off' || (isOfHost && signIn === undefined);
  const off = isOfHost && pages !== 'off' ? 'identity.signIn is missing; give it' : "pages is 'off'; leave pages out";
  if (isOff) found.push({ path: ['mount'], message: `names ${ofUsers}, but ${off}, or remove ${ofUsers}` });
  else if (!isOfHost && typeof pages !== 'object' && !mount.includes('sign-in')) {
    const remedy = 'add sign-in, or give identity.authenticate with identity.signIn, or pages: { userOf, signIn }';
    found.push({
      path: ['mount'],
      message: `names ${ofUsers} without sign-in, but visitors of ${ofUsers} need the sign-in page; ${remedy}`,
    });
  }
  return found;
}

type Checked = Pick<HeadwaterOptions, 'identity' | 'limits' | 'pages' | 'mount'>;

const GROUPS = { identity, compute, workService, limits } as const;

/** Names of the options by the path of their group. Options outside of groups have an empty path. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['', Object.keys(optionShape)],
  ...Object.entries(GROUPS).map(([name, { shape }]) => [name, Object.keys(shape)] as const),
]);

const CONSOLE: Logger = {
  debug: () => {},
  info: () => {},
  error: (fields, message) => console.error(`headwater: ${message}`, fields),
};

/**
 * Checks the options, and returns them without their groups. Throws one error with all problems, also for unknown
 * names.
 */
export function settleOptions(options: HeadwaterOptions): SettledOptions {
  const { success, error } = schema.safeParse(options);
  if (!success)
    throw new TypeError(['createHeadwater: invalid options', ...error.issues.flatMap(problems)].join('\n- '));
  const { identity: accounts = {}, compute: parts = {}, workService: work, limits: most = {}, ...others } = options;
  const { earthObservation, pixels, assets, elevation, sceneEngines, ...processes } = parts;
  const isComplete = earthObservation !== undefined && pixels !== undefined && assets !== undefined;
  return {
    ...others,
    ...accounts,
    ...processes,
    ...most,
    compute: isComplete
      ? {
          earthObservation,
          pixels,
          assets,
          ...(elevation === undefined ? {} : { elevation }),
          ...(sceneEngines === undefined ? {} : { sceneEngines }),
        }
      : undefined,
    files: assets,
    workService: work,
    logger: others.logger ?? CONSOLE,
  };
}

type Issue = z.core.$ZodIssue;

/** A sentence for each problem, with the name of the option. */
function problems(issue: Issue): readonly string[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'invalid_union') return fittingBranch(issue)?.flatMap(problems) ?? [`${path}: ${issue.message}`];
  if (issue.code !== 'unrecognized_keys') return [`${path === '' ? 'options' : path}: ${issue.message}`];
  return issue.keys.map((key) => {
    const meant = meantBy(key, path);
    const suggestion = meant === undefined ? '' : `; did you mean ${meant}?`;
    return `${path === '' ? key : `${path}.${key}`}: is not an option${suggestion}`;
  });
}

/** Issues of the variant of a union that fits the value best. */
function fittingBranch({ path, errors }: Extract<Issue, { code: 'invalid_union' }>): readonly Issue[] | undefined {
  const isOfMember = ([first]: readonly Issue[]): boolean =>
    first !== undefined && (first.path.length > 0 || first.code === 'unrecognized_keys');
  return errors.find(isOfMember)?.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
}

function meantBy(key: string, path: string): string | undefined {
  const moved = [...NAMES].find(([name, keys]) => name !== path && keys.includes(key));
  if (moved !== undefined) return moved[0] === '' ? key : `${moved[0]}.${key}`;
  const [best] = (NAMES.get(path) ?? [])
    .map((name) => ({ name, score: similarity(key.toLowerCase(), name.toLowerCase()) }))
    .toSorted((a, b) => b.score - a.score);
  return best === undefined || best.score < 0.5 ? undefined : [...(path === '' ? [] : [path]), best.name].join('.');
}
