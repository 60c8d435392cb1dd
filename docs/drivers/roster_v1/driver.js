// The actions. This file is the folder's door: its default export is called once, and asks nothing of any server.
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
      firstLook: ({ namespace }) => `get secrets --namespace ${namespace} --selector roster/member`,
      engineVersions: [],
      images: () => [],

      // What comes out is kept in the record and comes back in site.settings.
      settings: given => ({ 'member-role': given['member-role'] ?? 'view' }),
      /** @returns {Record<string, string>} */
      immutable: (before, after) =>
        before['member-role'] === after['member-role'] ? {} : { 'member-role': 'members have it already' },

      preflight: async () => [],
      create: async (site, { again, fresh }) => ({ ...createPlan(site, again), ...(fresh ? { fresh } : {}) }),
      access: site => access(coe, site),
      async grant() {
        throw coe.errors.usage('a roster has one account, for all who may read it', {
          hint: 'the rights of others are a matter of the host',
        })
      },

      memberNameProblem: name =>
        /^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$/.test(name) ? undefined : 'small letters, digits and dashes, at most 50',
      async preflightJoin(site, { name, uid }) {
        const known = await members(coe, site, { probe: false })
        const twin = known.find(one => one.cluster_uid === uid && one.name !== name)
        const namesake = known.find(one => one.name === name && one.cluster_uid !== uid)
        if (twin) return [{ id: 'uid', level: 'error', message: `this cluster is a member already, as "${twin.name}"` }]
        if (namesake) return [{ id: 'name', level: 'error', message: `another cluster is called "${name}"` }]
        return []
      },
      join: async (site, request, { again }) => joinPlan(site, request, again),

      holdings: async () => ({ workloads: [], namespaces: [] }), // it puts nothing there but its account
      async unjoin(site, request, { again }) {
        if (!request.force && !request.member) {
          throw coe.errors.conflict(`the account on "${request.name}" can only be removed with your own access to it`, {
            hint: `make its context work, or leave the account there: ${again} --force`,
          })
        }
        return unjoinPlan(site, request, again)
      },
      leftBehind: (_, context) => [
        {
          what: "the federation's account",
          command: `kubectl --context ${context} delete clusterrolebinding,namespace ${memberNamespace}`,
        },
      ],

      members: site => members(coe, site, { probe: true }),
      health: site => health(coe, site),
      remove: async (site, { again }) => removePlan(site, again),
    },
  }
}
