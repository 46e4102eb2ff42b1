// Finds peers and judges: the programs with which tests and the bench compare our results. Looks for the folder of
// these programs next to the checkout, and for a Python with their packages.
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
 * Finds the peers' folder and a Python that can run the peers; returns the reason if one of them is missing. Tries
 * HEADWATER_PEERS_PYTHON, then `.peers`. With `install`, a missing Python environment is created from PyPI.
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

/**
 * Judge (independent program) that reads our stac-geoparquet files. The judge has its own Python environment, because
 * its packages conflict with the packages of other judges.
 */
export const GEOPARQUET_JUDGE = {
  name: 'geoparquet',
  modules: ['pyarrow', 'stac_geoparquet'],
  packages: ['stac-geoparquet==0.8.*', 'pyarrow>=20'],
};

/** Client of OGC services, with which the map server is tested. */
export const OWSLIB_JUDGE = { name: 'owslib', modules: ['owslib'], packages: ['OWSLib==0.35.*'] };

/** Reader of PMTiles files. */
export const PMTILES_JUDGE = { name: 'pmtiles', modules: ['pmtiles'], packages: ['pmtiles==3.8.*'] };

/** Validator of the files for Kubernetes, which contains the schemas. */
export const KUBERNETES_JUDGE = {
  name: 'kubernetes',
  modules: ['kubernetes_validate'],
  packages: ['kubernetes-validate==1.37.*'],
};

/** Programs that have the APIs of object storage: S3 (moto) and Google Cloud Storage. */
export const STORAGE_JUDGE = {
  name: 'storage',
  modules: ['moto', 'gcp_storage_emulator'],
  packages: ['moto[server]==5.*', 'gcp-storage-emulator==2026.*'],
};

/** Django with the library of API keys that the live system uses. The script that dumps a live system runs on it. */
export const DJANGO_JUDGE = {
  name: 'django',
  modules: ['django', 'rest_framework_api_key'],
  packages: ['Django==5.2.*', 'djangorestframework-api-key==3.*'],
};

/**
 * npm script that installs each judge with an environment of its own. Judges that are not listed here are installed by
 * `npm run test:mapserver`.
 */
const INSTALLED_BY = {
  django: 'test:peers',
  geoparquet: 'test:peers',
  kubernetes: 'test:images',
  storage: 'test:storage',
};

/** Debian's Python, which has the modules of Debian's QGIS. */
export const QGIS_PYTHON = '/usr/bin/python3';

/** Reason why QGIS cannot be used; undefined if QGIS can be used. */
export function qgisProblem() {
  return has(QGIS_PYTHON, ['qgis.core']) ? undefined : "QGIS: install Debian's python3-qgis";
}

/**
 * Finds the Python of one judge in `.judges/NAME`; returns the reason if there is none. The variable
 * HEADWATER_JUDGE_NAME can contain the path of another Python. With `install`, a missing environment is created from
 * PyPI.
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

/**
 * Environment for peers. Compiled kernels are cached in the folder `.numba` of the checkout, and no files are written
 * next to the scripts.
 */
export function peerEnvironment() {
  const cache = resolve(root, '.numba');
  mkdirSync(cache, { recursive: true });
  return { ...process.env, NUMBA_CACHE_DIR: cache, PYTHONDONTWRITEBYTECODE: '1' };
}

/**
 * Environment in which the kernels of pysheds are interpreted. Otherwise pysheds would compile all kernels at its first
 * import, which takes two minutes of processor time. Interpreted kernels need one or two seconds for the DEMs of tests.
 */
export const interpretedEnvironment = () => ({ ...peerEnvironment(), NUMBA_DISABLE_JIT: '1' });

/** Python modules with which areas and documents are checked. */
export const AREA_JUDGES = ['numpy', 'rasterio', 'exactextract', 'pystac', 'stac_validator'];

/** Further Python modules that `npm run test:peers` needs. */
export const PEER_MODULES = ['numba', 'openpyxl', 'pyproj', 'pysheds', 'shapely', 'sklearn'];

/**
 * Finds or installs (from PyPI) the shared Python of judges and that of stac-geoparquet, and looks for GDAL. Prints which programs are missing.
 * Returns the missing programs, and the environment variables with which tests find the shared Python. `more` contains
 * further modules that the shared Python must have.
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
