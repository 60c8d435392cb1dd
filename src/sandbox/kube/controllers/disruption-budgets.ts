import { now } from '../control-plane.ts'
import type { Json } from '../object.ts'
import { matchesLabelSelector } from '../selectors.ts'
import { withCondition } from './conditions.ts'
import { byKey, type Controller, objectKey, setStatus } from './host.ts'
import { podIsReady } from './pods.ts'

const id = 'poddisruptionbudgets.policy'

/** Counts how many pods may be missing. */
export const disruptionBudgets: Controller = ({ plane, watch, queue }) => {
  const enqueue = queue(key => {
    const budget = byKey(plane, id, key)
    if (!budget) return
    const pods = plane.store
      .list('pods', budget.metadata.namespace)
      .filter(pod => matchesLabelSelector(budget.spec.selector, pod.metadata.labels))
    const healthy = pods.filter(podIsReady).length
    const amount = (value: Json) =>
      typeof value === 'string' ? Math.ceil((Number.parseFloat(value) / 100) * pods.length) : value
    const desired =
      budget.spec.minAvailable !== undefined
        ? amount(budget.spec.minAvailable)
        : Math.max(0, pods.length - amount(budget.spec.maxUnavailable ?? 0))
    const allowed = Math.max(0, healthy - desired)
    const condition = {
      type: 'DisruptionAllowed',
      status: allowed > 0 ? ('True' as const) : ('False' as const),
      reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
      message: '',
      observedGeneration: budget.metadata.generation,
    }
    setStatus(plane, id, budget, {
      currentHealthy: healthy,
      desiredHealthy: desired,
      disruptionsAllowed: allowed,
      expectedPods: pods.length,
      observedGeneration: budget.metadata.generation,
      conditions: withCondition(budget.status?.conditions, condition, now(plane)),
    })
  })
  watch(id, ({ type, object }) => type !== 'DELETED' && enqueue(objectKey(object)))
  watch('pods', ({ object }) => {
    for (const budget of plane.store.list(id, object.metadata.namespace)) enqueue(objectKey(budget), 5)
  })
}
