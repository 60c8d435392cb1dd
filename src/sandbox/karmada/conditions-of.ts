import type { Condition } from '../kube/controllers/conditions.ts'
import type { KubeObject } from '../kube/object.ts'

export const conditionOf = (object: KubeObject | undefined, type: string): Condition | undefined =>
  object?.status?.conditions?.find((condition: Condition) => condition.type === type)

export const isReady = (cluster: KubeObject | undefined): boolean => conditionOf(cluster, 'Ready')?.status === 'True'
