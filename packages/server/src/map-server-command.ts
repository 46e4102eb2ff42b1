import { type Logger, SILENT } from '@headwater/core';
import { countOf } from '@headwater/core/values';
import { createTerminal } from '@headwater/stac-cli/terminal';
import { type CommandSyntax, usageOf } from './command.ts';
import { compose } from './composition.ts';
import { ConfigError, type Config } from './config/read-config.ts';
import { readArguments } from './read-arguments.ts';

/** Syntax of `headwater map-server`. */
export const MAP_SERVER: CommandSyntax = { name: 'map-server', options: ['check', 'repair'] };
const USAGE = usageOf(MAP_SERVER);

/** Lines of `headwater map-server --help` after its usage. */
export const MAP_SERVER_DETAILS: readonly string[] = [
  'Compares the map server with the published layers. With MAPSERVER_URL, MAPSERVER_USERNAME and MAPSERVER_PASSWORD, the map server is a GeoServer;',
  'otherwise it is the map server of the service itself.',
  'check    prints a line for each difference: a missing workspace; a common style that is missing or changed; a layer that is missing, outdated, in',
  '         another style, or no longer published; a file or style that cannot be read',
  'repair   makes the workspaces and common styles that a GeoServer lacks, publishes missing layers, and removes layers that are no longer published.',
  '         Without a GeoServer it repairs nothing: if the files of a layer cannot be read, compute the layer again',
  'Exit code 1: there is a difference that was not repaired. With the embedded database, stop the service first. Example:',
  '  npx headwater map-server check',
];

/** Compares the map server with the published layers. With `repair`, also repairs the differences of a GeoServer. */
export async function mapServerCommand(config: Config, args: readonly string[]): Promise<void> {
  const { positionals } = readArguments({ args, options: {}, allowPositionals: true }, USAGE);
  const [action, ...more] = positionals;
  if ((action !== 'check' && action !== 'repair') || more.length > 0)
    throw new ConfigError(`${action ?? 'map-server'}: name the action: check or repair.\n${USAGE}`);
  const logger: Logger = { ...SILENT, error: (_, message) => process.stderr.write(`headwater: ${message}\n`) };
  const headwater = await compose(
    { ...config, worker: false },
    { logger, onDeath: (reason) => logger.error({}, reason.message) },
  );
  const terminal = createTerminal(process.stdout);
  try {
    const { mapServer } = headwater;
    if (mapServer === undefined)
      throw new ConfigError(
        'This service has no map server; set MAPSERVER_URL, MAPSERVER_USERNAME and MAPSERVER_PASSWORD to use a GeoServer.',
      );
    terminal.write(`${await mapServer.probe()}\n`);
    let [found, repaired] = [0, 0];
    for await (const drift of mapServer.check()) {
      found += 1;
      terminal.write(`${drift.problem}: ${drift.message}\n`);
      if (action === 'check' || mapServer.kind === 'embedded') continue;
      await mapServer.repair(drift);
      repaired += 1;
    }
    terminal.write(`${countOf(found, 'difference')}${action === 'repair' ? `, ${repaired} repaired` : ''}\n`);
    process.exitCode = found === repaired ? 0 : 1;
  } finally {
    await headwater.close();
  }
}
