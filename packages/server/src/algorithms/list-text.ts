import type { AnyPipeline } from '@headwater/core';
import { wireParameters } from '@headwater/http-service';
import { declaredParameters } from './declared-parameters.ts';
import { AS_SUPERUSER } from './run-options.ts';

/** Widths in characters: for a terminal of unknown width, and the minimum. */
const [USUAL_WIDTH, LEAST_WIDTH] = [100, 40];
const INDENT = '    ';

const NOTES = `eo_account_id is the Earth-observation account of the computation. A fresh installation has the account 1. GET /api/v1/eoaccounts/ lists the
accounts. Parameters in brackets are optional. region is [west, south, east, north] in degrees; send it with year in place of the names of
a tehsil. For a run of a service, send the --job_id and --run_token of that run. To run an algorithm by hand for a tehsil, add
${AS_SUPERUSER}; without this option the run is refused, unless its result is posted (--post). With the option, an error about the account
also lists the accounts. For programs: --list --json prints the same list as JSON, which is also the default if stdout is not a terminal.
`;

/** Lists every algorithm with its parameters as text. `columns`: width of the terminal, 0 if unknown. */
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

function parametersOf(pipeline: AnyPipeline): readonly string[] {
  const required = new Set(
    wireParameters(pipeline.request).flatMap(({ name, isRequired }) => (isRequired ? name : [])),
  );
  return declaredParameters(pipeline).map(({ name, type, default: defaultValue }) => {
    const option = `--${name} ${type.toUpperCase()}${defaultValue === undefined ? '' : `=${defaultValue}`}`;
    return required.has(name) ? option : `[${option}]`;
  });
}

function wrapped(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
