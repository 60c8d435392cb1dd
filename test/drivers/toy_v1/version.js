// Facts, as data.

/** @type {import('./coe.js').DriverFacts} */
export const facts = {
  name: 'toy_v1',
  version: '1.0.0',
  title: 'clusters that are a few Deployments: all that a driver of clusters can do, on one page each',
  provides: ['clusters'],
  options: [],
}
