// Finds peers and judges: programs with which tests and the bench compare results.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { reportMissing } from './missing.mjs';

export const root = resolve(import.meta.dirname, '..');
export const shared = resolve(root, '..', 'shared');
const folder = resolve(shared, 'tools', 'peers');
const venv = resolve(root, '.peers');

const has = (python, modules) =>
  spawnSync(python, ['-c', `import ${modules.join(', ')}`], { stdio: 'ignore' }).status === 0;

function install(packages, folder = venv) {
  console.log(`installing ${packages.join(' ')} into ${folder}`);
  const created = spawnSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
  if (created.status !== 0) return false;
  return (
    spawnSync(resolve(folder, 'bin', 'pip'), ['install', '--quiet', ...packages], { stdio: 'inherit' }).status === 0
  );
}

/**
 * Finds the peers' folder and Python, or returns the reason. `install` creates a missing Python environment from PyPI.
 */
export function findPeers({
  install: mayInstall = false,
  modules = ['numpy', 'numba', 'rasterio', 'exactextract'],
  extra = [],
} = {}) {
  if (!existsSync(folder)) return { reason: 'the folder ../shared/tools/peers is missing' };
  const candidates = [process.env.HEADWATER_PEERS_PYTHON, resolve(venv, 'bin', 'python')].filter(Boolean);
  const python = candidates.find((path) => has(path, modules));
  if (python) return { folder, python };
  if (
    mayInstall &&
    install(['-r', resolve(folder, 'requirements.txt'), ...extra]) &&
    has(resolve(venv, 'bin', 'python'), modules)
  ) {
    return { folder, python: resolve(venv, 'bin', 'python') };
  }
  return {
    reason:
      "no Python with the peers' packages: run `npm run test:peers`, which installs one in .peers, or set HEADWATER_PEERS_PYTHON",
  };
}

/** Judge of stac-geoparquet files. Its packages conflict with the packages of other judges. */
export const GEOPARQUET_JUDGE = {
  name: 'geoparquet',
  modules: ['pyarrow', 'stac_geoparquet'],
  packages: ['stac-geoparquet==0.8.*', 'pyarrow>=20'],
};

/** Client of OGC services. */
export const OWSLIB_JUDGE = { name: 'owslib', modules: ['owslib'], packages: ['OWSLib==0.35.*'] };

/** Reader of PMTiles files. */
export const PMTILES_JUDGE = { name: 'pmtiles', modules: ['pmtiles'], packages: ['pmtiles==3.8.*'] };

/** Validator of Kubernetes files, with schemas. */
export const KUBERNETES_JUDGE = {
  name: 'kubernetes',
  modules: ['kubernetes_validate'],
  packages: ['kubernetes-validate==1.37.*'],
};

/** Emulators of S3 (moto) and Google Cloud Storage. */
export const STORAGE_JUDGE = {
  name: 'storage',
  modules: ['moto', 'gcp_storage_emulator'],
  packages: ['moto[server]==5.*', 'gcp-storage-emulator==2026.*'],
};

/** Django with the live system's library of API keys, for the script that dumps a live system. */
export const DJANGO_JUDGE = {
  name: 'django',
  modules: ['django', 'rest_framework_api_key'],
  packages: ['Django==5.2.*', 'djangorestframework-api-key==3.*'],
};

/** npm script that installs each judge; default: `npm run test:mapserver`. */
const INSTALLED_BY = {
  django: 'test:peers',
  geoparquet: 'test:peers',
  kubernetes: 'test:images',
  storage: 'test:storage',
};

/** Debian's Python, which has QGIS. */
export const QGIS_PYTHON = '/usr/bin/python3';

/** Reason why QGIS is not available. */
export function qgisProblem() {
  return has(QGIS_PYTHON, ['qgis.core']) ? undefined : "QGIS: install Debian's python3-qgis";
}

/**
 * Finds the Python of a judge (HEADWATER_JUDGE_NAME or `.judges/NAME`), or returns the reason. `install` creates a
 * missing environment from PyPI.
 */
export function findVenv({ name, modules, packages }, { install: mayInstall = false } = {}) {
  const variable = `HEADWATER_JUDGE_${name.toUpperCase()}`;
  const folder = resolve(root, '.judges', name);
  const own = resolve(folder, 'bin', 'python');
  const found = [process.env[variable], own].filter(Boolean).find((path) => has(path, modules));
  if (found) return { python: found };
  if (mayInstall && install(packages, folder) && has(own, modules)) return { python: own };
  return {
    reason: `no Python with ${modules.join(', ')}: run \`npm run ${INSTALLED_BY[name] ?? 'test:mapserver'}\`, which installs one in .judges/${name}, or set ${variable}`,
  };
}

/** Environment of peers. Compiled kernels are cached in `.numba`, and no files are written next to scripts. */
export function peerEnvironment() {
  const cache = resolve(root, '.numba');
  mkdirSync(cache, { recursive: true });
  return { ...process.env, NUMBA_CACHE_DIR: cache, PYTHONDONTWRITEBYTECODE: '1' };
}

/** Environment in which pysheds' kernels are interpreted, because compiling all kernels takes two minutes. */
export const interpretedEnvironment = () => ({ ...peerEnvironment(), NUMBA_DISABLE_JIT: '1' });

/** Python modules that check areas and documents. */
export const AREA_JUDGES = ['numpy', 'rasterio', 'exactextract', 'pystac', 'stac_validator'];

/** Further Python modules of `npm run test:peers`. */
export const PEER_MODULES = ['numba', 'openpyxl', 'pyproj', 'pysheds', 'shapely', 'sklearn'];

/**
 * Finds or installs the Python of judges, with the additional modules `more`. Prints and returns missing programs;
 * returns the environment for tests.
 */
export function findJudges(more = []) {
  const extra = [
    'pystac==1.15.*',
    'stac-validator==4.1.*',
    'jsonschema',
    'openpyxl==3.1.*',
    'pysheds==0.5',
    'scikit-learn==1.*',
  ];
  const found = findPeers({ install: true, modules: [...AREA_JUDGES, ...more], extra });
  const missing = found.python ? [] : [`peers: ${found.reason}`];
  const geoparquet = findVenv(GEOPARQUET_JUDGE, { install: true });
  if (geoparquet.reason) missing.push(`stac-geoparquet: ${geoparquet.reason}`);
  if (spawnSync('/usr/bin/python3', ['-c', 'from osgeo import gdal'], { stdio: 'ignore' }).status !== 0)
    missing.push("GDAL: install Debian's gdal-bin and python3-gdal");
  reportMissing(missing);
  return { variables: found.python ? { HEADWATER_PEERS_PYTHON: found.python } : {}, missing };
}
