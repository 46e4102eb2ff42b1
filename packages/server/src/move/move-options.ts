import { type CommandSyntax, usageOf } from '../command.ts';
import { ConfigError } from '../config/read-config.ts';
import { callerPath, readArguments } from '../read-arguments.ts';

/** Options of `headwater import live-system`. */
export interface MoveOptions {
  /** Absolute path of a dump; or a live system, read through its REST API. */
  readonly from: { readonly dump: string } | LiveOptions;
  /** True: checks every record and stores nothing. */
  readonly isTrial: boolean;
  readonly withSuperusers: boolean;
  readonly mayCompute: boolean;
  /** True: replaces layers that this service computed or imported. */
  readonly replaceLayers: boolean;
  /** Absolute path of the report: `.json` or `.txt`. */
  readonly report: string | undefined;
}

/** A live system and the files with its credentials. */
export interface LiveOptions {
  readonly url: string;
  /** Absolute path of the file with an administrator's access token. */
  readonly tokenFile: string | undefined;
  /** Absolute path of the file with an API key. */
  readonly apiKeyFile: string | undefined;
  /** SPDX identifier. The REST API returns no licenses. */
  readonly license: string | undefined;
  /** Names of the makers of the layers. */
  readonly providers: readonly string[];
}

const FLAGS = '[--dry-run] [--with-superusers] [--may-compute] [--replace-layers] [--report FILE]';
const MOVE: CommandSyntax = {
  name: 'import live-system',
  options: [
    `DUMP ${FLAGS}`,
    `--url URL [--token-file FILE] [--api-key-file FILE] [--license SPDX] [--provider NAME] ${FLAGS}`,
  ],
};

/** Arguments of `headwater import` that move a live system. */
export const LIVE_FORMS: readonly string[] = MOVE.options.map((each) => `live-system ${each}`);

/** Lines about the live system in `headwater import --help`. */
export const LIVE_DETAILS: readonly string[] = [
  'live-system moves accounts, places and layers of a CoRE Stack backend, from a dump or from its REST answers (docs/move-over.md):',
  '--url URL --token-file FILE        reads users, organizations and projects with the access token of an administrator in FILE',
  '--url URL --api-key-file FILE      reads places and layers with the API key in FILE; --license and --provider describe the layers',
  '--with-superusers                  superusers of the live system become superusers of this service',
  '--may-compute                      all moved users may start computations',
  '--replace-layers                   layers of the dump replace layers that this service computed or imported',
];

const OPTIONS = {
  'dry-run': { type: 'boolean' },
  'with-superusers': { type: 'boolean' },
  'may-compute': { type: 'boolean' },
  'replace-layers': { type: 'boolean' },
  report: { type: 'string' },
  url: { type: 'string' },
  'token-file': { type: 'string' },
  'api-key-file': { type: 'string' },
  license: { type: 'string' },
  provider: { type: 'string', multiple: true },
} as const;

/** Parses the arguments after `live-system`. Throws `ConfigError`. */
export function readMoveOptions(args: readonly string[]): MoveOptions {
  const usage = usageOf(MOVE);
  const { values, positionals } = readArguments({ args: [...args], options: OPTIONS, allowPositionals: true }, usage);
  const { report } = values;
  if (report !== undefined && !/\.(json|txt)$/.test(report))
    throw new ConfigError(`--report: must be the name of a .json or .txt file, not ${JSON.stringify(report)}.`);
  return {
    from: sourceOf(values, positionals, usage),
    isTrial: values['dry-run'] ?? false,
    withSuperusers: values['with-superusers'] ?? false,
    mayCompute: values['may-compute'] ?? false,
    replaceLayers: values['replace-layers'] ?? false,
    report: pathOf(report),
  };
}

const pathOf = (path: string | undefined): string | undefined => (path === undefined ? undefined : callerPath(path));

type Values = Partial<Record<'url' | 'token-file' | 'api-key-file' | 'license', string>> & {
  readonly provider?: readonly string[] | undefined;
};

function sourceOf(values: Values, positionals: readonly string[], usage: string): MoveOptions['from'] {
  const [dump, ...others] = positionals;
  const { url, license, provider = [] } = values;
  const tokenFile = pathOf(values['token-file']);
  const apiKeyFile = pathOf(values['api-key-file']);
  if (others.length > 0 || (dump === undefined) === (url === undefined))
    throw new ConfigError(`one DUMP or --url is needed.\n${usage}`);
  if (dump !== undefined) {
    const unused = (['token-file', 'api-key-file', 'license', 'provider'] as const).filter(
      (name) => values[name] !== undefined,
    );
    if (unused.length > 0)
      throw new ConfigError(`--${unused.join(', --')}: needs --url; leave it out for a DUMP.\n${usage}`);
    return { dump: callerPath(dump) };
  }
  if (url === undefined || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new ConfigError('--url: must be an address such as https://live.example.org.');
  if (new URL(url).username !== '' || new URL(url).password !== '')
    throw new ConfigError('--url: must have no user name and password; use --token-file.');
  if (tokenFile === undefined && apiKeyFile === undefined)
    throw new ConfigError(
      '--token-file or --api-key-file is needed: accounts are read with the token, places and layers with the key.',
    );
  return { url, tokenFile, apiKeyFile, license, providers: provider };
}
