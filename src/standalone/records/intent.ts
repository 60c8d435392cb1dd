/**
 * What was asked of a federation and is not seen to its end yet. The record keeps it, so that anybody can finish it from any
 * machine (`coe federation resume`). It holds no secret, and no name of a context: those mean nothing elsewhere.
 */
import { flag, list, object, record, text } from '../../core/shape.ts'
import { type MemberSettings, memberSettingsShape } from '../../model/member-settings.ts'

export interface MemberIntent {
  /** In the federation. */
  name: string
  /** Which cluster it is. Absent: it did not answer when it was asked for. */
  uid?: string
  /** The address of its API server, by which another machine may know it. */
  server?: string
  /** A reference that means the same on every machine: `magnum:prod`. */
  reference?: string
  settings: MemberSettings
  /** Options of the driver that finishing takes. */
  options?: Readonly<Record<string, unknown>>
  /** It is the host, and is to be a member too. */
  allowHost?: boolean
}

export interface UnjoinIntent {
  name: string
  workloads: 'keep' | 'delete'
  force: boolean
  options?: Readonly<Record<string, unknown>>
}

export interface DeletionIntent {
  unjoin: boolean
  keepData: boolean
  options?: Readonly<Record<string, unknown>>
}

export interface CreationIntent {
  settings: Record<string, unknown>
  properties: Record<string, string>
  /** Options that are no settings, and that finishing takes. */
  options: Record<string, unknown>
  /** Options that were given, and that no record keeps: files of one machine. */
  notKept: string[]
  adopt: boolean
  /** The name that was asked for. */
  contextName?: string
}

export interface Intent {
  create?: CreationIntent
  update?: { set: Record<string, string>; unset: string[] }
  delete?: DeletionIntent
  join?: MemberIntent[]
  unjoin?: UnjoinIntent[]
}

export const intentShape = object(
  {},
  {
    create: object(
      { settings: object({}), properties: record(text), options: object({}), notKept: list(text), adopt: flag },
      { contextName: text },
    ),
    update: object({ set: record(text), unset: list(text) }),
    delete: object({ unjoin: flag, keepData: flag }, { options: object({}) }),
    join: list(
      object(
        { name: text, settings: memberSettingsShape },
        { uid: text, server: text, reference: text, allowHost: flag, options: object({}) },
      ),
    ),
    unjoin: list(object({ name: text, workloads: text, force: flag }, { options: object({}) })),
  },
)

/** Undefined where nothing is left to do. */
export function kept(intent: Intent): Intent | undefined {
  const entries = Object.entries(intent).filter(([, value]) => !(Array.isArray(value) && value.length === 0))
  const defined = entries.filter(([, value]) => value !== undefined)
  return defined.length > 0 ? (Object.fromEntries(defined) as Intent) : undefined
}

const others = <T extends { name: string }>(all: readonly T[] | undefined, names: ReadonlySet<string>): T[] =>
  (all ?? []).filter(one => !names.has(one.name))

const namesOf = (all: readonly { name: string }[]): Set<string> => new Set(all.map(one => one.name))

/** A federation that is made again is not to be deleted. */
export const askCreation =
  (creation: CreationIntent, joining: readonly MemberIntent[]) =>
  ({ delete: _, ...intent }: Intent): Intent => ({
    ...intent,
    create: creation,
    join: [...others(intent.join, namesOf(joining)), ...joining],
  })

export const creationDone = ({ create: _, ...intent }: Intent): Intent => intent

export const askUpdate =
  (set: Record<string, string>, unset: readonly string[]) =>
  ({ update, ...intent }: Intent): Intent => ({
    ...intent,
    update: {
      set: { ...update?.set, ...set },
      unset: [...(update?.unset ?? []).filter(key => !(key in set)), ...unset],
    },
  })

/** A creation that is finished later must not bring back what was changed meanwhile. */
export function updateDone({ update, delete: _, create, ...intent }: Intent): Intent {
  if (!create || !update) return { ...intent, ...(create ? { create } : {}) }
  const properties = { ...create.properties, ...update.set }
  for (const key of update.unset) delete properties[key]
  return { ...intent, create: { ...create, properties } }
}

export const askDeletion =
  (how: DeletionIntent) =>
  (intent: Intent): Intent => ({ ...intent, delete: how })

export const askJoin =
  (members: readonly MemberIntent[]) =>
  (intent: Intent): Intent => ({
    ...intent,
    join: [...others(intent.join, namesOf(members)), ...members],
    unjoin: others(intent.unjoin, namesOf(members)),
  })

/** Who lets clusters join has no deletion in mind any more. */
export const joinDone =
  (names: readonly string[]) =>
  ({ delete: ending, ...intent }: Intent): Intent => ({
    ...intent,
    ...(names.length === 0 && ending ? { delete: ending } : {}),
    join: others(intent.join, new Set(names)),
  })

/** @param names also of those that are no members: they are not to join any more */
export const askUnjoin =
  (members: readonly UnjoinIntent[], names: readonly string[]) =>
  (intent: Intent): Intent => ({
    ...intent,
    join: others(intent.join, new Set(names)),
    unjoin: [...others(intent.unjoin, namesOf(members)), ...members],
  })

export const unjoinDone =
  (names: readonly string[]) =>
  (intent: Intent): Intent => ({
    ...intent,
    join: others(intent.join, new Set(names)),
    unjoin: others(intent.unjoin, new Set(names)),
  })
