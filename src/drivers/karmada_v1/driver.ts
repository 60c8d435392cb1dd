/** The driver: each action, put together from the files beside this one. */
import { usage } from '../../core/errors.ts'
import type { Driver, DriverApi, FederationDriver, FederationSite, JoinRequest, Options } from '../driver-api.ts'
import { adminAccess, grantedAccess } from './access.ts'
import { acceptsFor } from './certificates/key-trial.ts'
import { changesEtcd, refuseLost } from './certificates/new-authorities.ts'
import { readSecrets, serverFile } from './certificates/secrets.ts'
import { createPlan } from './create/create.ts'
import { findDefinitions } from './create/find-definitions.ts'
import { preflight } from './create/preflight.ts'
import { removePlan } from './create/remove.ts'
import { openStorage } from './create/storage-change.ts'
import { entrance } from './entrance.ts'
import { allImages } from './images.ts'
import { joinPlan } from './join/join.ts'
import { listMembers, memberNameProblem } from './join/members.ts'
import { isKnown, type JoinLook, preflightJoin, seenIn } from './join/preflight-join.ts'
import { leavingPlan } from './leave/leaving.ts'
import { leftBehind } from './leave/withdraw.ts'
import { holdingsOf, listWorks } from './leave/works.ts'
import { federationHealth } from './monitor.ts'
import { adminSecret } from './names.ts'
import { nodesAway } from './nodes-away.ts'
import { asOptions, immutableChanges } from './options.ts'
import { hostRights, memberRights } from './rights.ts'
import { readSettings } from './settings.ts'
import { knowing, siteMemory } from './site-memory.ts'
import type { Site } from './templates/site.ts'
import { facts } from './version.ts'
import { digestPattern, engineVersions } from './versions.ts'

export default function karmada(coe: DriverApi): Driver {
  return { ...facts, federations: federations(coe) }
}

const siteOf = ({ namespace, settings, owner }: FederationSite): Site => ({
  namespace,
  settings: readSettings(settings),
  labels: owner.labels,
})

const titleOf = (name: string): string => `the API of federation "${name}"`

function federations(coe: DriverApi): FederationDriver {
  const { clock } = coe.world
  const place = (site: FederationSite) => ({
    federation: site.name,
    namespace: site.namespace,
    host: site.host,
    again: site.creation,
  })
  const recorded = async (site: FederationSite) => {
    const found = await adminAccess(place(site), site.signal)
    if (found.key) coe.addSecret(found.key)
    return found
  }
  const enter = async (site: FederationSite) => entrance(coe, site, await recorded(site), { title: titleOf(site.name) })
  const { api, members } = siteMemory(async site => (await enter(site)).api)
  /** What was looked at beforehand is not read again when its plan is made. */
  const looks = new WeakMap<JoinRequest, JoinLook>()

  return {
    firstLook: () => 'get clusters',
    engineVersions: engineVersions.map(v => v.version),
    settings: asOptions,
    immutable: immutableChanges,
    stillOpen: (site, options) => openStorage(siteOf(site), site.host, options, site.signal),
    images: settings => allImages(readSettings(settings)),
    memberNameProblem,
    rights: (namespace, settings) => hostRights(namespace, settings && readSettings(settings)),
    memberRights,
    preflight: site => preflight(siteOf(site), site.host, site.signal),
    async create(site, { again, fresh, options = {}, note }) {
      const own = siteOf(site)
      // before the first write: what cannot be had is told while nothing stands yet
      const definitions = await findDefinitions(own.settings.engine, {
        named: options.crds === undefined ? undefined : String(options.crds),
        ...coe.folders,
        download: coe.download,
        digest: expectedDigest(coe, options),
      })
      const { host, hostTitle, owner, name } = site
      const before = await readSecrets(host, own, site.signal)
      const accepted = options['new-authorities'] === true || options['new-authorities'] === 'true'
      const authorities = { accepted, inEtcd: changesEtcd(before, own, clock.now()) }
      refuseLost(before, own, clock.now(), { federation: name, again, ...authorities })
      const away = await nodesAway(own, host, site.signal)
      if (away.length > 0) {
        const which = away.length === 1 ? `node ${away[0]} is` : `nodes ${away.join(', ')} are`
        note?.(
          `warning: ${which} not Ready: what ran there is not waited for (coe --standalone federation status ${name})`,
        )
      }
      const connect = (way: Parameters<DriverApi['connect']>[0], title: string) => coe.connect(way, { title })
      return createPlan({
        site: own,
        federation: name,
        host,
        hostTitle,
        owner,
        definitions,
        world: coe.world,
        connect,
        again,
        authorities,
        nodesAway: away.length > 0,
        fresh,
      })
    },
    access: async (site, { answering } = {}) => (answering ? (await enter(site)).access : recorded(site)),
    async grant(site, who) {
      const granted = await grantedAccess(place(site), who, clock.now())
      return { ...granted, server: (await enter(site)).access.server }
    },
    async preflightJoin(site, request) {
      const { name: federation, owner, signal } = site
      const ownUid = async () => (await api(site)).identity({ signal })
      const look: JoinLook = { request, members: await members(site), federation, ownUid, owner, signal, absent: [] }
      looks.set(request, look)
      return preflightJoin(look)
    },
    join: async (site, request, { again }) =>
      joinPlan({
        clock,
        accepts: acceptsFor(coe, request, site.signal),
        seen: seenIn(looks.get(request)),
        before: isKnown(looks.get(request)) ? site : undefined,
        federation: site.name,
        membership: membershipOf(request),
        ca: request.access.ca,
        member: request.member,
        memberTitle: `member "${request.name}"`,
        beside: request.beside ?? [],
        api: () => api(site),
        owner: site.owner,
        again,
      }),
    leftBehind,
    holdings: async (site, name) => holdingsOf(await listWorks(await api(site), name, site.signal)),
    unjoin: (site, request, { again }) => leavingPlan(coe, site, request, api, again),
    members: async site => listMembers(await api(site), site.signal),
    health: site =>
      federationHealth({
        site: siteOf(site),
        host: site.host,
        now: clock.now(),
        signal: site.signal,
        async enter(credentials) {
          const files = credentials[adminSecret]
          const server = files?.[serverFile]
          if (!files || !server) return undefined
          const way = {
            name: site.name,
            server,
            ca: files['ca.crt'],
            cert: files['client.crt'],
            key: files['client.key'],
          }
          const entered = await entrance(coe, site, way, { title: titleOf(site.name), timeoutMs: 10_000 })
          return { server: entered.access.server, api: knowing(entered.api) }
        },
      }),
    remove: async (site, { again, keepData }) =>
      removePlan({
        federation: site.name,
        namespace: site.namespace,
        host: site.host,
        hostTitle: site.hostTitle,
        owner: site.owner,
        keepData,
        policies: readSettings(site.settings).networkPolicy !== undefined,
        again,
      }),
  }
}

function expectedDigest({ world }: DriverApi, options: Options): string | undefined {
  const said = options['crds-digest']
  if (said !== undefined) return String(said) || undefined
  const digest = world.env.COE_CRDS_DIGEST ?? ''
  if (new RegExp(`^${digestPattern}$`).test(digest)) return digest || undefined
  throw usage(`COE_CRDS_DIGEST must be sha256:HEX, not "${digest}"`)
}

const membershipOf = (request: JoinRequest) => ({
  name: request.name,
  uid: request.uid,
  server: request.server ?? request.access.server,
  insecure: request.access.insecure,
  proxyUrl: request.access.proxyUrl,
  labels: request.labels,
  region: request.region,
  zones: request.zones,
  provider: request.provider,
})
