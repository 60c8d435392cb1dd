/**
 * What one user's machine keeps about federations: contexts in kubeconfig files, and where federations and clusters were
 * last found. The engine works without any of it; a server has none (`src/local/` is the one of the command line).
 */
import type { FederationAccess } from './backend.ts'
import type { FederationNote } from './notes.ts'

/** A federation, as far as its context names it. `contextName` and the host's reference mean something on this machine alone. */
export interface NamedFederation {
  name: string
  uuid: string
  namespace: string
  contextName: string
  host: { reference: string; uid: string }
}

export interface KnownFederation {
  name: string
  /** Absent: the host was named for it, and has not answered yet. */
  uuid?: string | undefined
  /** A cluster reference. */
  host: string
  namespace?: string | undefined
}

/** A file that a creation wrote the federation's context to (`--kubeconfig-out`). The record of the federation has these notes. */
export interface KubeconfigNote {
  file: string
  /** The machine that it is on. */
  on: string
  /** It held nothing before: it may go when our entries do. */
  made: boolean
}

/** Where the context of a federation is written. */
export interface ContextFile {
  /** Undefined: the user's own kubeconfig. */
  file: string | undefined
  /** What the record is to know of it afterwards: also of other files, and those on other machines. */
  all: KubeconfigNote[]
}

/** A host that may have a federation. */
export interface HostHint {
  host: string
  uuid?: string | undefined
  namespace?: string | undefined
  /** What makes this machine forget it. */
  forget: string
}

/** The kubeconfig as it was when it was read: another run may remove contexts meanwhile. */
export interface KnownContexts {
  /** Where a federation of this name, uuid or context was noted or remembered. */
  hints(ref: string): Promise<HostHint[]>
  /** Hosts that are known to have federations, and the current context. */
  hosts(): Promise<string[]>
  /** Contexts that lead to clusters, and not to federations that coe made. */
  clusters(): Promise<string[]>
}

/** A member, as its record identifies it. */
export interface MemberIdentity {
  name: string
  uid: string
  reference: string
  server: string
}

export interface MemberReferences {
  known: string[]
  /** A context that happens to have its name. */
  guess: string | undefined
}

export interface LocalState {
  /** For messages: where a remembered federation can be removed. */
  readonly indexPlace: string
  contexts(): Promise<KnownContexts>
  /** Contexts of federations. */
  readonly entries: {
    /** The name of the context here that leads to it; `stated`: the file to look in. */
    nameOf(
      federation: NamedFederation & { kubeconfigs?: readonly KubeconfigNote[] },
      stated?: string,
    ): Promise<string | undefined>
    /** What was stated on this machine before holds until something else is stated. Looks at the file, and writes nothing. */
    fileFor(
      federation: { name: string; kubeconfigs?: KubeconfigNote[] },
      stated: string | undefined,
    ): Promise<ContextFile>
    /** A name that leads somewhere else is not ours to take, and the file must let itself be written. */
    refuseTaken(
      federation: NamedFederation,
      access: () => Promise<FederationAccess | undefined>,
      file?: string,
    ): Promise<void>
    /** Resolves with whether anything had to be changed. */
    write(
      federation: NamedFederation & { user?: string | undefined },
      access: FederationAccess,
      file?: string,
    ): Promise<boolean>
    /** Is it there as it would be written? */
    stands(federation: NamedFederation, access: FederationAccess, file?: string): Promise<boolean>
    /** From all files of this machine. Resolves with what there is to tell the user of other machines, and of files that stay. */
    remove(federation: { name: string; uuid: string; kubeconfigs?: KubeconfigNote[] }): Promise<FederationNote[]>
  }
  /** Which host had which federation. A help and no more: it can be lost without loss. */
  readonly federations: {
    known(): Promise<KnownFederation[]>
    remember(found: readonly KnownFederation[]): Promise<void>
    /** A host that was named for it and did not answer: nobody may take it for one that has no such federation. */
    rememberPlace(name: string, host: string): Promise<void>
    /** The host has answered: there is no such federation. */
    forgetPlace(name: string, host: string): Promise<void>
    forget(uuid: string): Promise<void>
  }
  /** What clusters are called here. Context names mean nothing elsewhere, so no record keeps them. */
  readonly clusters: {
    remember(clusters: readonly { uid: string; reference: string }[]): Promise<void>
    /** By which references a member may be reached from here, the likeliest first. Whether one leads to it, only its identity tells. */
    references(): Promise<(member: MemberIdentity) => MemberReferences>
  }
}
