/** Draws measurements: an SVG with plots whose axes are both logarithmic. Pure. */

interface Line {
  name: string
  /** Above 0. */
  points: { x: number; y: number }[]
}

export interface Plot {
  title: string
  lines: Line[]
  /** Formats a number on the vertical axis. */
  format(value: number): string
}

const WIDTH = 460
const HEIGHT = 380
const MARGIN = { left: 64, right: 16, top: 36, bottom: 44 }
// Distinct for color-blind readers (Okabe and Ito, 2008), and on a dark background.
const COLOURS = '#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #888888 #a0522d #9467bd'.split(' ')

/** Draws plots side by side over the same numbers of records, with one legend below. */
export function drawPlots(plots: readonly Plot[]): string {
  const names = [...new Set(plots.flatMap(({ lines }) => lines.map(({ name }) => name)))]
  const colour = (name: string) => COLOURS[names.indexOf(name) % COLOURS.length] as string
  const rows = Math.ceil(names.length / 3)
  const [width, height] = [WIDTH * plots.length, HEIGHT + 22 * rows + 8]
  const legend = names.map((name, index) => {
    const [x, y] = [MARGIN.left + (index % 3) * 280, HEIGHT + 12 + 22 * Math.floor(index / 3)]
    return `<line x1="${x}" y1="${y}" x2="${x + 22}" y2="${y}" stroke="${colour(name)}" stroke-width="3"/><text x="${x + 30}" y="${y + 4}">${inXml(name)}</text>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12" fill="#808080">`,
    `<title>${inXml(plots.map(({ title }) => title).join(', '))} against records</title>`,
    ...plots.map((plot, index) => {
      return `<g transform="translate(${index * WIDTH} 0)">\n${draw(plot, colour)}\n</g>`
    }),
    ...legend,
    '</svg>\n',
  ].join('\n')
}

function draw({ title, lines, format }: Plot, colour: (name: string) => string): string {
  const points = lines.flatMap((line) => line.points)
  const x = scale(points, ({ x }) => x, MARGIN.left, WIDTH - MARGIN.right)
  const y = scale(points, ({ y }) => y, HEIGHT - MARGIN.bottom, MARGIN.top)
  const [left, right, bottom] = [MARGIN.left, WIDTH - MARGIN.right, HEIGHT - MARGIN.bottom]
  const grid = (x1: number, y1: number, x2: number, y2: number) =>
    `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="#808080" stroke-opacity="0.25"/>`
  return [
    `<text x="${left}" y="20" font-size="14">${inXml(title)}</text>`,
    ...y.ticks.flatMap((value) => {
      const at = round(y.at(value))
      const label = `<text x="${left - 8}" y="${at + 4}" text-anchor="end">${format(value)}</text>`
      return [grid(left, at, right, at), label]
    }),
    ...x.ticks.flatMap((value) => {
      const at = round(x.at(value))
      const text = value.toLocaleString('en', { notation: 'compact' })
      const label = `<text x="${at}" y="${bottom + 18}" text-anchor="middle">${text}</text>`
      return [grid(at, MARGIN.top, at, bottom), label]
    }),
    `<text x="${(left + right) / 2}" y="${bottom + 36}" text-anchor="middle">records</text>`,
    ...lines.flatMap((line) => {
      const places = line.points.map(({ x: records, y: value }) => {
        return [round(x.at(records)), round(y.at(value))] as const
      })
      const width = line === lines[0] ? 3.5 : 1.8
      const path = `<polyline points="${places.join(' ')}" fill="none" stroke="${colour(line.name)}" stroke-width="${width}"/>`
      const dots = places.map(([cx, cy]) => {
        return `<circle cx="${cx}" cy="${cy}" r="${width + 1}" fill="${colour(line.name)}"/>`
      })
      return [path, ...dots]
    }),
  ].join('\n')
}

/** A logarithmic axis over whole powers of ten. */
function scale<T>(points: T[], pick: (point: T) => number, from: number, to: number) {
  const powers = points.map((point) => Math.log10(pick(point)))
  const low = Math.floor(Math.min(...powers))
  const high = Math.max(low + 1, Math.ceil(Math.max(...powers)))
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, power) => 10 ** (low + power)),
    at: (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function inXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
