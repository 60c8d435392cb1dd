// The actions. This file is the driver's entry point: coe calls its default export once, which queries no server.
import { access } from './access.js'
import { health, members } from './members.js'
import { createPlan, joinPlan, removePlan, unjoinPlan } from './plans.js'
import { memberNamespace } from './template-def.js'
import { facts } from './version.js'

/** @type {import('./coe.js').MakeDriver} */
export default function make(coe) {
  return {
    ...facts,
    federations: {
      firstCommand: ({ namespace }) => `get secrets --namespace ${namespace} --selector roster/member`,
      engineVersions: [],
      images: () => [],

      // The record keeps the result, which comes back in site.settings.
      settings: given => ({ 'member-role': given['member-role'] ?? 'view' }),
      /** @returns {Record<string, string>} */
      immutable: (before, after) =>
        before['member-role'] === after['member-role'] ? {} : { 'member-role': 'members have it already' },

      memberNameProblem: name =>
        /^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$/.test(name) ? undefined : 'lowercase letters, digits and dashes, at most 50',
      leftOnMember: (_, context) => [
        {
          what: "the federation's account",
          // coe makes the line of it, and quotes what needs it
          next: {
            program: 'kubectl',
            context,
            words: ['delete'],
            args: ['clusterrolebinding,namespace', memberNamespace],
            why: 'clean up',
          },
        },
      ],
      open: site => openFederation(coe, site),
    },
  }
}

/**
 * @param {import('./coe.js').DriverApi} coe
 * @param {import('./coe.js').FederationSite} site
 * @returns {import('./coe.js').OpenFederation}
 */
const openFederation = (coe, site) => ({
  preflight: async () => [],
  create: async ({ newNamespaces }) => ({ ...createPlan(site), ...(newNamespaces ? { newNamespaces } : {}) }),
  access: () => access(coe, site),
  async grant() {
    throw coe.errors.usage('a roster has one account, for all who may read it', {
      hint: 'the rights of others are a matter of the host',
    })
  },

  preflightJoin: async request => ({ findings: refusals(await members(coe, site, { probe: false }), request) }),
  join: async request => joinPlan(site, request),

  holdings: async () => ({ workloads: [], namespaces: [] }), // it puts only its account there
  async unjoin(request, { resume }) {
    if (!request.force && !request.member) {
      throw coe.errors.conflict(`the account on "${request.name}" can only be removed with your own access to it`, {
        hint: 'make its context work',
        next: [{ ...resume, args: [...resume.args, { option: 'force' }], why: 'or leave the account there' }],
      })
    }
    return unjoinPlan(site, request)
  },

  members: () => members(coe, site, { probe: true }),
  health: () => health(coe, site),
  remove: async () => removePlan(site),
})

/**
 * @param {readonly import('./coe.js').MemberHealth[]} known
 * @param {import('./coe.js').JoinRequest} request
 * @returns {import('./coe.js').Finding[]}
 */
function refusals(known, { name, uid }) {
  const twin = known.find(one => one.cluster_uid === uid && one.name !== name)
  const namesake = known.find(one => one.name === name && one.cluster_uid !== uid)
  const message = twin
    ? `this cluster is a member already, as "${twin.name}"`
    : namesake && `another cluster is called "${name}"`
  return message === undefined ? [] : [{ id: 'taken', level: 'error', outcome: 'conflict', message }]
}
