/** In standalone mode the contexts are what everything stands on: the way to each server, the login, its clock, and what one may do there. */
import type { Context } from '../../cli/context.ts'
import { mapLimit, resultOf } from '../../core/concurrency.ts'
import { CoeError } from '../../core/errors.ts'
import type { ContextAnswers, ContextCheck, ContextConnection } from '../../model/context-check.ts'
import { checkCertificate } from './certificate.ts'
import { type Check, failure, ok, skip, warn, within } from './check.ts'
import { checkClock } from './clock.ts'
import { proxied, reach, type Target } from './network.ts'

/** Dead ones cost their time limits side by side. */
const atOnce = 512
/** All contexts together; those that are not begun by then are named. */
const enoughMs = 60_000
const usualMs = 10_000

/** @param limitMs for each step of each context */
export async function checkContexts(context: Context, limitMs = usualMs): Promise<Check[]> {
  const { contexts } = await context.backend()
  const found = await resultOf(contexts?.checks(context.call, limitMs) ?? Promise.resolve([]))
  if (!found.ok) return [] // the check of the kubeconfig tells it
  const enough = AbortSignal.timeout(enoughMs)
  const checks = await mapLimit(found.value, atOnce, async exam => {
    if (enough.aborted) return [skip(nameOf(exam), 'not looked at: others took a minute')]
    return examine(context, exam, limitMs)
  })
  return checks.flat()
}

const nameOf = ({ name }: ContextCheck): string => `context ${name}`

/** One line where all is well; else a line for each thing that is not. */
async function examine(context: Context, exam: ContextCheck, limitMs: number): Promise<Check[]> {
  const label = nameOf(exam)
  const way = await resultOf(exam.connection())
  if (!way.ok) return [failure(`${label} kubeconfig`, way.error)]
  const target: Target = {
    label,
    name: `the API server of "${exam.name}"`,
    url: way.value.server,
    proxy: way.value.proxyUrl ?? proxied(context, way.value.server),
    signal: context.signal,
    limitMs,
  }
  const reached = await resultOf(throughNetwork(context, target, way.value))
  if (!reached.ok) return [failure(`${label} tcp`, reached.error)]
  const network = reached.value
  const wrong = network.filter(check => check.status === 'fail')
  if (wrong.length) return wrong
  const doubtful = network.filter(check => check.status === 'warn')
  const answers = await resultOf(within(1.5 * limitMs, context.signal, signal => exam.ask(signal)))
  if (!answers.ok) return [...doubtful, login(label, answers.error)]
  const { date, may } = answers.value
  const clock = { ...checkClock([{ headers: { date } }], context.world.clock.now()), check: `${label} clock` }
  const rights = checkRights(label, may)
  const found = [...doubtful, clock, rights].filter(check => check.status === 'warn' || check.status === 'fail')
  return found.length ? found : [ok(label, summary(way.value, answers.value))]
}

async function throughNetwork(context: Context, target: Target, way: ContextConnection): Promise<Check[]> {
  const steps = await reach(target)
  if (steps.some(step => step.status === 'fail')) return steps
  const trust = {
    ca: way.ca,
    verify: !way.insecure,
    unverified: 'a certificate-authority in the kubeconfig, in place of insecure-skip-tls-verify, has it verified',
    serverName: way.serverName,
    hint: way.trustHint,
  }
  return [...steps, await checkCertificate(target, trust, context.world.clock.now())]
}

/** A plugin that can only ask is left alone: that it was not tried is no fault. */
function login(label: string, error: unknown): Check {
  const check = `${label} login`
  if (!(error instanceof CoeError) || error.details.code !== 'PLUGIN_NOT_STARTED') return failure(check, error)
  return {
    check,
    status: 'skip',
    detail: error.message,
    remedy: 'kubectl, or a command that names this context, starts it',
  }
}

function checkRights(label: string, may: ContextAnswers['may']): Check {
  const check = `${label} rights`
  if (!may || may.host || may.member) return ok(check, '')
  return warn(
    check,
    'whom it logs in as may make this cluster neither host nor member of a federation',
    'only needed for that: docs/rbac.md has the roles, which an administrator of the cluster can apply',
  )
}

function summary({ server }: ContextConnection, { version, user, may }: ContextAnswers): string {
  const who = user ? `, as ${user}` : ''
  const roles = [may?.host && 'host', may?.member && 'member'].filter(Boolean)
  return `${server}: ${version}${who}${roles.length ? `; can be ${roles.join(' and ')} of federations` : ''}`
}
