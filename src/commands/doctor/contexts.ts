/** Checks each context, which standalone mode depends on: the connection, the login, the clock and the user's rights. */
import type { Context } from '../../cli/context.ts'
import { mapLimit, resultOf } from '../../core/concurrency.ts'
import { CoeError } from '../../core/errors.ts'
import type { ContextAnswers, ContextCheck, ContextConnection } from '../../model/context-check.ts'
import { checkCertificate } from './certificate.ts'
import { type Check, failure, ok, skip, warn, within } from './check.ts'
import { checkClock } from './clock.ts'
import { proxied, reach, type Target } from './network.ts'

/** High, so that contexts that do not answer reach their time limits in parallel. */
const atOnce = 512
/** For all contexts together. Contexts that were not begun by then are skipped. */
const enoughMs = 60_000
const usualMs = 10_000

/** @param limitMs for each step of each context */
export async function checkContexts(context: Context, limitMs = usualMs): Promise<Check[]> {
  const { contexts } = await context.backend()
  const found = await resultOf(contexts?.checks(context.call, limitMs) ?? Promise.resolve([]))
  if (!found.ok) return [] // the check of the kubeconfig reports it
  const enough = AbortSignal.timeout(enoughMs)
  const checks = await mapLimit(found.value, atOnce, async exam => {
    if (enough.aborted) return [skip(nameOf(exam), 'not checked: the other contexts took a minute')]
    return examine(context, exam, limitMs)
  })
  return checks.flat()
}

const nameOf = ({ name }: ContextCheck): string => `context ${name}`

/** One row if all is well, otherwise a row for each problem. */
async function examine(context: Context, exam: ContextCheck, limitMs: number): Promise<Check[]> {
  const label = nameOf(exam)
  const connection = await resultOf(exam.connection())
  if (!connection.ok) return [failure(`${label} kubeconfig`, connection.error)]
  const target: Target = {
    label,
    name: `the API server of "${exam.name}"`,
    url: connection.value.server,
    proxy: connection.value.proxyUrl ?? proxied(context, connection.value.server),
    signal: context.signal,
    limitMs,
  }
  const reached = await resultOf(throughNetwork(context, target, connection.value))
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
  return found.length ? found : [ok(label, summary(connection.value, answers.value))]
}

async function throughNetwork(context: Context, target: Target, connection: ContextConnection): Promise<Check[]> {
  const steps = await reach(target)
  if (steps.some(step => step.status === 'fail')) return steps
  const trust = {
    ca: connection.ca,
    verify: !connection.insecure,
    unverified: 'replace insecure-skip-tls-verify in the kubeconfig by a certificate-authority',
    serverName: connection.serverName,
    hint: connection.trustHint,
  }
  return [...steps, await checkCertificate(target, trust, context.world.clock.now())]
}

/** A plugin that must prompt is not started, which is not a failure. */
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
    'its user may make this cluster neither the host nor a member of a federation',
    'needed only for federations: an administrator of the cluster can apply the roles in docs/rbac.md',
  )
}

function summary({ server }: ContextConnection, { version, user, may }: ContextAnswers): string {
  const who = user ? `, as ${user}` : ''
  const roles = [may?.host && 'as host', may?.member && 'as member'].filter(Boolean)
  return `${server}: ${version}${who}${roles.length ? `; usable ${roles.join(' and ')} of federations` : ''}`
}
