/** Drivers of clusters: those that find clusters, and those that make them, too. */
import type { KubeAccess } from '../config/kubeconfig/kubeconfig.ts'
import type { Advice, CoeStep } from '../core/next-step.ts'
import type { InlineAccess } from '../kube/access/connect.ts'
import type { ClusterApi } from '../kube/api/cluster-api.ts'
import type { Owner } from '../kube/ownership/ownership.ts'
import type { Certificate } from '../model/administration.ts'
import type { Cluster, ClusterTemplate, NodeGroup } from '../model/cluster.ts'
import type { ClusterChange, ClusterRequest, ClusterResize, ClusterUpgrade } from '../model/cluster-request.ts'
import type { NodeGroupChange, NodeGroupRequest } from '../model/nodegroup-request.ts'
import type { FederationRights } from '../model/rights.ts'
import type { TemplateChange, TemplateRequest } from '../model/template-request.ts'
import type { Plan } from '../plan/step.ts'
import type { Finding, Options, PlanOptions } from './driver-api.ts'

/** What was asked for of a cluster: the words of the command, and what follows the name of the cluster. */
export type ClusterCommand = Pick<CoeStep, 'words' | 'args'>

/** Clusters, by a name that this driver understands. */
export interface ClusterDriver {
  /** `magnum` in `magnum:prod`. */
  readonly prefix: string
  /** Whether bare names are tried with it. */
  readonly configured: boolean
  /** Those that can be named. */
  list(): Promise<{ name: string; detail?: string }[]>
  /** What is known of it without entering it. Undefined: it knows no such cluster. */
  describe?(name: string): Promise<Cluster | undefined>
  /** Undefined: it knows no such cluster. */
  find(name: string): Promise<KubeAccess | InlineAccess | undefined>
  /** What its actions take from a user in this namespace of the management cluster. Asked before the first write. */
  rights?(namespace: string): FederationRights
  /** What can change its clusters where it only finds them: another command, or another program. */
  changedBy?(name: string, asked: ClusterCommand): Advice | Promise<Advice>
  /** The clusters that it makes, in one namespace of one management cluster. Absent: it only finds what others made. */
  open?(site: ClusterSite): OpenClusters
}

/** Where clusters are kept: as objects in one namespace of a management cluster, which its users share. */
export interface ClusterSite {
  /** The management cluster, with the rights of the user. */
  api: ClusterApi
  /** `management cluster "c1"` */
  title: string
  /** It exists before any plan runs, and is not the driver's. */
  namespace: string
  /** Options of the driver, as given and checked against its data. What must be kept of them, the driver keeps. */
  settings: Options
  /** Whose the objects of a cluster, or of a template, are: for the `owner` of each plan, and to find them again. */
  owner(what: 'cluster' | 'cluster template', identity: ClusterIdentity): Owner
  signal: AbortSignal
}

/** What something is called, and what it is whatever it is called. A new one has its uuid before its first object is written. */
export interface ClusterIdentity {
  name: string
  uuid: string
}

/**
 * The clusters of one site, opened for one change or one question. What is absent cannot be done, and its command says so. A driver
 * with `create` has `remove`, too. All that it answers is read from the management cluster, so that any user of it sees the same.
 */
export interface OpenClusters {
  /** Each as `observe` would tell of it. */
  list(): Promise<Cluster[]>
  /**
   * By name or uuid, with Magnum's field names. Its status is derived from what is there, never stored: a creation that was killed is
   * found again, and a failure that has passed is no more. Undefined: there is no such cluster.
   */
  observe(ref: string): Promise<Cluster | undefined>
  /** Looks, and writes nothing. Names of templates, images and the like that lead nowhere are found here. */
  preflight?(cluster: ClusterIdentity, request: ClusterRequest): Promise<Finding[]>
  /** Also goes on with one that was begun; then `cluster` is as it was observed. */
  create?(cluster: ClusterIdentity, request: ClusterRequest, options: PlanOptions): Promise<Plan>
  update?(cluster: ClusterIdentity, change: ClusterChange, options: PlanOptions): Promise<Plan>
  resize?(cluster: ClusterIdentity, size: ClusterResize, options: PlanOptions): Promise<Plan>
  upgrade?(cluster: ClusterIdentity, target: ClusterUpgrade, options: PlanOptions): Promise<Plan>
  /** Of any partial state. What the cluster is found by goes last, so that a run that was killed can be run again. */
  remove?(cluster: ClusterIdentity, options: PlanOptions): Promise<Plan>
  /** The administrator's. Not found while there is none yet. */
  access?(cluster: ClusterIdentity): Promise<InlineAccess>
  readonly templates?: OpenTemplates
  readonly nodegroups?: OpenNodeGroups
  readonly credentials?: {
    /** New credentials for what the cluster does in its cloud. */
    rotate(cluster: ClusterIdentity, options: PlanOptions): Promise<Plan>
  }
  readonly certificates?: OpenCertificates
}

export interface OpenTemplates {
  list(): Promise<ClusterTemplate[]>
  create?(template: ClusterIdentity, request: TemplateRequest, options: PlanOptions): Promise<Plan>
  update?(template: ClusterIdentity, change: TemplateChange, options: PlanOptions): Promise<Plan>
  remove?(template: ClusterIdentity, options: PlanOptions): Promise<Plan>
}

export interface OpenNodeGroups {
  list(cluster: ClusterIdentity): Promise<NodeGroup[]>
  create?(cluster: ClusterIdentity, request: NodeGroupRequest, options: PlanOptions): Promise<Plan>
  /** @param group its name in the cluster */
  update?(cluster: ClusterIdentity, group: string, change: NodeGroupChange, options: PlanOptions): Promise<Plan>
  remove?(cluster: ClusterIdentity, group: string, options: PlanOptions): Promise<Plan>
}

export interface OpenCertificates {
  /** @param kind of CA, where a cluster has several: `etcd` */
  show(cluster: ClusterIdentity, kind?: string): Promise<Certificate>
  /** @param csr a certificate request, as PEM text */
  sign?(cluster: ClusterIdentity, csr: string, kind?: string): Promise<Certificate>
  rotate?(cluster: ClusterIdentity, options: PlanOptions): Promise<Plan>
}
