import { resolve } from 'node:path';
import { specialRange } from '@headwater/net';
import type { OrchestratorConfig } from './orchestration.ts';

type Variables = Readonly<Record<string, string | undefined>>;

interface Checked {
  readonly baseUrl: string;
  readonly orchestrator: OrchestratorConfig | undefined;
}

/** Warnings about settings that have another effect than intended. `variables`: the variables that are set. */
export function settingWarnings(variables: Variables, config: Checked): readonly string[] {
  return [incompleteMapServer(variables), twoFolders(variables), localAddress(config)].filter(
    (line) => line !== undefined,
  );
}

function incompleteMapServer(variables: Variables): string | undefined {
  const names = ['MAPSERVER_URL', 'MAPSERVER_USERNAME', 'MAPSERVER_PASSWORD'];
  const [set, absent] = [true, false].map((isSet) => names.filter((name) => (variables[name] !== undefined) === isSet));
  if (set === undefined || absent === undefined || set.length === 0 || absent.length === 0) return undefined;
  return `${set.join(', ')}: set, but not used, because a GeoServer also needs ${absent.join(' and ')}; the service is its own map server. Set all three for a GeoServer, or none.`;
}

function twoFolders({ EXCEL_DIR: dir, EXCEL_PATH: path }: Variables): string | undefined {
  if (dir === undefined || path === undefined || resolve(dir) === resolve(path)) return undefined;
  return `EXCEL_DIR: ${dir} is not used, because EXCEL_PATH takes precedence; workbooks are stored in ${path}. Unset one of the two.`;
}

/** Warns of a local address of this service: workers on another machine would call their own machine. */
function localAddress({ orchestrator, baseUrl }: Checked): string | undefined {
  if (orchestrator === undefined) return undefined;
  const { apiBase, serviceApiBase } = orchestrator;
  const address = serviceApiBase ?? baseUrl;
  if (!isLocal(address) || isLocal(apiBase)) return undefined;
  const sent =
    serviceApiBase === undefined ? `not set, so that workers get ${address}` : `${address} is sent to workers`;
  return (
    `SERVICE_API_BASE: ${sent}, but the orchestrator at ${new URL(apiBase).host} is on another machine, whose workers ` +
    'would call themselves. Set it to the address at which they reach this service.'
  );
}

const LOCAL_RANGES: readonly (string | undefined)[] = ['loopback', 'unspecified'];

function isLocal(address: string): boolean {
  const host = new URL(address).hostname.replace(/^\[|\]$|\.$/g, '');
  return host === 'localhost' || host.endsWith('.localhost') || LOCAL_RANGES.includes(specialRange(host));
}
