/** One line that shows how a command is written. */
import type { AnyCommand, ArgSpec, OptionSpec } from '../spec.ts'

export function synopsis(command: AnyCommand): string {
  const parts = [command.words]
  for (const option of Object.values(command.options as Record<string, OptionSpec>)) {
    if (option.required) parts.push(`--${option.name} <${option.value}>`)
  }
  for (const [key, spec] of Object.entries(command.args as Record<string, ArgSpec>)) {
    const name = `<${spec.label ?? key}>${spec.many ? '...' : ''}`
    parts.push(spec.optional ? `[${name}]` : name)
  }
  parts.push('[options]')
  return parts.join(' ')
}
