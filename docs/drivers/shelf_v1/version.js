// What this driver is, as data: "coe driver show" and records read it.

/** @type {import('./coe.js').DriverFacts} */
export const facts = {
  name: 'shelf_v1',
  version: '1.0.0',
  title: 'clusters of a folder that holds one kubeconfig for each',
  provides: ['clusters'],
  options: [],
  notes: 'shelf:prod is the current context of prod.yaml. The folder is ~/.kube/shelf, or the one that SHELF_FOLDER names.',
}
