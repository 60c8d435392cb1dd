/** Checks the cloud in the order of dependencies. A failed check is the reason for skipping later ones. */

import type { Context } from '../../cli/context.ts'
import { preferredCloud } from '../../cli/mode.ts'
import { cloudFlags } from '../../cli/options/globals.ts'
import { chooseCloud } from '../../config/clouds/cloud-choice.ts'
import { asksKeystone } from '../../config/clouds/login-kinds.ts'
import { resultOf } from '../../core/concurrency.ts'
import { othersMayRead } from '../../core/files.ts'
import { shellWord } from '../../core/shell-word.ts'
import type { CloudSession } from '../../openstack/session.ts'
import { tlsFor } from '../../openstack/tls-files.ts'
import { checkCertificate, type Trust } from './certificate.ts'
import { type Check, checked, failure, ok, skip, warn, within } from './check.ts'
import { checkClock, type Dated } from './clock.ts'
import { type CheckedResponse, checkKeystone, checkLogin } from './keystone.ts'
import { checkMagnum } from './magnum.ts'
import { proxied, reach, type Target } from './network.ts'

const keystoneChecks = ['keystone dns', 'keystone tcp', 'keystone tls', 'keystone api', 'login']
const magnumChecks = ['catalog', 'magnum dns', 'magnum tcp', 'magnum tls', 'magnum api']

export async function checkCloud(context: Context): Promise<Check[]> {
  const opened = await resultOf(openCloud(context))
  if (!opened.ok)
    return [failure('cloud', opened.error), ...skipped([...keystoneChecks, ...magnumChecks, 'clock'], 'no cloud')]
  const { session, detail } = opened.value
  if (!session) return [skip('cloud', detail)]
  const keystone = await keystoneSide(context, session)
  const magnum = keystone.loggedIn
    ? await magnumSide(context, session)
    : { checks: skipped(magnumChecks, 'the login did not work'), dated: [] }
  const clock = context.world.env.COE_SANDBOX
    ? ok('clock', 'not compared: the sandbox has its own clock, which runs faster')
    : checkClock([...keystone.dated, ...magnum.dated], context.world.clock.now())
  return [await described(context, session, detail), ...keystone.checks, ...magnum.checks, clock]
}

async function openCloud(context: Context): Promise<{ session?: CloudSession; detail: string }> {
  const settings = await context.settings()
  const choice = await chooseCloud(context.world, cloudFlags(context.globals), preferredCloud(settings))
  if (choice.kind === 'none') return { detail: `none is configured (${choice.origin}): only standalone mode works` }
  const session = await context.cloud()
  const { name, files } = session.cloud
  return { session, detail: `${name}, chosen by ${choice.origin}${files.length ? ` (${files.join(', ')})` : ''}` }
}

const secrets = ['password', 'token', 'application_credential_secret', 'passcode'].map(name => `auth.${name}`)

/** The check of the cloud: warns if other users can read its credentials. */
async function described({ world }: Context, { cloud }: CloudSession, detail: string): Promise<Check> {
  const holding = cloud.files.filter(file => secrets.some(name => cloud.origins.get(name)?.startsWith(`${file}:`)))
  const open: string[] = []
  for (const file of holding) if (world.platform !== 'win32' && (await othersMayRead(file))) open.push(file)
  if (open.length === 0) return ok('cloud', detail)
  const remedy = `chmod go= ${open.map(shellWord).join(' ')}`
  return warn('cloud', `${detail}; other users can read ${open.join(' and ')} and log in with it`, remedy)
}

interface Side {
  checks: Check[]
  /** Answers that may contain the server's time. */
  dated: (Dated | undefined)[]
}

/** @returns loggedIn: whether Magnum can be checked, too */
async function keystoneSide(context: Context, session: CloudSession): Promise<Side & { loggedIn: boolean }> {
  const url = session.cloud.auth.auth_url
  if (url === undefined || !asksKeystone(session.authType)) {
    const detail = `auth type ${session.authType} does not use Keystone`
    return { checks: skipped(keystoneChecks, detail), dated: [], loggedIn: true }
  }
  const { checks, open } = await checkConnection(context, session, 'keystone', 'Keystone', url)
  if (!open) {
    const rest = skipped(['keystone api', 'login'], 'Keystone cannot be reached')
    return { checks: [...checks, ...rest], dated: [], loggedIn: false }
  }
  const api = await checkKeystone(session, url, context.signal)
  const none = { check: skip('login', 'not checked: the Keystone API does not work') }
  const login: CheckedResponse = api.check.status === 'fail' ? none : await checkLogin(context, session)
  return {
    checks: [...checks, api.check, login.check],
    dated: [api.response, login.response],
    loggedIn: login.check.status === 'ok',
  }
}

async function magnumSide(context: Context, session: CloudSession): Promise<Side> {
  const found = await resultOf(within(15_000, context.signal, () => session.magnumUrl()))
  const later = (why: string) => skipped(magnumChecks.slice(1), why)
  if (!found.ok) return { checks: [failure('catalog', found.error), ...later('its address is unknown')], dated: [] }
  const url = found.value
  const catalog = ok('catalog', `Magnum is at ${url}${session.cloud.endpointOverride ? ' (override)' : ''}`)
  const { checks, open } = await checkConnection(context, session, 'magnum', 'Magnum', url)
  if (!open) return { checks: [catalog, ...checks, skip('magnum api', 'Magnum cannot be reached')], dated: [] }
  const { check, response } = await checkMagnum(session, context.signal)
  return { checks: [catalog, ...checks, check], dated: [response] }
}

async function checkConnection(context: Context, session: CloudSession, label: string, name: string, url: string) {
  const target: Target = { label, name, url, proxy: proxied(context, url), signal: context.signal }
  const reached = await resultOf(reach(target))
  const steps = reached.ok ? reached.value : [failure(`${label} dns`, reached.error)]
  const tls = `${label} tls`
  if (steps.some(s => s.status === 'fail'))
    return { checks: [...steps, skip(tls, 'it cannot be reached')], open: false }
  const certificate = await checked(tls, async () =>
    checkCertificate(target, await trustOf(session, url), context.world.clock.now()),
  )
  return { checks: [...steps, certificate], open: certificate.status !== 'fail' }
}

const trustOf = async ({ cloud }: CloudSession, url: string): Promise<Trust> => ({
  ca: (await tlsFor(cloud, url)).ca,
  verify: cloud.verify,
  unverified: 'remove --insecure (verify: false)',
})

const skipped = (checks: readonly string[], why: string): Check[] => checks.map(c => skip(c, `not checked: ${why}`))
