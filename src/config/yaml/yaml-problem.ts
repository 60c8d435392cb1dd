/**
 * Errors for mistakes in a YAML file, with their position. The parser's own messages may quote a password, so coe words
 * its own.
 */

import { type CoeError, usage } from '../../core/errors.ts'
import { excerptOf } from './excerpt.ts'
import type { YAMLError } from './yaml-parser.ts'

interface Place {
  line: number
  col: number
}

export function yamlProblem(
  error: YAMLError,
  text: string,
  placeOf: (offset: number) => Place,
  path: string,
  what: string,
): CoeError {
  const atEnd = text.slice(error.pos[0]).trim() === ''
  const unclosed = /quote/.test(error.message)
  // the parser notices an unclosed quote or bracket only at the end of the file, far from the mistake
  const place = (unclosed && openQuote(text)) || placeOf(atEnd ? text.trimEnd().length : error.pos[0])
  const reason = unclosed
    ? 'a quote is opened and never closed'
    : atEnd
      ? 'the file ends within a value; is a bracket not closed?'
      : reasonOf(error)
  return problem(path, what, text, place, reason)
}

export function problem(path: string, what: string, text: string, place: Place, reason: string): CoeError {
  const column = Math.max(1, place.col)
  const where = `line ${place.line}, column ${column}`
  return usage(`cannot read the ${what} ${path}, ${where}: ${reason}\n${excerptOf(text, place.line, column)}`, {
    hint: /quote|"\*"/.test(reason) ? 'put values with special characters in single quotes' : undefined,
    details: { file: path, line: place.line, column },
  })
}

function openQuote(text: string): Place | undefined {
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const match = /^[^"'#]*[:\-[{,]\s+(["'])/.exec(line) ?? /^\s*(["'])/.exec(line)
    if (match && !line.slice(match[0].length).includes(match[1] as string))
      return { line: index + 1, col: match[0].length }
  }
  return undefined
}

function reasonOf(error: YAMLError): string {
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return 'a tab is used to indent; YAML requires spaces'
    case 'BAD_INDENT':
      return 'this line is not indented like the others of its block'
    case 'MISSING_CHAR':
      return 'a character is missing here, or a bracket is not closed'
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'a key and value are not expected here; is this line indented wrongly, or a quote missing?'
    case 'MULTILINE_IMPLICIT_KEY':
      return 'a ":" is missing after the key, or the line is indented wrongly'
    case 'BAD_SCALAR_START':
      return 'a value that begins with this character must be in quotes'
    case 'BAD_ALIAS':
      return 'an alias (*name) or anchor (&name) is malformed'
    case 'BAD_DQ_ESCAPE':
      return 'a backslash in double quotes begins an unknown escape; use single quotes'
    case 'MULTIPLE_DOCS':
      return 'a second document begins here; the file must have only one'
    default:
      return 'this is not valid YAML'
  }
}
