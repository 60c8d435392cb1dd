/**
 * For each folder of src, the folders that it may import. Its own, `model` and `core` always; `model` only `core`. `main`
 * stands for the files of src itself; `wiring` is the part of them that is loaded when it is needed.
 */
export const below: Record<string, readonly string[]> = {
  main: ['wiring', 'commands', 'cli', 'config', 'io', 'openstack'],
  wiring: [
    ...['main', 'commands', 'cli', 'local', 'magnum', 'standalone', 'drivers'],
    ...['plan', 'openstack', 'kube', 'pki', 'http', 'config', 'io', 'sandbox'],
  ],
  commands: ['cli', 'local', 'pki', 'openstack', 'config', 'io', 'sandbox', 'http'],
  cli: ['local', 'config', 'io', 'openstack', 'http'],
  local: ['config', 'io'],
  magnum: ['openstack', 'kube', 'pki', 'http', 'config', 'io'],
  standalone: ['drivers', 'plan', 'kube', 'pki', 'openstack', 'http', 'config', 'io'],
  drivers: ['plan', 'kube', 'pki', 'openstack', 'http', 'config', 'io'],
  plan: ['kube', 'pki', 'openstack', 'http', 'config', 'io'],
  kube: ['http', 'config', 'io'],
  pki: [],
  openstack: ['http', 'config', 'io'],
  http: ['config', 'io'],
  config: ['io'],
  io: [],
  sandbox: ['pki'],
  model: [],
  core: [],
}
