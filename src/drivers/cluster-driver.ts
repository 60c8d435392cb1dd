/** The interface of cluster drivers: every one finds clusters, and some create and manage them. */
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

/** A command about a cluster: its words, and its arguments after the cluster's name. */
export type ClusterCommand = Pick<CoeStep, 'words' | 'args'>

/** Finds clusters by name. With `open`, also creates and manages them. */
export interface ClusterDriver {
  /** The prefix of references to this driver's clusters: `magnum` in `magnum:prod`. */
  readonly prefix: string
  /** Whether references without a prefix are looked up with this driver. */
  readonly configured: boolean
  /** The clusters that can be referred to. */
  list(): Promise<{ name: string; detail?: string }[]>
  /** Describes a cluster without connecting to it. Undefined if the driver does not know the cluster. */
  describe?(name: string): Promise<Cluster | undefined>
  /** The access to a cluster. Undefined if the driver does not know the cluster. */
  find(name: string): Promise<KubeAccess | InlineAccess | undefined>
  /** The rights that the user needs in this namespace of the management cluster. coe checks them before the first write. */
  rights?(namespace: string): FederationRights
  /** If the driver only finds clusters: advice on how to change them, with another command or another program. */
  changedBy?(name: string, command: ClusterCommand): Advice | Promise<Advice>
  /** Opens the clusters in one namespace of a management cluster. Absent if the driver only finds existing clusters. */
  open?(site: ClusterSite): OpenClusters
}

/** Where a driver stores its clusters: as objects in one namespace of a management cluster, shared by all its users. */
export interface ClusterSite {
  /** The management cluster's API, with the user's rights. */
  api: ClusterApi
  /** The management cluster's name for messages, for example `management cluster "c1"`. */
  title: string
  /** coe creates the namespace before any plan runs. The driver must not delete it. */
  namespace: string
  /** The driver's options, validated against `DriverFacts.options`. The driver itself stores those that it needs later. */
  settings: Options
  /** The owner to mark the objects of a cluster or template with: use it as `Plan.owner`, and its labels to find the objects. */
  owner(what: 'cluster' | 'cluster template', identity: ClusterIdentity): Owner
  signal: AbortSignal
}

/** The name and uuid of a cluster or template. coe assigns the uuid before the first object is written. */
export interface ClusterIdentity {
  name: string
  uuid: string
}

/**
 * The clusters of one site, opened for one command. If a method is absent, coe refuses the corresponding command. A driver with
 * `create` must also have `remove`. All answers must come from the management cluster, so that all its users see the same.
 */
export interface OpenClusters {
  /** All clusters, each as `observe` returns it. */
  list(): Promise<Cluster[]>
  /**
   * The current state of a cluster, by name or uuid, with Magnum's field names; undefined if there is no such cluster. Derive the
   * status from the existing objects instead of storing it: then it is correct even after an interrupted creation or a failure
   * that has passed.
   */
  observe(ref: string): Promise<Cluster | undefined>
  /** Checks a request, for example for unknown templates and images. Must not write anything. */
  preflight?(cluster: ClusterIdentity, request: ClusterRequest): Promise<Finding[]>
  /** The plan that creates a cluster, or resumes its creation; then `cluster` is the identity of the existing cluster. */
  create?(cluster: ClusterIdentity, request: ClusterRequest, options: PlanOptions): Promise<Plan>
  update?(cluster: ClusterIdentity, change: ClusterChange, options: PlanOptions): Promise<Plan>
  resize?(cluster: ClusterIdentity, size: ClusterResize, options: PlanOptions): Promise<Plan>
  upgrade?(cluster: ClusterIdentity, target: ClusterUpgrade, options: PlanOptions): Promise<Plan>
  /** Must work for a partly created cluster. Delete the objects that `observe` needs last, so that an interrupted run can be repeated. */
  remove?(cluster: ClusterIdentity, options: PlanOptions): Promise<Plan>
  /** The administrator's access. Throws `notFound` if it does not exist yet. */
  access?(cluster: ClusterIdentity): Promise<InlineAccess>
  readonly templates?: OpenTemplates
  readonly nodegroups?: OpenNodeGroups
  readonly credentials?: {
    /** Replaces the credentials that the cluster uses in its cloud. */
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
  /** @param group the name of the node group */
  update?(cluster: ClusterIdentity, group: string, change: NodeGroupChange, options: PlanOptions): Promise<Plan>
  remove?(cluster: ClusterIdentity, group: string, options: PlanOptions): Promise<Plan>
}

export interface OpenCertificates {
  /** @param kind which CA, if the cluster has several, for example `etcd` */
  show(cluster: ClusterIdentity, kind?: string): Promise<Certificate>
  /** @param csr a certificate request, as PEM text */
  sign?(cluster: ClusterIdentity, csr: string, kind?: string): Promise<Certificate>
  rotate?(cluster: ClusterIdentity, options: PlanOptions): Promise<Plan>
}
