// What this driver is, as data: help, records and "coe driver show" read it.

/** @type {import('./coe.js').DriverFacts} */
export const facts = {
  name: 'roster_v1',
  version: '1.0.0',
  title: 'federations that are a list: members and keys to them, kept on the host',
  provides: ['federations'],
  options: [
    {
      name: 'member-role',
      type: 'text',
      value: 'NAME',
      doc: 'ClusterRole that the federation gets on each member',
      fallback: 'view',
      commands: ['federation create'],
    },
  ],
  notes: 'Nothing runs: the API of a federation is that of its host, with an account that may read the list.',
}
