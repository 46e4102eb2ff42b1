import { editDistance, similarity } from '@headwater/core/values';
import { VARIABLES } from './read-config.ts';

/** Prefixes that only variables of this program have. */
const OWN_PREFIXES = ['HEADWATER_', 'EO_', 'DEM_', 'SUPERUSER_'];
const OF_SCRIPTS: ReadonlySet<string> = new Set(
  ['CHROMIUM', 'GDAL_PYTHON', 'KILL_SEED', 'PEERS_PYTHON', 'SCREENSHOTS', 'SLOW_SUITES', 'TEST_PG'].map(
    (name) => `HEADWATER_${name}`,
  ),
);
/** Variables of the Python shim in deploy/airflow, which passes its whole environment to `headwater run-algorithm`. */
const OF_AIRFLOW: ReadonlySet<string> = new Set(
  'WORKFLOWS DAG_ID ALGORITHMS PATIENCE_SECONDS CALL_SECONDS COMMAND ALGORITHM PARAMETERS CLI IMAGE VOLUMES'
    .split(' ')
    .map((name) => `HEADWATER_${name}`),
);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns a warning for each unknown variable with one of our prefixes, or with a name that resembles one of ours.
 * Values are not shown.
 */
export function misspeltVariables(env: Environment): readonly string[] {
  // If DB_HOST is set, the prefix DB_ is also ours.
  const prefixes = env['DB_HOST'] ? [...OWN_PREFIXES, 'DB_'] : OWN_PREFIXES;
  return Object.keys(env)
    .filter((name) => env[name] !== '' && !VARIABLES.includes(name) && !OF_SCRIPTS.has(name) && !OF_AIRFLOW.has(name))
    .toSorted()
    .flatMap((name) => {
      const meant = meantBy(name);
      if (meant === undefined && !prefixes.some((prefix) => name.startsWith(prefix))) return [];
      const nearest = meant ?? nearestTo(name);
      const suggestion = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
      return [`${name} is set, but unknown to Headwater.${suggestion} .env.example lists every variable.`];
    });
}

/** Our name that is probably meant. The names may differ in capitals, one or two letters, or the prefix HEADWATER_. */
function meantBy(name: string): string | undefined {
  const own = VARIABLES.find((known) => known === name.toUpperCase() || name === `HEADWATER_${known}`);
  if (own !== undefined || name.length < 7) return own;
  return VARIABLES.find((known) => editDistance(name, known) <= (name.length < 10 ? 1 : 2));
}

/** Returns the most similar of our names, or our name with which the variable begins. */
function nearestTo(name: string): string | undefined {
  const scored = VARIABLES.map((known) => ({ known, score: name.startsWith(known) ? 1 : similarity(name, known) }));
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  return best === undefined || best.score < 0.5 ? undefined : best.known;
}
