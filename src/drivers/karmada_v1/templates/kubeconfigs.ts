/** How components find the federation's API: a kubeconfig that names files of the same Secret, so it holds no secret. */
import { secretFolder } from './pod.ts'
import { apiServicePort } from './services.ts'
import type { Site } from './site.ts'

export const kubeconfigFile = 'kubeconfig'
export const kubeconfigPath = `${secretFolder}/${kubeconfigFile}`

/** JSON is YAML, too. */
export function componentKubeconfig(site: Site): string {
  return `${JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'federation',
          cluster: {
            server: `https://karmada-apiserver:${apiServicePort(site)}`,
            'certificate-authority': `${secretFolder}/ca.crt`,
          },
        },
      ],
      users: [
        {
          name: 'component',
          user: { 'client-certificate': `${secretFolder}/client.crt`, 'client-key': `${secretFolder}/client.key` },
        },
      ],
      contexts: [{ name: 'federation', context: { cluster: 'federation', user: 'component' } }],
      'current-context': 'federation',
    },
    null,
    2,
  )}\n`
}
