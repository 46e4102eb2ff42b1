import { editDistance, similarity } from '@headwater/core/values';
import { VARIABLES } from './read-config.ts';

/** Names that nobody else uses: what begins so was meant for this program. */
const OWN_PREFIXES = ['HEADWATER_', 'EO_', 'DEM_', 'SUPERUSER_'];
/** Read by the suites and the bench of the checkout, not by the service. */
const OF_SCRIPTS: ReadonlySet<string> = new Set(
  ['CHROMIUM', 'GDAL_PYTHON', 'KILL_SEED', 'PEERS_PYTHON', 'SLOW_SUITES', 'TEST_PG'].map((name) => `HEADWATER_${name}`),
);
/** Of deploy/airflow, whose shim starts `headwater run-algorithm` with all that is set where it runs. */
const OF_AIRFLOW: ReadonlySet<string> = new Set(
  'WORKFLOWS DAG_ID ALGORITHMS PATIENCE_SECONDS CALL_SECONDS COMMAND ALGORITHM PARAMETERS CLI IMAGE VOLUMES'
    .split(' ')
    .map((name) => `HEADWATER_${name}`),
);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A line for each variable that looks like one of ours and is none, with the name that was meant: it would be ignored in silence. The
 * environment holds the variables of other programs too, so a name counts as ours by its prefix or by a letter or two. Values are not told.
 */
export function misspeltVariables(env: Environment): readonly string[] {
  // With a host for the database, whatever else is said of it was meant for us.
  const prefixes = env['DB_HOST'] ? [...OWN_PREFIXES, 'DB_'] : OWN_PREFIXES;
  return Object.keys(env)
    .filter((name) => env[name] !== '' && !VARIABLES.includes(name) && !OF_SCRIPTS.has(name) && !OF_AIRFLOW.has(name))
    .toSorted()
    .flatMap((name) => {
      const meant = meantBy(name);
      if (meant === undefined && !prefixes.some((prefix) => name.startsWith(prefix))) return [];
      const nearest = meant ?? nearestTo(name);
      const suggestion = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
      return [`${name} is set, and nothing here reads it.${suggestion} .env.example lists every variable.`];
    });
}

/** The variable that is written almost so: other capitals, a letter or two, or our name in front of it. */
function meantBy(name: string): string | undefined {
  const own = VARIABLES.find((known) => known === name.toUpperCase() || name === `HEADWATER_${known}`);
  if (own !== undefined || name.length < 7) return own;
  return VARIABLES.find((known) => editDistance(name, known) <= (name.length < 10 ? 1 : 2));
}

/** The most alike of all, where it is alike at all; one that it begins with comes first. */
function nearestTo(name: string): string | undefined {
  const scored = VARIABLES.map((known) => ({ known, score: name.startsWith(known) ? 1 : similarity(name, known) }));
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  return best === undefined || best.score < 0.5 ? undefined : best.known;
}
