// Installs the Airflow of `npm run test:airflow` where it is not there, for CI, which has something else to do meanwhile. What cannot be had is told by
// that script.
import { findAirflow } from './airflow-server.mjs';

const { missing } = findAirflow();
console.log(missing ?? 'Airflow is there');
