/** How texts look where they are printed. The command makes a style for its terminal. */

type Paint = (text: string) => string

export interface Style {
  /** How wide the lines of a file around a problem may be. */
  columns: number
  /** Where a problem is. */
  place: Paint
  /** What is wrong: the marks below a line, and how many problems there are. */
  fault: Paint
  /** The name of a warning. */
  warning: Paint
  /** What stands beside the text, such as line numbers. */
  faint: Paint
}

function same(text: string): string {
  return text
}

/** For a pipe, a browser and GitHub. */
export const UNSTYLED: Style = {
  columns: 80,
  place: same,
  fault: same,
  warning: same,
  faint: same,
}
