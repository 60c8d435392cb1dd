import type { MagnumState } from '../context.ts'
import type { Federation } from '../store.ts'

/**
 * Upstream nothing receives the API's casts: nothing is stored, changed or deleted, without an error. That is the
 * façade. The working kind does what the API promises, after some time; a name with `fail-create`, `fail-update`,
 * `fail-delete` or `stuck` decides its fate.
 */

const exists = (state: MagnumState, row: Federation) => state.store.federations.get(row.uuid) === row

function later(state: MagnumState, row: Federation, ms: number, work: () => void): void {
  state.clock.after(ms, () => {
    if (!exists(state, row)) return
    work()
    row.updated_at = state.clock.now()
  })
}

function end(row: Federation, action: 'CREATE' | 'UPDATE'): void {
  const failed = row.name.includes(`fail-${action.toLowerCase()}`)
  row.status = failed ? `${action}_FAILED` : `${action}_COMPLETE`
  row.status_reason = failed ? `the sandbox was asked to fail: ${row.name}` : null
}

export function createFederation(state: MagnumState, row: Federation): void {
  if (state.federation === 'facade') return
  state.clock.after(state.timing.federationStore, () => {
    row.id = state.store.nextId()
    row.status = 'CREATE_IN_PROGRESS'
    state.store.federations.set(row.uuid, row)
    if (!row.name.includes('stuck')) later(state, row, state.timing.federation, () => end(row, 'CREATE'))
  })
}

/** Saved after a while, overwriting changes made meanwhile, because the API made the new list from its own read. */
export function updateFederation(
  state: MagnumState,
  row: Federation,
  wanted: Pick<Federation, 'member_ids' | 'properties'>,
): void {
  if (state.federation === 'facade') return
  later(state, row, state.timing.cast, () => {
    row.status = 'UPDATE_IN_PROGRESS'
  })
  later(state, row, state.timing.cast + state.timing.federation, () => {
    if (row.status === 'DELETE_IN_PROGRESS') return
    if (!row.name.includes('fail-update')) Object.assign(row, wanted)
    end(row, 'UPDATE')
  })
}

export function deleteFederation(state: MagnumState, row: Federation): void {
  if (state.federation === 'facade') return
  later(state, row, state.timing.cast, () => {
    row.status = 'DELETE_IN_PROGRESS'
  })
  later(state, row, state.timing.cast + state.timing.federation, () => {
    if (row.name.includes('fail-delete')) {
      row.status = 'DELETE_FAILED'
      row.status_reason = `the sandbox was asked to fail: ${row.name}`
    } else state.store.federations.delete(row.uuid)
  })
}
