import type { AnyPipeline } from '@headwater/core';
import { wireParameters } from '@headwater/http-service';
import { declaredParameters } from './declared-parameters.ts';
import { AS_SUPERUSER } from './run-options.ts';

/** Columns of a terminal that tells none, or 0; the least that is taken from one that does. */
const [USUAL_WIDTH, LEAST_WIDTH] = [100, 40];
const INDENT = '    ';

/** What is to be known about the parameters, which the names do not tell. */
const NOTES = `eo_account_id is the Earth-observation account on whose behalf is computed: 1 on a fresh installation; GET /api/v1/eoaccounts/ lists all,
and a wrong one is answered with those that there are. Parameters in brackets may be left out; region is [west, south, east, north] in
degrees, and stands with year in place of the names of a tehsil. For a run of a service: --job_id and --run_token of that run. By hand, of a
tehsil: ${AS_SUPERUSER}. The same list for programs: --list --json, or where stdout is no terminal.
`;

/** Every algorithm with its parameters, for people. `columns`: of the terminal. */
export function listText(pipelines: readonly AnyPipeline[], columns = 0): string {
  const room = columns === 0 ? USUAL_WIDTH : Math.max(columns, LEAST_WIDTH);
  const width = Math.max(...pipelines.map(({ name }) => name.length));
  const rows = pipelines.map((pipeline) => {
    const parameters = wrapped(parametersOf(pipeline), room - INDENT.length);
    return [`${pipeline.name.padEnd(width)}  ${pipeline.summary}`, ...parameters.map((line) => INDENT + line)].join(
      '\n',
    );
  });
  return `${rows.join('\n')}\n\n${NOTES}`;
}

/** `--name TYPE`, in brackets what may be left out. */
function parametersOf(pipeline: AnyPipeline): readonly string[] {
  const required = new Set(
    wireParameters(pipeline.request).flatMap(({ name, isRequired }) => (isRequired ? name : [])),
  );
  return declaredParameters(pipeline).map(({ name, type, default: usual }) => {
    const said = `--${name} ${type.toUpperCase()}${usual === undefined ? '' : `=${usual}`}`;
    return required.has(name) ? said : `[${said}]`;
  });
}

/** Words in lines of no more than so many characters; none is cut. */
function wrapped(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
