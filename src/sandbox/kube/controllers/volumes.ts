import type { Json, KubeObject } from '../object.ts'
import { updateObject } from '../objects.ts'
import { recordEvent } from './events.ts'
import { byKey, type Controller, create, objectKey, remove, typeOf } from './host.ts'

const claims = 'persistentvolumeclaims'
const protection = 'kubernetes.io/pvc-protection'
/** Folders of the node, made by kube-controller-manager: root owns them, whatever the pod's fsGroup is. */
export const hostPathProvisioner = 'kubernetes.io/host-path'
/** The provisioners that the sandbox has; classes of others get no volumes. */
const ownProvisioners = ['sandbox.coe/volume', hostPathProvisioner]

/** Binds claims to new volumes, and deletes both when unused. */
export const volumeController: Controller = ({ plane, timings, watch, queue }) => {
  const enqueue = queue(key => {
    const claim = byKey(plane, claims, key)
    if (!claim) return
    if (claim.metadata.deletionTimestamp) return release(claim)
    if (claim.status?.phase === 'Bound') return
    const storageClass = plane.store.get('storageclasses.storage.k8s.io', undefined, claim.spec.storageClassName ?? '')
    if (!storageClass) {
      const message = claim.spec.storageClassName
        ? `storageclass.storage.k8s.io "${claim.spec.storageClassName}" not found`
        : 'no persistent volumes available for this claim and no storage class is set'
      const reason = claim.spec.storageClassName ? 'ProvisioningFailed' : 'FailedBinding'
      return recordEvent(
        plane,
        claim,
        claim.spec.storageClassName ? 'Warning' : 'Normal',
        reason,
        message,
        'persistentvolume-controller',
      )
    }
    if (storageClass.volumeBindingMode === 'WaitForFirstConsumer' && users(claim).length === 0) {
      const message = 'waiting for first consumer to be created before binding'
      return recordEvent(plane, claim, 'Normal', 'WaitForFirstConsumer', message, 'persistentvolume-controller')
    }
    if (!ownProvisioners.includes(storageClass.provisioner)) {
      const message = `Waiting for a volume to be created either by the external provisioner '${storageClass.provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`
      return recordEvent(plane, claim, 'Normal', 'ExternalProvisioning', message, 'persistentvolume-controller')
    }
    const name = `pvc-${claim.metadata.uid}`
    const capacity = { storage: claim.spec.resources.requests.storage }
    const { accessModes } = claim.spec
    const volume = create(plane, 'persistentvolumes', {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': storageClass.provisioner } },
      spec: {
        accessModes,
        capacity,
        claimRef: {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          name: claim.metadata.name,
          namespace: claim.metadata.namespace,
          uid: claim.metadata.uid,
        },
        hostPath: { path: `/sandbox/${name}`, type: '' },
        persistentVolumeReclaimPolicy: storageClass.reclaimPolicy,
        storageClassName: storageClass.metadata.name,
        volumeMode: 'Filesystem',
      },
    })
    plane.store.put('persistentvolumes', { ...volume, status: { phase: 'Bound' } })
    plane.store.put(claims, {
      ...claim,
      spec: { ...claim.spec, volumeName: name },
      status: { phase: 'Bound', accessModes, capacity },
    })
  })

  const users = (claim: KubeObject) =>
    plane.store
      .list('pods', claim.metadata.namespace)
      .filter(pod =>
        (pod.spec.volumes ?? []).some((v: Json) => v.persistentVolumeClaim?.claimName === claim.metadata.name),
      )

  function release(claim: KubeObject): void {
    if (users(claim).length > 0 || !claim.metadata.finalizers?.includes(protection)) return
    const finalizers = claim.metadata.finalizers.filter(f => f !== protection)
    updateObject(plane, typeOf(plane, claims), { ...claim, metadata: { ...claim.metadata, finalizers } })
  }

  watch(claims, ({ type, object }) => {
    if (type !== 'DELETED') return enqueue(objectKey(object), object.metadata.deletionTimestamp ? 0 : timings.volume)
    const volume = plane.store.get('persistentvolumes', undefined, object.spec.volumeName ?? '')
    if (!volume) return
    if (volume.spec.persistentVolumeReclaimPolicy === 'Delete') remove(plane, 'persistentvolumes', volume)
    else plane.store.put('persistentvolumes', { ...volume, status: { phase: 'Released' } })
  })
  watch('pods', ({ object }) => {
    for (const volume of object.spec.volumes ?? []) {
      const name = volume.persistentVolumeClaim?.claimName
      if (name) enqueue(`${object.metadata.namespace}/${name}`, 5)
    }
  })
  watch('storageclasses.storage.k8s.io', () => {
    for (const claim of plane.store.list(claims)) if (claim.status?.phase !== 'Bound') enqueue(objectKey(claim), 5)
  })
}
