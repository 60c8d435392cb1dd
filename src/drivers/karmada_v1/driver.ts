/** The Karmada driver: the methods that need no existing federation. The others are in `open.ts`. */
import type { Driver, DriverApi, FederationDriver } from '../driver-api.ts'
import { allImages } from './images.ts'
import { memberNameProblem } from './join/members.ts'
import { leftOnMember } from './leave/withdraw.ts'
import { openFederation } from './open.ts'
import { asOptions, immutableChanges } from './options.ts'
import { hostRights, memberRights } from './rights.ts'
import { readSettings } from './settings.ts'
import { facts } from './version.ts'
import { engineVersions } from './versions.ts'

export default function karmada(coe: DriverApi): Driver {
  return { ...facts, federations: federations(coe) }
}

const federations = (coe: DriverApi): FederationDriver => ({
  firstCommand: () => 'get clusters',
  engineVersions: engineVersions.map(v => v.version),
  settings: asOptions,
  immutable: immutableChanges,
  images: settings => allImages(readSettings(settings)),
  rights: (namespace, settings) => hostRights(namespace, settings && readSettings(settings)),
  memberRights,
  memberNameProblem,
  leftOnMember,
  open: site => openFederation(coe, site),
})
