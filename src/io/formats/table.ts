import CliTable from 'cli-table3'
import { fitWidths } from './fit.ts'
import { breakLine, fitTerminal, leastWidth } from './fit-terminal.ts'
import { pyStr } from './python.ts'
import { displayWidth } from './width.ts'
import { wrapLine } from './wrap.ts'

/** The bordered table of the openstack client (PrettyTable's layout). The only file that uses cli-table3. */
export interface TableText {
  columns: readonly string[]
  rows: readonly (readonly unknown[])[]
  /** Which columns are aligned right: those of numbers. */
  right: readonly boolean[]
  /** Undefined: no limit. */
  width: number | undefined
  /** The smallest width that a column is narrowed to. `terminal` keeps words complete, for reading. */
  least: number | 'terminal'
  /** Columns that a terminal shows complete as long as the others can be narrowed, the most important first. */
  keys?: readonly number[] | undefined
  /** Colours one line of a cell after its layout. */
  paint?: ((line: string, column: number, row: number) => string) | undefined
}

type Lines = readonly string[]

export function tableText(table: TableText): string {
  const head = table.columns.map(linesOf)
  const body = table.rows.map(row => row.map(linesOf))
  const natural = table.columns.map((_, column) => widestIn([head, ...body], column))
  const forTerminal = table.least === 'terminal'
  const fitted = columnWidths(table, natural, head, body)
  // the stock client's header is never cut
  const limits = forTerminal ? fitted : fitted.map((width, column) => Math.max(width, widest(head[column] ?? [])))
  const wrap = (row: Lines[]) => row.map((lines, x) => wrapCell(lines, limits[x] as number, forTerminal))
  const header = forTerminal ? wrap(head) : head
  const wrapped = body.map(wrap)
  const widths = forTerminal ? natural.map((_, column) => widestIn([header, ...wrapped], column)) : limits
  const { rule, seams } = frame(widths)
  const line = (cells: readonly string[]): string =>
    cells.reduce((text, cell, x) => text + cell + seams[x + 1], seams[0] ?? '')
  const lay = (row: Lines[], y: number | undefined): string[] => {
    const height = Math.max(...row.map(lines => lines.length))
    return Array.from({ length: height }, (_, at) =>
      line(
        row.map((lines, x) => {
          const text = lines[at] ?? ''
          const padding = ' '.repeat(Math.max(0, (widths[x] as number) - displayWidth(text)))
          const painted = y === undefined ? text : (table.paint?.(text, x, y) ?? text)
          return table.right[x] ? padding + painted : painted + padding
        }),
      ),
    )
  }
  return `${[rule, ...lay(header, undefined), rule, ...wrapped.flatMap(lay), rule].join('\n')}\n`
}

function columnWidths({ width, least, keys }: TableText, natural: number[], head: Lines[], body: Lines[][]): number[] {
  if (width === undefined) return natural
  if (least !== 'terminal') return fitWidths(natural, width, least)
  const leasts = head.map((header, column) =>
    leastWidth(
      header,
      body.map(row => row[column] ?? []),
    ),
  )
  return fitTerminal(natural, leasts, width, keys)
}

/**
 * The borders: a rule, and the seams left of, between and right of the cells. cli-table3 draws them once, around marks.
 * The texts are inserted here because cli-table3 measures emoji and combining marks differently from Python, cuts them,
 * and takes seconds for thousands of rows.
 */
function frame(widths: readonly number[]): { rule: string; seams: string[] } {
  const mark = '\ue000'
  const none = {
    mid: '',
    'left-mid': '',
    'mid-mid': '',
    'right-mid': '',
    bottom: '',
    'bottom-left': '',
    'bottom-mid': '',
    'bottom-right': '',
  }
  const grid = new CliTable({
    chars: { ...none, top: '-', 'top-left': '+', 'top-mid': '+', 'top-right': '+', left: '|', middle: '|', right: '|' },
    colWidths: widths.map(width => width + 2),
    style: { head: [], border: [], 'padding-left': 1, 'padding-right': 1 },
  })
  grid.push(widths.map(() => mark))
  const [rule = '', line = ''] = grid.toString().split('\n')
  return { rule, seams: line.split(/\ue000 *(?= )/) }
}

const linesOf = (value: unknown): Lines =>
  (typeof value === 'string' ? value.replaceAll('\r\n', '\n').replaceAll('\r', ' ') : pyStr(value)).split('\n')

const widest = (lines: Lines): number => lines.reduce((most, line) => Math.max(most, displayWidth(line)), 0)

const widestIn = (rows: readonly Lines[][], column: number): number =>
  rows.reduce((most, row) => Math.max(most, widest(row[column] ?? [])), 1)

const wrapCell = (lines: Lines, width: number, forTerminal: boolean): Lines =>
  lines.flatMap(line => {
    if (displayWidth(line) <= width) return [line]
    const wrapped = forTerminal ? breakLine(line, width) : wrapLine(line, width)
    return wrapped.length ? wrapped : ['']
  })
