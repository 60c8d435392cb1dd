import { callWebhooks } from '../kube/access/admission.ts'
import type { ControlPlane } from '../kube/control-plane.ts'
import { typeOf } from '../kube/controllers/host.ts'
import type { KubeObject } from '../kube/object.ts'

/** Objects of the controllers pass the webhooks too, which give Works and bindings their ids. */
export const admitOwn =
  (plane: ControlPlane, id: string) =>
  (object: KubeObject): Promise<KubeObject> =>
    callWebhooks(plane, 'CREATE', typeOf(plane, id), object)
