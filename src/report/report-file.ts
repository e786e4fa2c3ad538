/** Which file a report may be written to. */
import fs from 'node:fs'
import path from 'node:path'
import { BuildError, onDisk } from '../machine/errors.ts'
import { readStart } from '../machine/files.ts'

/** How every report begins. */
export const REPORT_MARK = '<!doctype html><!-- ManyURLs: a report of build-data -->\n'

/** Refuses what cannot be written, and what is neither a new file nor an earlier report. */
export function refuseUnwritable(file: string): void {
  // No batch, schema or file of the dataset has such a name.
  if (!/\.html$/i.test(file)) {
    throw new BuildError(`--report names an HTML file, such as report.html, not ${file}`)
  }
  onDisk(`write the report ${file}`, () => {
    fs.accessSync(path.join(path.dirname(file), '/'), fs.constants.W_OK)
    if (!fs.lstatSync(file, { throwIfNoEntry: false })) return
    const isFile = fs.statSync(file, { throwIfNoEntry: false })?.isFile()
    if (isFile && readStart(file, REPORT_MARK.length) === REPORT_MARK) return
    throw new BuildError(`${file} is no report of a build, so it is not replaced; name a new file`)
  })
}
