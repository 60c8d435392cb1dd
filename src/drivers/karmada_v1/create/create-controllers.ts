/** The steps that start the controllers, the scheduler and the webhook of a federation. */
import type { Step } from '../../../plan/step.ts'
import { controllerManager, kubeControllerManager, scheduler } from '../templates/controllers.ts'
import type { Site } from '../templates/site.ts'
import { webhook, webhookConfigurations } from '../templates/webhook.ts'
import type { CreateOutputs } from './create.ts'

const startMs = 300_000

export function controllers(site: Site): Step<CreateOutputs>[] {
  return [
    {
      id: 'kube-controllers',
      title: 'controllers for namespaces, garbage collection and tokens',
      needs: ['endpoint'],
      want: ({ checksums }) => kubeControllerManager(site, checksums),
      timeoutMs: startMs,
    },
    {
      id: 'scheduler',
      title: 'scheduler, which places workloads on members',
      needs: ['endpoint'],
      want: ({ checksums }) => scheduler(site, checksums),
      timeoutMs: startMs,
    },
    {
      id: 'webhook',
      title: 'webhook, which checks changes in the API',
      needs: ['endpoint'],
      want: ({ checksums }) => webhook(site, checksums),
      timeoutMs: startMs,
    },
    {
      id: 'controllers',
      title: "Karmada's controllers",
      needs: ['definitions', 'clusters'],
      want: ({ checksums }) => controllerManager(site, checksums),
      timeoutMs: startMs,
    },
    {
      // from then on the API refuses every write that the webhook does not answer
      id: 'admission',
      title: 'API calls the webhook',
      needs: ['webhook', 'definitions'],
      on: 'federation',
      want: ({ caBundle }) => webhookConfigurations(caBundle),
    },
  ]
}
