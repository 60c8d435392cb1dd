/** Before the first test on real servers: what it runs against, and what is skipped because the environment does not name it. */
import { realContexts } from '../contract/kubernetes/contexts.ts'
import { realClouds } from '../contract/openstack/callers.ts'

export default async function announce(): Promise<void> {
  const { env } = process
  if (env.COE_E2E_LANE !== 'openstack') return // once for all lanes
  const clusters = await realContexts()
  const named = Object.entries(realClouds).map(([role, variable]) => ({ role, variable, cloud: env[variable] }))
  const clouds = named.filter(({ cloud }) => cloud).map(({ role, cloud }) => `${cloud} (${role})`)
  const against = [
    ...(env.OS_CLOUD ? [`OpenStack clouds ${clouds.join(', ')} of ${env.OS_CLIENT_CONFIG_FILE ?? 'clouds.yaml'}`] : []),
    ...(clusters ? [`Kubernetes contexts host, c2, c3 of ${env.KUBECONFIG}`] : []),
    ...(env.COE_E2E_MAGNUM_CLUSTER ? [`Magnum's cluster ${env.COE_E2E_MAGNUM_CLUSTER}, which is deleted`] : []),
  ]
  const skipped = [
    ...(env.OS_CLOUD
      ? named.filter(({ cloud }) => !cloud).map(({ role, variable }) => `what the role ${role} sees (${variable})`)
      : ['OpenStack (OS_CLOUD)']),
    ...(clusters ? [] : ['Kubernetes (KUBECONFIG with contexts host, c2, c3)']),
    ...(env.COE_E2E_MAGNUM_CLUSTER ? [] : ['a Magnum cluster in a federation (COE_E2E_MAGNUM_CLUSTER)']),
    ...(env.COE_E2E_FAULT ? [] : ['a member that does not answer (COE_E2E_FAULT, a command: stop c2, start c2)']),
    'what only the sandbox can show (named below)',
  ]
  process.stdout.write(`running against: ${against.join('; ') || 'nothing'}\nskipping: ${skipped.join('; ')}\n`)
}
