/** Turns `as`, `as-uid`, `as-groups` and `as-user-extra` of a kubeconfig user into request headers. */
import type { KubeAccess } from '../../config/kubeconfig/kubeconfig.ts'
import { usage } from '../../core/errors.ts'

export function impersonation(user: KubeAccess['user'], access: KubeAccess): Record<string, string | string[]> {
  const as = text(user.as)
  const groups = list(user['as-groups'])
  const uid = text(user['as-uid'])
  const extra = Object.entries((user['as-user-extra'] ?? {}) as Record<string, unknown>)
  if (!as) {
    if (groups.length || uid || extra.length) {
      throw usage(`the user of context "${access.name}" has as-groups, as-uid or as-user-extra, but no "as"`)
    }
    return {}
  }
  return {
    'impersonate-user': as,
    ...(uid ? { 'impersonate-uid': uid } : {}),
    ...(groups.length ? { 'impersonate-group': groups } : {}),
    // keys may contain characters that header names may not: `example.com/scope`
    ...Object.fromEntries(extra.map(([key, values]) => [`impersonate-extra-${headerSafe(key)}`, list(values)])),
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
const headerSafe = (key: string): string =>
  encodeURIComponent(key.toLowerCase()).replace(/[()]/g, c => `%${c.charCodeAt(0).toString(16)}`)
