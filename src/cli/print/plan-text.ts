/** A dry run as text: a line for each change, and one for each step that would change nothing. */
import { isUnchanged, type PlannedObject, type PlanView, type StepView } from '../../model/planned-change.ts'

const isLater = ({ state }: StepView): boolean => state?.startsWith('known after') ?? false

/** @param besides changes that are not steps of the plan */
export function planText(view: PlanView, besides: readonly string[] = []): string {
  const { steps } = view
  const lines: string[] = [`plan to ${view.plan}: ${headOf(steps)}`]
  for (const [index, step] of steps.entries()) {
    const before = steps[index - 1]
    if (!before || !isUnchanged(before) || !isUnchanged(step)) lines.push('')
    lines.push(`${index + 1}. ${step.id}: ${step.title}, on ${step.on}${whenOf(step)}`, ...linesOf(step))
  }
  if (besides.length) lines.push('', 'also changed:', ...besides.map(what => `   ~ ${what}`))
  return [...lines, '', endOf(steps, besides)].join('\n')
}

function headOf(steps: readonly StepView[]): string {
  const all = steps.length === 1 ? '1 step' : `${steps.length} steps`
  if (steps.every(step => step.state === undefined)) return all
  const later = steps.filter(isLater).length
  const change = steps.filter(step => !isUnchanged(step)).length - later
  if (change + later === 0) return `${all}; nothing would change`
  const parts = [
    ...(change ? [`${change} ${change === 1 ? 'changes' : 'change'} something`] : []),
    ...(later ? [`${later} ${later === 1 ? 'depends' : 'depend'} on earlier steps`] : []),
  ]
  return `${all}; ${parts.join(', ')}`
}

function whenOf(step: StepView): string {
  if (isUnchanged(step)) return `: unchanged${step.waits === undefined ? '' : `, and not ready yet (${step.waits})`}`
  const after = step.needs.length ? ` (after ${step.needs.join(', ')})` : ''
  return `${after}${step.state === undefined ? '' : `: ${step.state}`}`
}

function linesOf(step: StepView): string[] {
  if (isUnchanged(step)) return []
  return [
    ...step.does.map(line => `   - ${line}`),
    ...step.objects.map(planned => `   ${signOf(step, planned)} ${planned.name}`),
    ...step.deletes.map(deleted => `   - delete ${deleted}`),
    ...(step.gives.length ? [`   = gives ${step.gives.join(', ')}`] : []),
  ]
}

/** `?`: coe does not know yet whether it would change. */
const signOf = ({ state }: StepView, { would }: PlannedObject): string =>
  would === 'change' ? '~' : would === 'apply' && state !== undefined ? '?' : '+'

function endOf(steps: readonly StepView[], besides: readonly string[]): string {
  if (!steps.every(isUnchanged) || besides.length) return 'Nothing was changed. -f yaml shows the objects.'
  const waits = steps.filter(step => step.waits !== undefined).map(step => step.id)
  return waits.length ? `Nothing would change; waiting for: ${waits.join(', ')}.` : 'Nothing would change.'
}
