import { type CommandSyntax, usageOf } from '../command.ts';
import { ConfigError } from '../config/read-config.ts';
import { callerPath, readArguments } from '../read-arguments.ts';

/** Options of `headwater import live-system`. */
export interface MoveOptions {
  /** Absolute path of the dump. */
  readonly dump: string;
  /** True: everything is checked, nothing is stored. */
  readonly isTrial: boolean;
  readonly withSuperusers: boolean;
  readonly mayCompute: boolean;
  /** Absolute path of the file with the whole report: `.json` or `.txt`. */
  readonly report: string | undefined;
}

const MOVE: CommandSyntax = {
  name: 'import live-system',
  options: ['DUMP [--dry-run] [--with-superusers] [--may-compute] [--report FILE]'],
};

/** Form of `headwater import` that moves a live system. */
export const MOVE_FORM = `live-system ${MOVE.options.join(' ')}`;

/** Lines of `headwater import --help` about the live system. */
export const MOVE_DETAILS: readonly string[] = [
  'live-system moves users, organizations, projects and API keys of a CoRE Stack backend from a dump (docs/move-over.md):',
  '--with-superusers                  superusers of the live system become superusers here',
  '--may-compute                      all moved users may start computations',
];

const OPTIONS = {
  'dry-run': { type: 'boolean' },
  'with-superusers': { type: 'boolean' },
  'may-compute': { type: 'boolean' },
  report: { type: 'string' },
} as const;

/** Parses the arguments after `live-system`. Throws `ConfigError` with the wrong argument. */
export function readMoveOptions(args: readonly string[]): MoveOptions {
  const usage = usageOf(MOVE);
  const { values, positionals } = readArguments({ args: [...args], options: OPTIONS, allowPositionals: true }, usage);
  const [dump, ...others] = positionals;
  if (dump === undefined || others.length > 0) throw new ConfigError(`one DUMP is needed.\n${usage}`);
  const { report } = values;
  if (report !== undefined && !/\.(json|txt)$/.test(report))
    throw new ConfigError(`--report: must be the name of a .json or .txt file, not ${JSON.stringify(report)}.`);
  return {
    dump: callerPath(dump),
    isTrial: values['dry-run'] ?? false,
    withSuperusers: values['with-superusers'] ?? false,
    mayCompute: values['may-compute'] ?? false,
    report: report === undefined ? undefined : callerPath(report),
  };
}
