import { escapeXml } from '@headwater/core/xml';
import type { WireError } from '../wire-error.ts';
import type { Wording } from './wording.ts';

/** OWS exception reports in XML; `details.ogcCode` and `details.locator` have the code and the parameter. */
export const ogc: Wording = { mediaType: 'application/xml; charset=utf-8', render: exceptionReport };

function exceptionReport({ message, details }: WireError): string {
  const { ogcCode, locator } = details;
  const code = typeof ogcCode === 'string' ? ogcCode : 'NoApplicableCode';
  const place = typeof locator === 'string' ? ` locator="${escapeXml(locator)}"` : '';
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows/2.0" version="2.0.0">',
    `  <ows:Exception exceptionCode="${escapeXml(code)}"${place}>`,
    `    <ows:ExceptionText>${escapeXml(message)}</ows:ExceptionText>`,
    '  </ows:Exception>',
    '</ows:ExceptionReport>',
    '',
  ].join('\n');
}
