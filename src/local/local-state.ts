/** Implements the interface through which a backend uses the local state of this machine. */
import type { LocalState } from '../model/local-state.ts'
import { isContextWritten, refuseTakenContext, writeContext } from './context-entry.ts'
import { contextFile, removeAllContexts } from './context-file.ts'
import { contextName } from './context-name.ts'
import type { LocalDeps } from './deps.ts'
import { referencesHere, rememberClusters } from './known-clusters.ts'
import { knownContexts } from './known-contexts.ts'
import { forget, forgetPlace, indexFile, readIndex, remember, rememberPlace } from './known-federations.ts'

export const localState = (deps: LocalDeps): LocalState => ({
  indexPlace: indexFile(deps),
  contexts: () => knownContexts(deps),
  entries: {
    nameOf: (federation, stated) => contextName(deps, federation, stated),
    fileFor: (federation, stated) => contextFile(deps, federation, stated),
    refuseTaken: (federation, access, file) => refuseTakenContext(deps, federation, access, file),
    write: (federation, access, file) => writeContext(deps, federation, access, file),
    isWritten: (federation, access, file) => isContextWritten(deps, federation, access, file),
    remove: federation => removeAllContexts(deps, federation),
  },
  federations: {
    known: () => readIndex(deps),
    remember: found => remember(deps, found),
    rememberPlace: (name, host) => rememberPlace(deps, name, host),
    forgetPlace: (name, host) => forgetPlace(deps, name, host),
    forget: uuid => forget(deps, uuid),
  },
  clusters: {
    remember: clusters => rememberClusters(deps, clusters),
    references: () => referencesHere(deps),
  },
})
