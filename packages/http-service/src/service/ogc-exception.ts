import { type DomainError, escapeXml } from '@headwater/core';

/** An OWS exception report; `details.ogcCode` and `details.locator` name the code and the parameter. */
export function exceptionReport(error: DomainError): string {
  const { ogcCode, locator } = error.details;
  const code = typeof ogcCode === 'string' ? ogcCode : 'NoApplicableCode';
  const place = typeof locator === 'string' ? ` locator="${escapeXml(locator)}"` : '';
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows/2.0" version="2.0.0">',
    `  <ows:Exception exceptionCode="${escapeXml(code)}"${place}>`,
    `    <ows:ExceptionText>${escapeXml(error.message)}</ows:ExceptionText>`,
    '  </ows:Exception>',
    '</ows:ExceptionReport>',
    '',
  ].join('\n');
}
