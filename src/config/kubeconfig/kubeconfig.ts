/** Kubeconfigs, as kubectl reads and writes them: the exports for other modules. */

export { type KubeAccess, resolveContext } from './kubeconfig-access.ts'
export { type Edit, editKubeconfig, isEdited, type KubeconfigChange, refuseUneditable } from './kubeconfig-edit.ts'
export { coeExtension, withCoeExtension } from './kubeconfig-extension.ts'
export { base64, type Flattened, flattenContext } from './kubeconfig-flatten.ts'
export { inClusterAccess } from './kubeconfig-in-cluster.ts'
export {
  type Kubeconfig,
  type KubeconfigOptions,
  type KubeEntry,
  kubeconfigPaths,
  loadKubeconfig,
} from './kubeconfig-read.ts'
