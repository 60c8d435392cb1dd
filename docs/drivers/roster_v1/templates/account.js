// A template: an object with places for values. A larger driver has one file here for each part of its engine.

/**
 * @param {string} name
 * @param {string} namespace
 * @returns {import('../coe.js').KubeObject}
 */
export default (name, namespace) => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace },
})
