/** What the demo tells, in order. A step is a command line and its exit code (0 where nothing is said), or something done by hand. */
import { putWorkload, seeWorkload } from './workload.mjs'

const line = (text, more = {}) => ({ line: text.split(' '), ...more })
const byHand = (because, act) => ({ because, act })

/** The main job, without any server but the clusters themselves. */
const standalone = {
  title: 'One API over clusters that you have: contexts host, c2 and c3 of a kubeconfig',
  env: { COE_MODE: 'standalone' },
  steps: [
    line('federation create myfed --host host --expose nodeport'),
    line('federation join myfed c2 c3'),
    line('federation list'),
    line('federation show myfed'),
    byHand('a workload, put into the federation with a plain Kubernetes client', putWorkload('myfed', ['c2', 'c3'])),
    byHand('… runs on both members', seeWorkload(['c2', 'c3'])),
    line('federation unjoin myfed c2 c3', { because: 'what runs on the members stays there' }),
    byHand('… and is still there', seeWorkload(['c2', 'c3'])),
    line('federation delete myfed --yes'),
    line('federation show myfed', { exit: 3, because: 'nothing is left' }),
  ],
}

const magnum = {
  title: 'An OpenStack cloud, with the words of "openstack coe"',
  env: { COE_MODE: 'magnum' },
  steps: [
    line('cluster list'),
    line('cluster create dev --cluster-template k8s --node-count 2 --wait', {
      because: 'returns when the cluster stands, or fails with the reason',
    }),
    line('cluster show dev -c name -c status -c node_count -c api_address'),
    line('cluster create dev --cluster-template k8s', { exit: 5, because: 'a name is not given twice by accident' }),
    line('federation create fed --hostcluster cluster1 --dns-zone fed.example.com --wait', {
      because: "Magnum's own federations, where a Magnum keeps them",
    }),
    line('federation join fed cluster2'),
    line('cluster delete cluster2', { exit: 5, because: 'a member is not deleted from under its federation' }),
    line('federation unjoin fed cluster2'),
    line('federation delete fed --yes --wait'),
    line('cluster delete dev --wait'),
    line('cluster list -f value -c name -c status', { because: 'for a script' }),
  ],
}

export const story = [standalone, magnum]
