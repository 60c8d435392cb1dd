/** Checks this machine: settings, proxies, saved tokens, kubeconfigs. */
import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { loadKubeconfig } from '../../config/kubeconfig/kubeconfig-read.ts'
import { coePaths } from '../../config/paths.ts'
import { resultOf } from '../../core/concurrency.ts'
import { othersMayRead } from '../../core/files.ts'
import { whyUnused } from '../../core/own-file.ts'
import { shellWord } from '../../core/shell-word.ts'
import { plural } from '../../core/text.ts'
import { shownUrl } from '../../http/failure.ts'
import { type Check, fail, ok, skip, warn } from './check.ts'

export async function checkSettings(context: Context): Promise<Check> {
  const settings = await context.settings()
  const { file, warnings } = settings
  if (warnings.length > 0)
    return warn('settings', warnings.join('; '), 'correct the file: these settings have no effect')
  const written = settings.all().some(s => s.setting.source === 'file')
  return ok('settings', written ? `${file}` : `all defaults (${file ?? 'no home folder'})`)
}

const variables = ['https_proxy', 'http_proxy', 'all_proxy', 'no_proxy'].flatMap(name => [name, name.toUpperCase()])

export async function checkProxies({ world }: Context): Promise<Check> {
  const set = variables.filter(name => world.env[name])
  const proxies = set.filter(name => !/^no_proxy$/i.test(name))
  if (proxies.length === 0) return ok('proxies', 'none')
  const shown = set
    .map(name => `${name}=${/^no_/i.test(name) ? world.env[name] : bare(world.env[name] ?? '')}`)
    .join(', ')
  const wrong = proxies.find(name => !isHttp(world.env[name] ?? ''))
  if (wrong)
    return fail('proxies', `${wrong} is not an HTTP proxy (${shown})`, 'coe supports http:// and https:// proxies')
  return ok('proxies', shown)
}

const urlOf = (proxy: string): string => (proxy.includes('://') ? proxy : `http://${proxy}`)
const bare = (proxy: string): string => shownUrl(urlOf(proxy)).replace(/\/$/, '')
const isHttp = (proxy: string): boolean => /^https?:\/\/[^/]/.test(urlOf(proxy)) && URL.canParse(urlOf(proxy))

export async function checkTokenCache(context: Context): Promise<Check> {
  const check = 'token cache'
  const settings = await context.settings()
  const { value, origin } = settings.get('token_cache')
  if (!value)
    return warn(check, `tokens are not saved (${origin})`, 'every run logs in again; token_cache: true saves them')
  const { cache } = coePaths(context.world)
  if (cache === undefined)
    return warn(check, 'no home folder: tokens are not saved', 'name a folder for them with COE_CACHE_DIR')
  const folder = join(cache, 'tokens')
  const place = await nearest(folder)
  const writable = await resultOf(access(place, constants.W_OK))
  if (!writable.ok) {
    return warn(check, `cannot write to ${place}: tokens are not saved`, 'name another folder with COE_CACHE_DIR')
  }
  if (place !== folder) return ok(check, `${folder} (created when needed)`)
  const names = (await readdir(folder)).filter(name => name.endsWith('.json'))
  const open = await Promise.all([folder, ...names.map(n => join(folder, n))].map(othersMayRead))
  if (open.includes(true)) return fail(check, `other users can read ${folder}`, `chmod -R go= ${shellWord(folder)}`)
  const odd = names.map(name => join(folder, name)).find(file => whyUnused(file, context.world.uid) !== undefined)
  if (odd !== undefined) {
    return warn(check, `${odd} is not used: ${whyUnused(odd, context.world.uid)}`, `rm ${shellWord(odd)}`)
  }
  return ok(check, `${folder} (${plural(names.length, 'token')}), readable only by you`)
}

/** The path, or its nearest parent that exists. */
async function nearest(path: string): Promise<string> {
  for (let place = path; ; place = dirname(place)) {
    if ((await resultOf(stat(place))).ok || place === dirname(place)) return place
  }
}

export async function checkKubeconfig({ world, globals }: Context, needed: boolean): Promise<Check> {
  const check = 'kubeconfig'
  const config = await loadKubeconfig(world, { kubeconfig: globals.kubeconfig })
  const { files, paths, contexts, currentContext, warnings } = config
  if (files.length === 0) {
    const none = `there is none (${paths.join(', ') || 'no home folder'})`
    if (!needed) return skip(check, `${none}; standalone mode needs one`)
    return warn(check, `${none}, and standalone mode needs one`, 'name it with KUBECONFIG or --kubeconfig')
  }
  const what = `${files.join(', ')}: ${plural(contexts.size, 'context')}, current ${currentContext?.name ?? 'none'}`
  if (warnings.length > 0) return warn(check, warnings.join('; '), 'correct the file')
  if (currentContext && !contexts.has(currentContext.name)) {
    return warn(check, `${what}, which does not exist`, 'kubectl config use-context NAME')
  }
  const open: string[] = []
  for (const file of files) if (world.platform !== 'win32' && (await othersMayRead(file))) open.push(file)
  if (open.length > 0)
    return warn(
      check,
      `${what}; other users can read it, including keys and tokens`,
      `chmod go= ${open.map(shellWord).join(' ')}`,
    )
  return ok(check, what)
}
