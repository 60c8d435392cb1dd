/** The images of a control plane and the registries that they come from. */
import type { ComponentName } from './names.ts'
import { components } from './names.ts'
import type { EngineSettings } from './settings.ts'

const fromKubernetes = new Set<ComponentName>(['etcd', 'kube-controller-manager'])

/**
 * By default, the images of Kubernetes come from registry.k8s.io and those of Karmada from docker.io/karmada. With
 * `--image-registry`, all come from there, by the last part of their names: `registry.k8s.io/etcd:3.6.6-0` → `REGISTRY/etcd:3.6.6-0`.
 */
export function image(component: ComponentName, settings: Pick<EngineSettings, 'imageRegistry' | 'engine'>): string {
  const { imageRegistry, engine } = settings
  // the engine's API server is a plain kube-apiserver
  const name = component === 'karmada-apiserver' ? 'kube-apiserver' : component
  const kubernetes = component === 'karmada-apiserver' || fromKubernetes.has(component)
  const registry = imageRegistry ?? (kubernetes ? 'registry.k8s.io' : 'docker.io/karmada')
  const tag = component === 'etcd' ? engine.etcd : kubernetes ? engine.kubernetes : engine.version
  return `${registry}/${name}:${tag}`
}

export const allImages = (settings: EngineSettings): { component: string; image: string }[] =>
  components.map(component => ({ component, image: image(component, settings) }))
