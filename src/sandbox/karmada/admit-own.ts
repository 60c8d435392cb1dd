import { callWebhooks } from '../kube/access/admission.ts'
import type { ControlPlane } from '../kube/control-plane.ts'
import { typeOf } from '../kube/controllers/host.ts'
import type { KubeObject } from '../kube/object.ts'

/** What the controllers make passes the webhooks too: it is from them that Works and bindings have their ids. */
export const admitOwn =
  (plane: ControlPlane, id: string) =>
  (object: KubeObject): Promise<KubeObject> =>
    callWebhooks(plane, 'CREATE', typeOf(plane, id), object)
