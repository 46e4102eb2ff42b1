import { expect, it } from 'vitest';
import { misspeltVariables } from './misspelt-variables.ts';
import { VARIABLES } from './read-config.ts';

const warningsFor = (env: Readonly<Record<string, string>>): string => misspeltVariables(env).join('\n');

it.each([
  ['EO_STAC_URL', 'EO_STAC_API_URL'],
  ['EO_STAC_COLLECTIONS', 'EO_STAC_COLLECTION'],
  ['SUPERUSER_PASSWD', 'SUPERUSER_PASSWORD'],
  ['SUPER_USER_PASSWORD', 'SUPERUSER_PASSWORD'],
  ['HEADWATER_SUPERUSER_PASSWORD', 'SUPERUSER_PASSWORD'],
  ['HEADWATER_DB_HOST', 'DB_HOST'],
  ['HEADWATER_LICENCE', 'HEADWATER_LICENSE'],
  ['PUBLIC_BASEURL', 'PUBLIC_BASE_URL'],
  ['BACKEND_PROT', 'BACKEND_PORT'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ['public_base_url', 'PUBLIC_BASE_URL'],
])('%s: suggests %s in one line', (name, meant) => {
  expect(misspeltVariables({ [name]: 'x-secret-x' })).toEqual([
    `${name} is set, but unknown to Headwater. Did you mean ${meant}? .env.example lists every variable.`,
  ]);
});

it('reports a variable with our prefix that resembles no known variable', () => {
  expect(warningsFor({ HEADWATER_FROBNICATE_ALL_THE_THINGS: '1' })).toMatch(
    /^HEADWATER_FROBNICATE\S+ is set, .*unknown to Headwater\. \.env/,
  );
});

it('counts DB_ variables as ours if there is a database', () => {
  expect(warningsFor({ DB_USERNAME: 'x' })).toBe('');
  expect(warningsFor({ DB_HOST: 'db', DB_USERNAME: 'x' })).toContain('Did you mean DB_USER?');
});

it('ignores variables of other programs, known variables and empty variables', () => {
  const others =
    'PATH HOME LANG TERM PWD SHLVL USER LOGNAME HOSTNAME EDITOR TZ PORT HOST NODE_ENV NODE_OPTIONS npm_config_cache npm_package_json ' +
    'PUBLIC_URL DATABASE_URL PGHOST DB_PASS DB_URL LOG_DIR MAX_WORKERS HTTP_PROXY SSH_AUTH_SOCK XDG_DATA_DIRS GDAL_DATA ' +
    'POSTGRES_PASSWORD JWT_KEY GOOGLE_APPLICATION_CREDENTIALS AIRFLOW_HOME EDITION HEADWATER_TEST_PG HEADWATER_COMMAND HEADWATER_PARAMETERS HEADWATER_WORKFLOWS';
  expect(warningsFor(Object.fromEntries(others.split(' ').map((name) => [name, 'x'])))).toBe('');
  expect(warningsFor(Object.fromEntries(VARIABLES.map((name) => [name, 'x'])))).toBe('');
  expect(warningsFor({ EO_STAC_URL: '' })).toBe('');
});
