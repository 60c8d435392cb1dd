/** In which order the objects of one step are applied: what others stand on comes first. */
import type { KubeObject } from '../kube/api/object.ts'

const first = ['Namespace', 'CustomResourceDefinition', 'PriorityClass']
/** What fails or refuses others when the rest is not there yet. */
const last = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'APIService']
const veryLast = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']

const wave = (object: KubeObject): number =>
  first.includes(object.kind) ? 0 : last.includes(object.kind) ? 2 : veryLast.includes(object.kind) ? 3 : 1

/** Waves, each of which may be applied side by side. */
export function waves(objects: readonly KubeObject[]): KubeObject[][] {
  const sorted: KubeObject[][] = [[], [], [], []]
  for (const object of objects) sorted[wave(object)]?.push(object)
  return sorted.filter(group => group.length > 0)
}
