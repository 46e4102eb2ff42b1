// Installs the Airflow of `npm run test:airflow` if it is missing. CI runs this in the background. It does not fail
// here if the installation fails; `npm run test:airflow` reports that.
import { findAirflow } from './airflow-server.mjs';

const { missing } = findAirflow();
console.log(missing ?? 'Airflow is installed');
