import { compareInstants, isUtcText, isRfc3339UtcText } from '../instant.ts';
import { isList, isObject } from '../json.ts';
import { checkBox } from './bbox.ts';
import { at, type Report } from './report.ts';

/** Checks a Collection's extent: boxes, and intervals in UTC whose start is not after their end. */
export function checkExtent(report: Report, extent: unknown): void {
  if (!isObject(extent)) {
    report.add('/extent', {
      rule: 'extent',
      got: extent,
      expected: '{spatial: {bbox}, temporal: {interval}}',
      fix: 'compute it from the Items',
      source: 'stac',
    });
    return;
  }
  const { spatial, temporal } = extent;
  checkBoxes(report, isObject(spatial) ? spatial['bbox'] : undefined);
  checkIntervals(report, isObject(temporal) ? temporal['interval'] : undefined);
}

function checkBoxes(report: Report, boxes: unknown): void {
  const pointer = '/extent/spatial/bbox';
  const isPair = isList(boxes) && boxes.length === 2;
  if (!isList(boxes) || boxes.length === 0 || isPair) {
    report.add(pointer, {
      rule: 'extent.bbox-count',
      // Two boxes cause only a warning in a document of STAC 1.0.0, because 1.0.0 has no rule against them.
      severity: isPair && report.isV100 ? 'warning' : 'error',
      got: boxes,
      expected: 'one bbox, or an overall bbox followed by at least two parts',
      fix: 'write only the overall bbox',
      source: 'stac',
    });
    if (!isList(boxes)) return;
  }
  boxes.forEach((box, index) => {
    checkBox(report, at(pointer, index), box);
  });
}

function checkIntervals(report: Report, intervals: unknown): void {
  const pointer = '/extent/temporal/interval';
  if (!isList(intervals) || intervals.length === 0) {
    report.add(pointer, {
      rule: 'extent.interval',
      got: intervals,
      expected: 'a list of [start, end]',
      fix: 'write one interval that contains all Items',
      source: 'stac',
    });
    return;
  }
  intervals.forEach((interval, index) => {
    checkInterval(report, at(pointer, index), interval);
  });
}

function checkInterval(report: Report, pointer: string, interval: unknown): void {
  const isPair = isList(interval) && interval.length === 2;
  if (!isPair || !interval.every((end) => end === null || isUtcText(end))) {
    const isTolerated = isPair && !report.isHeadwater && interval.every((end) => end === null || isRfc3339UtcText(end));
    report.add(pointer, {
      rule: 'extent.interval',
      severity: isTolerated ? 'warning' : 'error',
      got: interval,
      expected: '[start, end], each RFC 3339 in UTC or null',
      fix: 'convert to UTC, write it as 2024-07-01T00:00:00Z',
      source: 'stac',
    });
    return;
  }
  const [start, end] = interval;
  if ((start === undefined || start === null) && (end === undefined || end === null)) {
    report.add(pointer, {
      rule: 'extent.interval-open',
      severity: 'warning',
      got: interval,
      expected: 'at most one null',
      fix: 'write the start or the end',
      source: 'stac',
    });
  }
  if (start !== undefined && start !== null && end !== undefined && end !== null && compareInstants(start, end) > 0) {
    report.add(pointer, {
      rule: 'datetime.order',
      got: interval,
      expected: 'start not after end',
      fix: 'exchange them',
      source: 'stac',
    });
  }
}
