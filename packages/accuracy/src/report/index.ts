export { colorOf } from './parts.ts';
export { type Html, type ShownClass, shownClasses, swatch } from './parts.ts';
export { reportBody, reportHeading, type ReportParts, REPORT_STYLE } from './report.ts';
export { TABLE_NAMES } from '../validate/pipeline.ts';
export { storedValidation, type StoredValidation } from '../validate/stored-validation.ts';
