/** The steps that bring a federation's API to life: what watches it, and what checks what is written there. */
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
      title: 'namespaces, garbage collection, tokens',
      needs: ['endpoint'],
      want: ({ checksums }) => kubeControllerManager(site, checksums),
      timeoutMs: startMs,
    },
    {
      id: 'scheduler',
      title: 'scheduler',
      needs: ['endpoint'],
      want: ({ checksums }) => scheduler(site, checksums),
      timeoutMs: startMs,
    },
    {
      id: 'webhook',
      title: 'webhook',
      needs: ['endpoint'],
      want: ({ checksums }) => webhook(site, checksums),
      timeoutMs: startMs,
    },
    {
      id: 'controllers',
      title: 'controllers',
      needs: ['definitions', 'clusters'],
      want: ({ checksums }) => controllerManager(site, checksums),
      timeoutMs: startMs,
    },
    {
      // once the API asks the webhook, nothing goes without its answer
      id: 'admission',
      title: 'API asks the webhook',
      needs: ['webhook', 'definitions'],
      on: 'federation',
      want: ({ caBundle }) => webhookConfigurations(caBundle),
    },
  ]
}
