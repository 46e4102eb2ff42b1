import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, VARIABLES } from './read-config.ts';

const ODD = [
  '*',
  'maps.example.org',
  '://',
  'http://',
  'https://[',
  ',',
  ' ',
  '%',
  '-1',
  '1e9',
  'null',
  '\n',
  'é'.repeat(500),
];

describe('readConfig', () => {
  it.each(VARIABLES)('accepts %s or reports the problem, for any value', (name) => {
    for (const value of ODD) {
      try {
        readConfig({ [name]: value });
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
        expect(String(error)).toContain(name);
      }
    }
  });

  it('returns the defaults for an empty environment', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      host: '0.0.0.0',
      port: 8000,
      baseUrl: 'http://localhost:8000',
      sample: true,
      logLevel: 'info',
      replacedFilesHours: 24,
    });
    expect(config.database).toBeUndefined();
  });

  it('has a cache of scenes of 10 GB, of another size, or none', () => {
    const sizes = [undefined, '2', '0'].map((SCENE_CACHE_GB) => readConfig({ SCENE_CACHE_GB }).sceneCacheBytes);
    expect(sizes).toEqual([10e9, 2e9, 0]);
    expect(() => readConfig({ SCENE_CACHE_GB: '-1' })).toThrow(/SCENE_CACHE_GB/);
  });

  it('keeps regions for 30 days, for another number of days, or for ever', () => {
    const days = [undefined, '', '7', '0', 'off'].map((REGIONS_DAYS) => readConfig({ REGIONS_DAYS }));
    const daysOf = (ms = Number.NaN): number => ms / 86_400_000;
    expect(days.map(({ workService }) => daysOf(workService.keepRegionsMs))).toEqual([30, 30, 7, 0, 0]);
  });

  it('reads the texts of published layers; absent texts have defaults', () => {
    expect(readConfig({}).publication).toEqual({});
    const providers = '[{"name":"Institute","url":"https://institute.example.org/","roles":["host"]}]';
    const variables = { HEADWATER_TITLE: 'Layers', HEADWATER_ATTRIBUTION: 'Institute', HEADWATER_PROVIDERS: providers };
    expect(readConfig({ ...variables, HEADWATER_LICENSE: 'ODbL-1.0' }).publication).toEqual({
      title: 'Layers',
      attribution: 'Institute',
      license: 'ODbL-1.0',
      providers: JSON.parse(providers),
    });
  });

  it('treats an empty text as not set', () => {
    expect(readConfig({ BACKEND_PORT: '', DB_HOST: '', ORCHESTRATOR_API_BASE: '' }).port).toBe(8000);
  });

  it('reads the settings of the work service; by default it has no secret, no list of addresses, and two computations at a time', () => {
    const usual = {
      addresses: [],
      atOnce: 2,
      waiting: 20,
      maxKm2: 40_000,
      jobsPerAddress: 30,
      workflowRuns: 20,
      keepRegionsMs: 30 * 86_400_000,
      confMembers: [],
    };
    expect(readConfig({}).workService).toEqual(usual);
    const variables = {
      WORK_SERVICE_SECRET: 'x'.repeat(16),
      WORK_SERVICE_ADDRESSES: '10.0.0.0/8, fd00::1',
      WORK_SERVICE_AT_ONCE: '4',
      WORK_SERVICE_JOBS: '7',
      DAG_API_UNFINISHED: '3',
      DAG_CONF_MEMBERS: 'region, year',
    };
    expect(readConfig(variables).workService).toEqual({
      ...usual,
      secret: 'x'.repeat(16),
      addresses: ['10.0.0.0/8', 'fd00::1'],
      atOnce: 4,
      jobsPerAddress: 7,
      workflowRuns: 3,
      confMembers: ['region', 'year'],
    });
  });

  it('allows the origin of the STAC API and the origins in EO_ALLOWED_ORIGINS', () => {
    expect(readConfig({}).allowedOrigins).toEqual([]);
    const variables = {
      EO_STAC_API_URL: 'http://me:pw@10.0.0.5:8080/v1?key=k',
      EO_ALLOWED_ORIGINS: 'http://a.test, https://b.test/',
    };
    expect(readConfig(variables).allowedOrigins).toEqual(['http://10.0.0.5:8080', 'http://a.test', 'https://b.test/']);
  });

  it('reads a STAC API of elevations and allows its origin', () => {
    expect(readConfig({}).demStacApi).toBeUndefined();
    const config = readConfig({ DEM_STAC_API_URL: 'http://10.0.0.6/v1', EO_ALLOWED_ORIGINS: 'http://a.test' });
    expect(config.demStacApi).toEqual({ url: 'http://10.0.0.6/v1', collection: 'cop-dem-glo-30' });
    expect(config.allowedOrigins).toEqual(['http://10.0.0.6', 'http://a.test']);
  });

  it('a session is valid for a year, or as long as the refresh token if that is longer', () => {
    expect(readConfig({}).sessionDays).toBe(365);
    expect(readConfig({ REFRESH_TOKEN_DAYS: '400' }).sessionDays).toBe(400);
    expect(readConfig({ SESSION_DAYS: '180' }).sessionDays).toBe(180);
  });

  it('uses PostgreSQL if DB_HOST is set', () => {
    const config = readConfig({ DB_HOST: 'db', DB_NAME: 'headwater', DB_USER: 'hw' });
    const address = { host: 'db', port: 5432, database: 'headwater', user: 'hw', password: '' };
    expect(config.database).toEqual({ ...address, searchTimeoutMs: 5000 });
  });

  it('reads the timeout of searches', () => {
    const database = { DB_HOST: 'db', DB_NAME: 'headwater', DB_USER: 'hw' };
    expect(readConfig({ ...database, SEARCH_TIMEOUT_SECONDS: '30' }).database?.searchTimeoutMs).toBe(30_000);
    expect(() => readConfig({ ...database, SEARCH_TIMEOUT_SECONDS: '0' })).toThrow(
      /^SEARCH_TIMEOUT_SECONDS: .* least 1/,
    );
  });

  it('sets the encryption of the connection to PostgreSQL by DB_SSL', () => {
    const tls = (env: Record<string, string>): unknown =>
      readConfig({ DB_HOST: 'db', DB_NAME: 'headwater', DB_USER: 'hw', ...env }).database?.tls;
    expect(tls({ DB_SSL: 'disable' })).toBeUndefined();
    expect(tls({ DB_SSL: 'require' })).toEqual({ verify: false });
    expect(tls({ DB_SSL: 'verify-full', DB_SSL_CA: '/etc/ca.pem' })).toEqual({ verify: true, caFile: '/etc/ca.pem' });
    expect(() => tls({ DB_SSL: 'require', DB_SSL_CA: '/etc/ca.pem' })).toThrow(
      /^DB_SSL_CA: .* Set DB_SSL to verify-full/,
    );
  });

  it.each([
    ['BACKEND_PORT', '80x', /BACKEND_PORT: expected a whole number from 1/],
    ['BACKEND_PORT', '70000', /BACKEND_PORT: expected at most 65535/],
    ['LOG_LEVEL', 'loud', /LOG_LEVEL: expected debug, info or error/],
    ['PUBLIC_BASE_URL', 'ftp://x', /PUBLIC_BASE_URL: expected an address/],
    ['PUBLIC_BASE_URL', 'https://x/?a=1', /PUBLIC_BASE_URL: expected scheme, host and path only/],
    ['PUBLIC_BASE_URL', 'https://me:secret@x/', /PUBLIC_BASE_URL: expected scheme, host and path only/],
    ['JWT_SECRET', 'short', /JWT_SECRET: expected at least 32/],
    ['JWT_SECRET', 'a'.repeat(40), /JWT_SECRET: expected random text/],
    ['SUPERUSER_PASSWORD', '12345678', /SUPERUSER_PASSWORD: This password is entirely numeric/],
    ['SUPERUSER_PASSWORD', 'test_user_1', /SUPERUSER_PASSWORD: This password is too similar/],
    ['SUPERUSER_PASSWORD', 'test_change_me', /SUPERUSER_PASSWORD: This password is too common/],
    ['ACTIVATE_LOCATION', 'open', /ACTIVATE_LOCATION: expected superuser or anybody/],
    ['REGISTRATION', 'on', /REGISTRATION: expected off or open/],
    ['SMTP_URL', 'http://me:hunter2@mail', /^SMTP_URL: expected smtp:(?!.*hunter2)/],
    ['SMTP_URL', 'smtp://mail', /^MAIL_FROM: needed with SMTP_URL/],
    ['MAIL_FROM', 'asha', /MAIL_FROM: expected service@example.org/],
    ['REFRESH_TOKEN_DAYS', '5', /REFRESH_TOKEN_DAYS: 5 is less than ACCESS_TOKEN_DAYS/],
    ['SESSION_DAYS', '100', /SESSION_DAYS: 100 is less than REFRESH_TOKEN_DAYS \(120\)/],
    ['EO_MAX_CLOUD_COVER', '101', /EO_MAX_CLOUD_COVER: expected at most 100/],
    ['REPLACED_FILES_HOURS', '-1', /REPLACED_FILES_HOURS: expected a whole number from 0/],
    ['HEADWATER_SAMPLE', 'maybe', /HEADWATER_SAMPLE: expected on or off/],
    ['TRUSTED_PROXIES', '10.0.0.1,proxy', /TRUSTED_PROXIES.*expected addresses or ranges/],
    ['CORS_ORIGINS', 'https://maps.example.org/app', /CORS_ORIGINS.*expected origins without path/],
    ['EO_ALLOWED_ORIGINS', '*', /EO_ALLOWED_ORIGINS.*expected origins \(scheme, host and port only\) such as/],
    ['EO_ALLOWED_ORIGINS', 'http://10.0.0.5,10.0.0.6', /EO_ALLOWED_ORIGINS: expected origins/],
    ['EO_ALLOWED_ORIGINS', 'http://10.0.0.5/eo', /EO_ALLOWED_ORIGINS.*expected origins/],
    [
      'CORS_ORIGINS',
      '*',
      /^CORS_ORIGINS: "\*" would let unknown pages send requests .* list the allowed origins, such as https:/,
    ],
    ['CORS_ORIGINS', 'https://*.example.org', /^CORS_ORIGINS: .* list the allowed origins/],
    ['CORS_ORIGINS', 'maps.example.org', /^CORS_ORIGINS: .* write it with its scheme, https:\/\/maps\.example\.org\./],
    ['CORS_ORIGINS', 'localhost:3000', /^CORS_ORIGINS: .* write it with its scheme, https:\/\/localhost:3000\./],
    ['CORS_ORIGINS', 'null', /^CORS_ORIGINS: "null" is not an origin; expected origins such as/],
    ['CORS_ORIGINS', 'ftp://maps.example.org', /^CORS_ORIGINS: .* is not an origin; expected origins such as/],
    ['WORK_SERVICE_SECRET', 'short', /WORK_SERVICE_SECRET: expected at least 16(?!.*short)/],
    [
      'WORK_SERVICE_SECRET',
      'two words that are long',
      /WORK_SERVICE_SECRET: expected printable ASCII.*without spaces(?!.*two)/,
    ],
    ['WORK_SERVICE_ADDRESSES', '10.0.0.0/40', /WORK_SERVICE_ADDRESSES.*expected addresses or ranges/],
    ['WORK_SERVICE_ADDRESSES', 'fe80::1%eth0', /WORK_SERVICE_ADDRESSES.*expected addresses or ranges/],
    ['WORK_SERVICE_AT_ONCE', '0', /WORK_SERVICE_AT_ONCE: expected at least 1/],
    ['WORK_SERVICE_WAITING', '-1', /WORK_SERVICE_WAITING: expected a whole number from 0/],
    ['WORK_SERVICE_MAX_KM2', '1e9', /WORK_SERVICE_MAX_KM2: expected a whole number/],
    ['REGIONS_DAYS', 'never', /REGIONS_DAYS: expected a whole number of days from 0 to 36500, or off/],
    ['REGIONS_DAYS', '40000', /REGIONS_DAYS: expected at most 36500/],
    ['MAP_BACKGROUNDS', 'streets', /^MAP_BACKGROUNDS: expected a JSON list such as/],
    [
      'MAP_BACKGROUNDS',
      '[{"name":"Streets"}]',
      /^MAP_BACKGROUNDS: the list\[0\]\.url must be a text of 1 to 500 characters/,
    ],
    ['MAX_CONNECTIONS', '0', /MAX_CONNECTIONS: expected at least 1/],
    ['REQUEST_TIMEOUT_SECONDS', '1.5', /REQUEST_TIMEOUT_SECONDS: expected a whole number/],
    ['LOG_FORMAT', 'text', /LOG_FORMAT: expected human or json/],
    ['DB_SSL', 'yes', /DB_SSL: expected disable, require or verify-full/],
    ['HEADWATER_LICENSE', 'CC BY 4.0', /HEADWATER_LICENSE: expected an SPDX identifier/],
    ['HEADWATER_LICENSE', 'other', /HEADWATER_LICENSE_URL: needed when HEADWATER_LICENSE is other/],
    ['HEADWATER_LICENSE_URL', 'LICENSE', /HEADWATER_LICENSE_URL: expected an address/],
    ['HEADWATER_PROVIDERS', 'ICRISAT', /HEADWATER_PROVIDERS: expected a JSON list/],
    ['HEADWATER_PROVIDERS', '[]', /HEADWATER_PROVIDERS: expected a JSON list/],
    ['HEADWATER_PROVIDERS', '[{"url":"https://x.org"}]', /HEADWATER_PROVIDERS: expected a JSON list/],
    ['HEADWATER_PROVIDERS', '[{"name":"x","roles":["owner"]}]', /HEADWATER_PROVIDERS: expected a JSON list/],
    ['ORCHESTRATOR_API_BASE', 'http://airflow:8080/api/v1', /ORCHESTRATOR_DAG_ID: needed with ORCHESTRATOR_API_BASE/],
    ['ORCHESTRATOR_API_BASE', 'http://user:word@airflow', /ORCHESTRATOR_API_BASE: expected scheme, host and path only/],
    ['ORCHESTRATOR_DAG_ID', '../other', /ORCHESTRATOR_DAG_ID: expected letters, digits/],
    ['ORCHESTRATOR_UNPAUSE', 'perhaps', /ORCHESTRATOR_UNPAUSE: expected on or off/],
    ['SERVICE_API_BASE', 'headwater:8000', /SERVICE_API_BASE: expected an address/],
    ['DAG_API_ACCESS', 'cookie', /DAG_API_ACCESS: expected private .*, public, bearer .* or session/],
    ['DAG_CONF_MEMBERS', 'region,{}', /DAG_CONF_MEMBERS.*expected names of members/],
    ['DAG_API_UNFINISHED', '0', /DAG_API_UNFINISHED: expected at least 1/],
    ['DB_HOST', 'db', /DB_NAME: needed when DB_HOST is set/],
  ])('reports %s for the value %s', (name, value, message) => {
    expect(() => readConfig({ [name]: value })).toThrow(message);
  });

  it('names every fault in one message, which also says where to correct the variables', () => {
    const message = messageOf({
      BACKEND_PORT: '80x',
      LOG_LEVEL: 'loud',
      SUPERUSER_PASSWORD: '1234567',
      SMTP_URL: 'smtp://mail',
      DB_HOST: 'db',
      DB_SSL_CA: '/ca.pem',
      ORCHESTRATOR_API_BASE: 'http://airflow:8080/api/v1',
      ORCHESTRATOR_USERNAME: 'a',
      HEADWATER_LICENSE: 'other',
      BOUNDARY_DATA_SHA256: 'a'.repeat(64),
      REFRESH_TOKEN_DAYS: '5',
      SESSION_DAYS: '2',
    });
    const lines = message.split('\n');
    const names = lines.slice(0, -1).map((line) => line.slice(0, line.indexOf(':')));
    expect(names.toSorted()).toEqual([
      'BACKEND_PORT',
      'BOUNDARY_DATA_URL',
      'DB_NAME',
      'DB_SSL_CA',
      'DB_USER',
      'HEADWATER_LICENSE_URL',
      'LOG_LEVEL',
      'MAIL_FROM',
      'ORCHESTRATOR_DAG_ID',
      'ORCHESTRATOR_PASSWORD',
      'REFRESH_TOKEN_DAYS',
      'SESSION_DAYS',
      'SUPERUSER_PASSWORD',
    ]);
    expect(lines.at(-1)).toMatch(/^Correct them in the environment or in \.env;/);
    expect(lines.every((line) => line.endsWith('.'))).toBe(true);
  });

  it('does not check combinations with a variable that is itself invalid', () => {
    const wrong = { ACCESS_TOKEN_DAYS: 'ten', REFRESH_TOKEN_DAYS: '30', SMTP_URL: 'smtp://mail', MAIL_FROM: 'asha' };
    expect(messageOf(wrong)).not.toMatch(/needed|is less than/);
    expect(messageOf(wrong).split('\n')).toHaveLength(3);
  });
});

function messageOf(env: Readonly<Record<string, string>>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  throw new Error('the variables are valid');
}

describe('warnings', () => {
  const warnings = (env: Readonly<Record<string, string>>): readonly string[] => readConfig(env).warnings;

  it('the variables of the specification with their default values, and the name of a bucket, cause no warning', () => {
    const specified = {
      ...Object.fromEntries(SPECIFIED.map((name) => [name, ''])),
      BACKEND_PORT: '8000',
      MAPSERVER_PORT: '8080',
      DB_PORT: '5432',
      LOG_LEVEL: 'info',
    };
    expect(warnings(specified)).toEqual([]);
    expect(warnings({ STORAGE_BUCKET_NAME: 'rasters' })).toEqual([]);
    expect(warnings({})).toEqual([]);
  });

  it('a GeoServer needs an address, a user and a password, and is not the second port of the service', () => {
    const all = { MAPSERVER_URL: 'http://maps:8080/geoserver/', MAPSERVER_USERNAME: 'a', MAPSERVER_PASSWORD: 'b' };
    expect(readConfig(all).geoServer).toEqual({ url: 'http://maps:8080/geoserver', username: 'a', password: 'b' });
    expect(warnings(all)).toEqual([]);
    for (const url of ['http://localhost:8080/geoserver', 'http://127.0.0.1:8080', 'http://[::1]:8080'])
      expect(readConfig({ ...all, MAPSERVER_URL: url }).geoServer).toBeUndefined();
    const local = { ...all, MAPSERVER_URL: 'http://localhost:8080/geoserver', MAPSERVER_PORT: '0' };
    expect(readConfig(local).geoServer).toBeDefined();
    expect(warnings({ MAPSERVER_URL: 'http://maps' })).toEqual([
      'MAPSERVER_URL: set, but not used, because a GeoServer also needs MAPSERVER_USERNAME and MAPSERVER_PASSWORD; the service is its own map server. Set all three for a GeoServer, or none.',
    ]);
  });

  it('EXCEL_PATH takes precedence over another EXCEL_DIR, with one warning', () => {
    const config = readConfig({ EXCEL_DIR: '/a', EXCEL_PATH: '/b' });
    expect(config.excelPath).toBe('/b');
    expect(config.warnings).toEqual([expect.stringMatching(/^EXCEL_DIR: \/a is not used, because EXCEL_PATH/)]);
    expect(warnings({ EXCEL_DIR: '/a/b', EXCEL_PATH: '/a/b/' })).toEqual([]);
  });

  it.each([
    ['http://localhost:8000', 'http://airflow:8080/api/v1', true],
    ['http://127.0.0.2:8000', 'http://10.0.0.5:8080/api/v1', true],
    ['http://[::1]:8000', 'http://airflow:8080/api/v1', true],
    ['', 'http://airflow:8080/api/v1', true],
    ['http://headwater:8000', 'http://airflow:8080/api/v1', false],
    ['http://localhost:8000', 'http://localhost:8080/api/v1', false],
    ['http://localhost:8000', 'http://127.0.0.1:8080/api/v1', false],
    ['http://localhost:8000', '', false],
  ])('SERVICE_API_BASE=%s with an orchestrator at "%s", warned of: %s', (service, api, isWarned) => {
    const variables = { SERVICE_API_BASE: service, ORCHESTRATOR_API_BASE: api, ORCHESTRATOR_DAG_ID: 'headwater' };
    const line = expect.stringMatching(/^SERVICE_API_BASE: .* on another machine.* Set it to the address/);
    expect(warnings(variables)).toEqual(isWarned ? [line] : []);
  });
});

const SPECIFIED = (
  'DATA_DIR EXCEL_DIR EXCEL_PATH BACKEND_PORT MAPSERVER_PORT DB_PORT DB_HOST DB_NAME DB_USER DB_PASSWORD MAPSERVER_URL MAPSERVER_USERNAME ' +
  'MAPSERVER_PASSWORD STORAGE_BUCKET_NAME BACKEND_CODE_DIR PUBLIC_API_X_API_KEY ORCHESTRATOR_API_BASE ORCHESTRATOR_DAG_ID ' +
  'ORCHESTRATOR_USERNAME ORCHESTRATOR_PASSWORD ORCHESTRATOR_TOKEN SERVICE_API_BASE LOG_LEVEL'
).split(' ');

describe('access to the workflow', () => {
  it.each(['private', 'public', 'bearer', 'session'])('is %s if DAG_API_ACCESS has this value', (value) => {
    expect(readConfig({ DAG_API_ACCESS: value }).workflowAccess).toBe(value);
  });

  it('is private by default', () => expect(readConfig({}).workflowAccess).toBe('private'));
});

describe('the orchestrator', () => {
  const BASE = { ORCHESTRATOR_API_BASE: 'http://airflow:8080/api/v1/', ORCHESTRATOR_DAG_ID: 'headwater' };
  it('computes everything if its address is set, and nothing without it', () => {
    expect(readConfig({ ...BASE }).orchestrator).toEqual({
      apiBase: 'http://airflow:8080/api/v1',
      dagId: 'headwater',
      jobDagId: 'headwater',
      credentials: undefined,
      unpause: true,
      serviceApiBase: undefined,
    });
    expect(readConfig({ ...BASE, ORCHESTRATOR_API_BASE: '', ORCHESTRATOR_USERNAME: 'a' }).orchestrator).toBeUndefined();
  });

  it('uses the token if it is set, otherwise name and password', () => {
    const named = { ...BASE, ORCHESTRATOR_USERNAME: 'a', ORCHESTRATOR_PASSWORD: 'b' };
    expect(readConfig(named).orchestrator?.credentials).toEqual({ username: 'a', password: 'b' });
    expect(readConfig({ ...named, ORCHESTRATOR_TOKEN: 't' }).orchestrator?.credentials).toEqual({ token: 't' });
    expect(() => readConfig({ ...BASE, ORCHESTRATOR_USERNAME: 'a' })).toThrow(
      /^ORCHESTRATOR_PASSWORD: user and password/,
    );
    expect(() => readConfig({ ...BASE, ORCHESTRATOR_PASSWORD: 'b' })).toThrow(
      /^ORCHESTRATOR_USERNAME: user and password/,
    );
  });
});

it('.env.example lists exactly the known variables, each with a comment line above it', async () => {
  const lines = (await readFile(new URL('../../../../.env.example', import.meta.url), 'utf8')).split('\n');
  const names = lines.filter((line) => /^[A-Z0-9_]+=/.test(line)).map((line) => line.slice(0, line.indexOf('=')));
  expect([...names].sort()).toEqual(VARIABLES.toSorted());
  for (const name of names)
    expect(lines[lines.findIndex((line) => line.startsWith(`${name}=`)) - 1], name).toMatch(/^# /);
});
