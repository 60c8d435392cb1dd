/**
 * The local state of one user's machine: contexts in kubeconfig files, and where federations and clusters were last
 * found. The engine works without it, and a server has none; `src/local/` implements it for the command line.
 */
import type { FederationAccess } from './backend.ts'
import type { FederationNote } from './notes.ts'

/** The identity of a federation in its context. `contextName` and the host's reference are valid only on this machine. */
export interface NamedFederation {
  name: string
  uuid: string
  namespace: string
  contextName: string
  host: { reference: string; uid: string }
}

export interface KnownFederation {
  name: string
  /** Absent if the user named the host for it and the host has not answered yet. */
  uuid?: string | undefined
  /** A cluster reference. */
  host: string
  namespace?: string | undefined
}

/** A file that a creation wrote the context to (`--kubeconfig-out`). These notes are in the federation's record. */
export interface KubeconfigNote {
  file: string
  /** The machine of the file. */
  on: string
  /** Whether coe created the file, so that it may be deleted together with our entries. */
  made: boolean
}

/** Where the context of a federation is written. */
export interface ContextFile {
  /** Undefined for the user's own kubeconfig. */
  file: string | undefined
  /** The notes for the record, with other files and those on other machines. */
  all: KubeconfigNote[]
}

/** A host that may have a federation. */
export interface HostHint {
  host: string
  uuid?: string | undefined
  namespace?: string | undefined
  /** Tells the user how to make this machine forget the hint. */
  forget: string
}

/** Read once, because another run may remove contexts from the kubeconfig meanwhile. */
export interface KnownContexts {
  /** The places where a federation of this name, uuid or context may be. */
  hints(ref: string): Promise<HostHint[]>
  /** Hosts that are known to have federations, and the current context. */
  hosts(): Promise<string[]>
  /** Contexts of clusters, without those of federations that coe made. */
  clusters(): Promise<string[]>
}

/** The identity of a member in its record. */
export interface MemberIdentity {
  name: string
  uid: string
  reference: string
  server: string
}

export interface MemberReferences {
  known: string[]
  /** A context that has the member's name. */
  guess: string | undefined
}

export interface LocalState {
  /** For messages that tell the user where to remove an entry of the index. */
  readonly indexPlace: string
  contexts(): Promise<KnownContexts>
  /** Contexts of federations. */
  readonly entries: {
    /** The name of the federation's context on this machine. `stated` is the file to search. */
    nameOf(
      federation: NamedFederation & { kubeconfigs?: readonly KubeconfigNote[] },
      stated?: string,
    ): Promise<string | undefined>
    /** Defaults to the file that was last used on this machine. Reads the file, but writes nothing. */
    fileFor(
      federation: { name: string; kubeconfigs?: KubeconfigNote[] },
      stated: string | undefined,
    ): Promise<ContextFile>
    /** Refuses if an entry of this name belongs to something else, or if the file cannot be written. */
    refuseTaken(
      federation: NamedFederation,
      access: () => Promise<FederationAccess | undefined>,
      file?: string,
    ): Promise<void>
    /** Resolves with whether the file was changed. */
    write(
      federation: NamedFederation & { user?: string | undefined },
      access: FederationAccess,
      file?: string,
    ): Promise<boolean>
    /** Whether `write` would change nothing. */
    isWritten(federation: NamedFederation, access: FederationAccess, file?: string): Promise<boolean>
    /** Removes it from all files on this machine. The notes name files on other machines and files that cannot be changed. */
    remove(federation: { name: string; uuid: string; kubeconfigs?: KubeconfigNote[] }): Promise<FederationNote[]>
  }
  /** Remembers which host has which federation, to find it faster. It may be deleted. */
  readonly federations: {
    known(): Promise<KnownFederation[]>
    remember(found: readonly KnownFederation[]): Promise<void>
    /** For a host that the user named for the federation and that did not answer. */
    rememberPlace(name: string, host: string): Promise<void>
    /** For a host that has answered and does not have the federation. */
    forgetPlace(name: string, host: string): Promise<void>
    forget(uuid: string): Promise<void>
  }
  /** The references of clusters on this machine. Context names mean nothing elsewhere, so they are not in records. */
  readonly clusters: {
    remember(clusters: readonly { uid: string; reference: string }[]): Promise<void>
    /** References that may lead to a member, the likeliest first. The caller compares the cluster's identity. */
    references(): Promise<(member: MemberIdentity) => MemberReferences>
  }
}
