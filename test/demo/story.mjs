/** The lines of the demo, in order; `exit` is what each must end with (0 where nothing is said). */
const line = (text, more = {}) => ({ line: text.split(' '), ...more })

const clusters = {
  title: 'Clusters, with the words of "openstack coe"',
  steps: [
    line('cluster list'),
    line('cluster template list'),
    line('cluster create dev --cluster-template k8s --node-count 2 --wait', {
      because: 'returns when the cluster stands, or fails with the reason',
    }),
    line('cluster show dev -c name -c status -c node_count -c api_address'),
    line('cluster create dev --cluster-template k8s', { exit: 5, because: 'a name is not given twice by accident' }),
    line('cluster show dve', { exit: 3, because: 'errors say what to do next, and exit codes say what happened' }),
  ],
}

const federations = {
  title: 'Federations: clusters joined under one API',
  steps: [
    line('federation create myfederation --hostcluster cluster1 --dns-zone fed.example.com --wait'),
    line('federation join myfederation cluster2 cluster3'),
    line('federation list'),
    line('federation show myfederation'),
    line('cluster delete cluster2', { exit: 5, because: 'a member is not deleted from under its federation' }),
    line('federation unjoin myfederation cluster3'),
    line('federation list -f json', { because: 'for a script' }),
  ],
}

const away = {
  title: 'And away again',
  steps: [
    line('federation delete myfederation --yes --wait'),
    line('cluster delete dev --wait'),
    line('cluster list -f value -c name -c status'),
  ],
}

export const story = [clusters, federations, away]
