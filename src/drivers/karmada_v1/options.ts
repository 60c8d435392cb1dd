/** Options to settings and back: what is kept in a record can be given again. */
import type { Options } from '../driver-api.ts'
import { type EngineSettings, readSettings, type Toleration } from './settings.ts'

/** Only what says something; lists only where there is something in them. */
export function asOptions(given: Options): Options {
  const settings = readSettings(given)
  const all: Record<string, unknown> = {
    expose: settings.expose,
    'advertise-address': settings.advertiseAddress,
    'api-port': settings.apiPort,
    ha: settings.ha || undefined,
    storage: settings.storage,
    'storage-class': settings.storageClass,
    'storage-size': settings.storage === 'pvc' ? settings.storageSize : undefined,
    'image-registry': settings.imageRegistry,
    'image-pull-secret': listed(settings.imagePullSecrets),
    toleration: listed(settings.tolerations.map(tolerationText)),
    'node-selector': listed(Object.entries(settings.nodeSelector).map(([key, value]) => `${key}=${value}`)),
    'engine-version': settings.engine.version,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

const listed = (items: string[]): string[] | undefined => (items.length ? items : undefined)

function tolerationText({ key = '*', operator, value, effect }: Toleration): string {
  return `${key}${operator === 'Equal' ? `=${value ?? ''}` : ''}${effect ? `:${effect}` : ''}`
}

/** What etcd stands on cannot be changed under it. */
export function immutableChanges(before: Options, after: Options): Record<string, string> {
  const [old, next] = [readSettings(before), readSettings(after)]
  const reasons: Record<string, string> = {}
  const compare = (option: string, read: (settings: EngineSettings) => unknown, reason: string) => {
    if (read(old) !== read(next)) reasons[option] = reason
  }
  compare('ha', s => s.ha, 'etcd cannot be given more members in this version of coe')
  compare('storage', s => s.storage, "etcd's data would be lost")
  compare('storage-class', s => s.storageClass, "etcd's volume is made already")
  compare('storage-size', s => s.storageSize, "etcd's volume is made already")
  compare('engine-version', s => s.engine.version, 'upgrades are not part of this version of coe')
  return reasons
}
