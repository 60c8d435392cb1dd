/** An open federation: puts each of its methods together from the files in this folder. */

import { awaitAll, resultOf } from '../../core/concurrency.ts'
import { usage } from '../../core/errors.ts'
import { standaloneStep } from '../../core/next-step.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import { statedSettings } from '../../model/member-settings.ts'
import type { DriverApi, FederationSite, JoinOptions, JoinRequest, OpenFederation, Options } from '../driver-api.ts'
import { adminAccess, grantedAccess } from './access.ts'
import { acceptsFor } from './certificates/key-trial.ts'
import { changesEtcd, refuseLost } from './certificates/new-authorities.ts'
import { readSecrets, serverFile } from './certificates/secrets.ts'
import { connectAnswering } from './connect-answering.ts'
import { createPlan } from './create/create.ts'
import { findDefinitions } from './create/find-definitions.ts'
import { preflight } from './create/preflight.ts'
import { removePlan } from './create/remove.ts'
import { changeableOptions } from './create/storage-change.ts'
import { joinPlan } from './join/join.ts'
import { listMembers } from './join/members.ts'
import { type JoinFacts, preflightJoin } from './join/preflight-join.ts'
import { leavingPlan } from './leave/leaving.ts'
import { holdingsOf, listWorks } from './leave/works.ts'
import { lostData } from './lost-data.ts'
import { federationHealth } from './monitor.ts'
import { adminSecret } from './names.ts'
import { nodesNotReady } from './nodes-not-ready.ts'
import { ownApi, remembered, withOwnKinds } from './own-api.ts'
import { readSettings } from './settings.ts'
import type { Site } from './templates/site.ts'
import { digestPattern } from './versions.ts'

export function openFederation(coe: DriverApi, site: FederationSite): OpenFederation {
  const { clock } = coe.world
  const { name: federation, namespace, host, hostTitle, owner, signal } = site
  const ownSite = (): Site => ({ namespace, settings: readSettings(site.settings), labels: owner.labels })
  const place = { federation, namespace, host, creation: site.creation }
  const title = `the API of federation "${federation}"`
  const recorded = remembered(async () => {
    const found = await adminAccess(place, signal)
    if (found.key) coe.addSecret(found.key)
    return found
  })
  const enter = async () => connectAnswering(coe, site, await recorded(), { title })
  const { api, members } = ownApi(async () => (await enter()).api, signal)
  const lostIn = async (entered: ClusterApi) =>
    (await lostData(entered, ownSite(), { remedy: site.creation, thorough: false, signal })).objects
  const lost = remembered(async () => lostIn(await api()))

  return {
    changeable: options => changeableOptions(ownSite(), host, options, signal),
    preflight: () => preflight(ownSite(), host, signal),
    async create({ resume, newNamespaces, options = {}, note }) {
      const made = ownSite()
      // found before the first write: a missing archive must not leave a partly created federation
      const definitions = await findDefinitions(made.settings.engine, {
        named: options.crds === undefined ? undefined : String(options.crds),
        ...coe.folders,
        download: coe.download,
        digest: expectedDigest(coe, options),
      })
      const before = await readSecrets(host, made, signal)
      const accepted = options['new-authorities'] === true || options['new-authorities'] === 'true'
      const authorities = { accepted, inEtcd: changesEtcd(before, made, clock.now()) }
      refuseLost(before, made, clock.now(), { federation, resume, ...authorities })
      const notReady = await nodesNotReady(made, host, signal)
      if (notReady.length > 0) {
        const which = notReady.length === 1 ? `node ${notReady[0]} is` : `nodes ${notReady.join(', ')} are`
        note?.(`warning: ${which} not Ready: coe does not wait for the pods there`, [
          standaloneStep('inspect', 'federation status', federation),
        ])
      }
      return createPlan({
        site: made,
        federation,
        host,
        hostTitle,
        owner,
        definitions,
        world: coe.world,
        connect: (access, title) => coe.connect(access, { title }),
        resume,
        authorities,
        nodesNotReady: notReady.length > 0,
        newNamespaces,
      })
    },
    access: async ({ answering } = {}) => (answering ? (await enter()).access : recorded()),
    async grant(who) {
      const granted = await grantedAccess(place, who, clock.now())
      return { ...granted, server: (await enter()).access.server }
    },
    async preflightJoin(request) {
      const ownUid = async () => (await api()).identity({ signal })
      const [listed, gone] = await awaitAll([resultOf(members()), lost()])
      if (!listed.ok && gone.length === 0) throw listed.error
      const known = listed.ok ? listed.value : []
      return preflightJoin({ request, members: known, federation, ownUid, lost: gone, owner, signal })
    },
    join: async (request, { found }: JoinOptions & { found?: JoinFacts }) =>
      joinPlan({
        clock,
        accepts: acceptsFor(coe, request, signal),
        observed: found?.observed ?? {},
        // without a preflight the federation may already have keys to this member
        before: (found?.known ?? true) ? site : undefined,
        federation,
        membership: membershipOf(request),
        ca: request.access.ca,
        member: request.member,
        memberTitle: `member "${request.name}"`,
        extraObjects: request.extraObjects ?? [],
        api,
        owner,
      }),
    holdings: async member => holdingsOf(await listWorks(await api(), member, signal)),
    unjoin: request => leavingPlan(coe, site, request, api),
    members: async () => listMembers(await api(), signal),
    missing: async () => lostIn(coe.connect(await recorded(), { title, timeoutMs: missingMs })),
    health: () =>
      federationHealth({
        site: ownSite(),
        host,
        now: clock.now(),
        remedy: site.creation,
        signal,
        async enter(credentials) {
          const files = credentials[adminSecret]
          const server = files?.[serverFile]
          if (!files || !server) return undefined
          const access = {
            name: federation,
            server,
            ca: files['ca.crt'],
            cert: files['client.crt'],
            key: files['client.key'],
          }
          const entered = await connectAnswering(coe, site, access, { title, timeoutMs: 10_000 })
          return { server: entered.access.server, api: withOwnKinds(entered.api) }
        },
      }),
    remove: async ({ keepData }) =>
      removePlan({
        federation,
        namespace,
        host,
        hostTitle,
        owner,
        keepData,
        policies: ownSite().settings.networkPolicy !== undefined,
      }),
  }
}

/** Keeps `show` from waiting for an API that does not answer. */
const missingMs = 2_000

function expectedDigest({ world }: DriverApi, options: Options): string | undefined {
  const given = options['crds-digest']
  if (given !== undefined) return String(given) || undefined
  const digest = world.env.COE_CRDS_DIGEST ?? ''
  if (new RegExp(`^${digestPattern}$`).test(digest)) return digest || undefined
  throw usage(`COE_CRDS_DIGEST must be sha256:HEX, not "${digest}"`)
}

const membershipOf = (request: JoinRequest) => ({
  ...statedSettings(request),
  name: request.name,
  uid: request.uid,
  server: request.server ?? request.access.server,
  insecure: request.access.insecure,
  proxyUrl: request.access.proxyUrl,
})
