import { type CommandSyntax, usageOf } from '../command.ts';
import { ConfigError } from '../config/config-error.ts';
import { callerPath, readArguments } from '../read-arguments.ts';

/** Folder that a container mounts. */
export interface Volume {
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

/** Options for writing workflow files. */
export interface WorkflowWriting {
  /** Absolute path of the folder to write. Each pipeline gets a folder in it. */
  readonly out: string;
  /** Names of pipelines; empty = all. */
  readonly pipelines: readonly string[];
  readonly mode: 'api' | 'container';
  readonly image: string | undefined;
  readonly volumes: readonly Volume[];
  readonly group: string;
  /** Address at which the orchestrator reaches the service, if it is on the command line. */
  readonly service: string | undefined;
  readonly code: string | undefined;
  readonly date: string | undefined;
}

/** Options of `headwater workflow-files`: write files, or check the files of a folder. */
export type WorkflowOptions =
  | { readonly kind: 'write'; readonly writing: WorkflowWriting }
  | { readonly kind: 'check'; readonly folder: string };

/** Syntax of `headwater workflow-files`. */
export const WORKFLOW_FILES_SYNTAX: CommandSyntax = {
  name: 'workflow-files',
  options: [
    `--out DIR [--pipeline NAME]... [--mode api|container] [--image REF] [--volume SOURCE:TARGET[:ro]]...
                               [--service URL] [--group GROUP] [--code URL] [--date YYYY-MM-DD]`,
    '--check DIR',
  ],
};
const USAGE = usageOf(WORKFLOW_FILES_SYNTAX);

const OPTIONS = {
  out: { type: 'string' },
  check: { type: 'string' },
  pipeline: { type: 'string', multiple: true },
  mode: { type: 'string' },
  image: { type: 'string' },
  volume: { type: 'string', multiple: true },
  service: { type: 'string' },
  group: { type: 'string' },
  code: { type: 'string' },
  date: { type: 'string' },
} as const;

/** Parses the arguments. Throws `ConfigError` with the wrong argument. */
export function readWorkflowOptions(args: readonly string[]): WorkflowOptions {
  const values = readArguments({ args, options: OPTIONS }, USAGE).values;
  if (values.check !== undefined) {
    const [other] = Object.keys(values).filter((name) => name !== 'check');
    if (other !== undefined)
      throw new ConfigError(`--${other}: --check reads a folder and takes no other option.\n${USAGE}`);
    return { kind: 'check', folder: callerPath(values.check) };
  }
  if (values.out === undefined)
    throw new ConfigError(`--out: missing; name the folder for the files, or a folder to --check.\n${USAGE}`);
  const { mode = 'api', image, pipeline: pipelines = [], volume = [], service, code, date } = values;
  if (mode !== 'api' && mode !== 'container')
    throw new ConfigError(`--mode: expected api or container, not ${JSON.stringify(mode)}.`);
  if (mode === 'container' && image === undefined)
    throw new ConfigError(
      '--image: missing; with --mode container the workflow starts an image. Add the reference of the image, with a tag or digest.',
    );
  if (image === undefined && volume.length > 0)
    throw new ConfigError('--volume: is only for a container; add --image, or leave --volume out.');
  const volumes = volume.map(volumeOf);
  const { group = 'corestack' } = values;
  const writing = { out: callerPath(values.out), pipelines, mode, image, volumes, group, service, code, date } as const;
  return { kind: 'write', writing };
}

function volumeOf(text: string): Volume {
  const [source = '', target = '', access, ...rest] = text.split(':');
  const isGood = source !== '' && target !== '' && rest.length === 0 && (access === undefined || access === 'ro');
  if (!isGood)
    throw new ConfigError(
      `--volume: ${JSON.stringify(text)} is not SOURCE:TARGET or SOURCE:TARGET:ro; write it as /srv/data:/data.`,
    );
  return { source, target, readOnly: access === 'ro' };
}
