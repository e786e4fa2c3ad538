/** The beginning of a report, by which the next build knows what it may replace. */
export const REPORT_MARK = '<!doctype html><!-- ManyURLs: a report of build-data -->\n'
