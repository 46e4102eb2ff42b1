/** How the service treats a variable: read it, refuse it because its part is not there yet, or leave it to other programs. */
export type VariableUse = 'read' | 'not-yet' | 'other-program';

/** One environment variable: the only list of them; `.env.example` is checked against it. */
export interface Variable {
  readonly name: string;
  readonly use: VariableUse;
  /** For `not-yet`: the part that is missing. */
  readonly part?: string;
}

const read = (name: string): Variable => ({ name, use: 'read' });
const notYet = (name: string, part: string): Variable => ({ name, use: 'not-yet', part });

const ORCHESTRATOR = 'the orchestrator client (compute through Airflow)';
const MAP_SERVER = 'the map server package (a GeoServer connection or a listener of its own)';

/** Every variable of the interface specification, then Headwater's own. */
export const VARIABLES: readonly Variable[] = [
  read('DATA_DIR'),
  read('EXCEL_DIR'),
  read('EXCEL_PATH'),
  read('BACKEND_PORT'),
  notYet('MAPSERVER_PORT', MAP_SERVER),
  read('DB_PORT'),
  read('DB_HOST'),
  read('DB_NAME'),
  read('DB_USER'),
  read('DB_PASSWORD'),
  read('DB_SSL'),
  read('DB_SSL_CA'),
  notYet('MAPSERVER_URL', MAP_SERVER),
  notYet('MAPSERVER_USERNAME', MAP_SERVER),
  notYet('MAPSERVER_PASSWORD', MAP_SERVER),
  notYet('STORAGE_BUCKET_NAME', 'publication to an object-store bucket'),
  { name: 'BACKEND_CODE_DIR', use: 'other-program' },
  { name: 'PUBLIC_API_X_API_KEY', use: 'other-program' },
  { name: 'HEADWATER_PASSWORD', use: 'other-program' },
  notYet('ORCHESTRATOR_API_BASE', ORCHESTRATOR),
  notYet('ORCHESTRATOR_DAG_ID', ORCHESTRATOR),
  notYet('ORCHESTRATOR_USERNAME', ORCHESTRATOR),
  notYet('ORCHESTRATOR_PASSWORD', ORCHESTRATOR),
  notYet('ORCHESTRATOR_TOKEN', ORCHESTRATOR),
  notYet('SERVICE_API_BASE', ORCHESTRATOR),
  read('LOG_LEVEL'),
  read('LOG_FORMAT'),
  read('LOG_FILE_MB'),
  read('LOG_FILES'),
  read('BACKEND_HOST'),
  read('PUBLIC_BASE_URL'),
  read('TRUSTED_PROXIES'),
  read('CORS_ORIGINS'),
  read('MAX_CONNECTIONS'),
  read('REQUEST_TIMEOUT_SECONDS'),
  read('WRITE_TIMEOUT_SECONDS'),
  read('MAX_OPEN_RUNS_PER_USER'),
  read('MAX_EVENT_STREAMS_PER_USER'),
  read('API_KEY_REQUESTS_PER_MINUTE'),
  read('IMPORT_MAX_MB'),
  read('API_KEY_REQUESTS_PER_DAY'),
  read('REGISTRATION'),
  read('ACTIVATE_LOCATION'),
  read('BOUNDARY_DATA_URL'),
  read('BOUNDARY_DATA_SHA256'),
  read('BOUNDARY_DATA_KEEP'),
  read('SMTP_URL'),
  read('MAIL_FROM'),
  read('EO_STAC_API_URL'),
  read('EO_STAC_COLLECTION'),
  read('EO_ALLOWED_ORIGINS'),
  read('EO_MAX_CLOUD_COVER'),
  read('DEM_STAC_API_URL'),
  read('DEM_STAC_COLLECTION'),
  read('JWT_SECRET'),
  read('ACCESS_TOKEN_DAYS'),
  read('REFRESH_TOKEN_DAYS'),
  read('SESSION_DAYS'),
  read('SUPERUSER_PASSWORD'),
  read('HEADWATER_TITLE'),
  read('HEADWATER_LICENSE'),
  read('HEADWATER_LICENSE_URL'),
  read('HEADWATER_PROVIDERS'),
  read('HEADWATER_ATTRIBUTION'),
  read('FREE_DISK_WARN_MB'),
  read('FREE_DISK_FAIL_MB'),
  read('REPLACED_FILES_HOURS'),
  read('RUN_EVENTS_DAYS'),
  read('RUNS_DAYS'),
  read('RUN_LEASE_SECONDS'),
  read('WORKER'),
  read('HEADWATER_SAMPLE'),
  read('HEADWATER_THREADS'),
  read('HEADWATER_CONTAINER_MARKER'),
];
