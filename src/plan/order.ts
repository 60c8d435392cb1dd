/** The order in which the objects of one step are applied: objects that others need come first. */
import type { KubeObject } from '../kube/api/object.ts'

const first = ['Namespace', 'CustomResourceDefinition', 'PriorityClass']
/** Objects that fail, or make others fail, while the rest does not exist yet. */
const last = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'APIService']
const veryLast = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']

const wave = (object: KubeObject): number =>
  first.includes(object.kind) ? 0 : last.includes(object.kind) ? 2 : veryLast.includes(object.kind) ? 3 : 1

/** Groups of objects; those of one group may be applied concurrently. */
export function waves(objects: readonly KubeObject[]): KubeObject[][] {
  const sorted: KubeObject[][] = [[], [], [], []]
  for (const object of objects) sorted[wave(object)]?.push(object)
  return sorted.filter(group => group.length > 0)
}
