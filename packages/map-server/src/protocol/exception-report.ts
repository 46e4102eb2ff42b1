import { type DomainError, isDomainError } from '@headwater/core/errors';
import type { MapReply, MapRequest } from '@headwater/core/ports';
import { element, type Xml, xmlDocument, xmlText } from '@headwater/core/xml';

interface Exception {
  readonly code: string;
  readonly locator: string | undefined;
  readonly text: string;
  readonly status: number;
}

type ExceptionForm =
  | { readonly kind: 'service'; readonly version: string; readonly type: string }
  | { readonly kind: 'ows'; readonly version: string; readonly namespace: string }
  | { readonly kind: 'json'; readonly version: string }
  | { readonly kind: 'api' };

const XML = 'application/xml; charset=utf-8';
const SE_XML = 'application/vnd.ogc.se_xml; charset=utf-8';
const PROBLEM = 'application/problem+json; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

const OWS_10 = { kind: 'ows', version: '1.0.0', namespace: 'http://www.opengis.net/ows' } as const;
const OWS_11 = { kind: 'ows', version: '2.0.0', namespace: 'http://www.opengis.net/ows/1.1' } as const;
const OWS_20 = { kind: 'ows', version: '2.0.0', namespace: 'http://www.opengis.net/ows/2.0' } as const;

/** Forms of reports by service and version. Other versions have the form `newest`. */
const FORMS: Readonly<Record<string, Readonly<Record<string, ExceptionForm>> & { readonly newest: ExceptionForm }>> = {
  wfs: { '1.0.0': { kind: 'service', version: '1.2.0', type: XML }, '1.1.0': OWS_10, newest: OWS_11 },
  wcs: { '1.0.0': { kind: 'service', version: '1.2.0', type: SE_XML }, newest: OWS_20 },
  wms: {
    '1.1.1': { kind: 'service', version: '1.1.1', type: SE_XML },
    newest: { kind: 'service', version: '1.3.0', type: XML },
  },
};

const FORMAT_PARAMETERS = ['outputformat', 'exceptions'];
const WANTS_JSON = /^(?:application\/(?:geo\+)?json|json)\b/i;

/** Status by error code. Other codes are failures of the service. */
const STATUS: Readonly<Partial<Record<DomainError['code'], number>>> = { validation: 400, parse: 400, not_found: 404 };

const TITLES: Readonly<Record<number, string>> = { 400: 'Bad request', 404: 'Not found' };

/**
 * Response to a wrong request in the form of its protocol, or as JSON on request. Undefined for errors that the client
 * did not cause.
 */
export function exceptionReply(error: unknown, request: MapRequest): MapReply | undefined {
  const status = isDomainError(error) ? STATUS[error.code] : undefined;
  if (!isDomainError(error) || status === undefined) return undefined;
  const { ogcCode, locator } = error.details;
  const exception: Exception = {
    code: typeof ogcCode === 'string' ? ogcCode : 'NoApplicableCode',
    locator: typeof locator === 'string' ? locator : undefined,
    text: error.message,
    status,
  };
  const { type, body } = written(exception, formOf(request));
  return { status, headers: { 'content-type': type }, body };
}

function formOf({ segments, query }: MapRequest): ExceptionForm {
  if (segments[0] === 'ogc') return { kind: 'api' };
  const { version = '' } = query;
  if (FORMAT_PARAMETERS.some((name) => WANTS_JSON.test(query[name] ?? ''))) return { kind: 'json', version };
  const last = segments.at(-1) ?? '';
  const service = (last === 'ows' ? query['service'] : last)?.toLowerCase() ?? '';
  const forms = Object.hasOwn(FORMS, service) ? FORMS[service] : undefined;
  return forms === undefined ? OWS_20 : ((Object.hasOwn(forms, version) ? forms[version] : undefined) ?? forms.newest);
}

function written(exception: Exception, form: ExceptionForm): { readonly type: string; readonly body: string } {
  const { code, locator, text, status } = exception;
  if (form.kind === 'service') return { type: form.type, body: xmlDocument(serviceReport(exception, form.version)) };
  if (form.kind === 'ows') return { type: XML, body: xmlDocument(owsReport(exception, form)) };
  if (form.kind === 'api') {
    const problem = { title: TITLES[status], status, detail: text, code, ...located(locator) };
    return { type: PROBLEM, body: JSON.stringify(problem) };
  }
  const report = { version: form.version, code, status, exceptions: [{ code, ...located(locator), text }] };
  return { type: JSON_TYPE, body: JSON.stringify(report) };
}

const located = (locator: string | undefined): Record<string, string> => (locator === undefined ? {} : { locator });

function serviceReport({ code, locator, text }: Exception, version: string): Xml {
  const exception = element('ServiceException', { code, ...located(locator) }, xmlText(text));
  return element('ServiceExceptionReport', { version, xmlns: 'http://www.opengis.net/ogc' }, exception);
}

function owsReport(
  { code, locator, text }: Exception,
  { version, namespace }: Extract<ExceptionForm, { kind: 'ows' }>,
): Xml {
  const words = element('ows:ExceptionText', {}, xmlText(text));
  const exception = element('ows:Exception', { exceptionCode: code, ...located(locator) }, words);
  return element('ows:ExceptionReport', { 'xmlns:ows': namespace, version, 'xml:lang': 'en' }, exception);
}
