export { colorOf } from './parts.ts';
export { type Html, type ShownClass, shownClasses, swatch } from './parts.ts';
export { reportBody, reportHeading, type ReportParts } from './report.ts';
export { REPORT_STYLE } from './style.ts';
export { TABLE_NAMES } from '../validate/pipeline.ts';
export { storedValidation, type StoredValidation } from '../validate/stored-validation.ts';
