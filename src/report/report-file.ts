/** Which file a report may be written to. */
import fs from 'node:fs'
import path from 'node:path'
import { BuildError, onDisk } from '../machine/errors.ts'
import { readStart } from '../machine/files.ts'

/** How every report begins. */
export const REPORT_MARK = '<!doctype html><!-- ManyURLs: a report of build-data -->\n'

/** How many problems, files and conflicts of a collection a report shows, and changes of each kind. */
export const MOST_REPORTED = 1_000

/** A name such as `report.html`. No batch, schema or file of the dataset has one. */
const HTML_NAME = /\.html$/i

/** Refuses a file that can't be written, and one that is neither new nor an earlier report. */
export function refuseUnwritable(file: string): void {
  if (!HTML_NAME.test(file)) {
    throw new BuildError(`--report must name an HTML file, such as report.html, but is ${file}`)
  }

  onDisk(`write the report ${file}`, () => {
    fs.accessSync(path.join(path.dirname(file), '/'), fs.constants.W_OK)

    const isNew = !fs.lstatSync(file, { throwIfNoEntry: false })
    if (isNew || isReport(file)) return
    throw new BuildError(
      `${file} is not a report of a build, so it is not replaced; name a new file`,
    )
  })
}

function isReport(file: string): boolean {
  const isFile = fs.statSync(file, { throwIfNoEntry: false })?.isFile()
  return Boolean(isFile) && readStart(file, REPORT_MARK.length) === REPORT_MARK
}
