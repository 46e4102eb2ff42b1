// Installs the Airflow of `npm run test:airflow` if it is missing. CI runs this script in the background. This script
// does not fail if the installation fails, because `npm run test:airflow` reports the failure.
import { findAirflow } from './airflow-server.mjs';

const { missing } = findAirflow();
console.log(missing ?? 'Airflow is installed');
