/** Requests to create and change cluster templates. */
import type { Change } from './change.ts'
import type { Labels } from './cluster.ts'

export interface TemplateFields {
  name?: string
  /** What runs the containers: `kubernetes`. */
  coe?: string
  image?: string
  /** Network that the clusters are reached through. */
  externalNetwork?: string
  keypair?: string
  network?: string
  subnet?: string
  /** What connects the containers. */
  networkDriver?: string
  /** What makes volumes for containers. */
  volumeDriver?: string
  /** Name servers of the nodes. */
  dnsNameserver?: string
  flavor?: string
  controlPlaneFlavor?: string
  /** Volume for containers on each node, in GiB. */
  containerVolumeSize?: number
  /** How the nodes store images. */
  storageDriver?: string
  httpProxy?: string
  httpsProxy?: string
  noProxy?: string
  insecureRegistry?: string
  labels?: Labels
  /** Are the APIs of its clusters served without TLS? */
  tlsDisabled?: boolean
  /** May other projects use it? */
  public?: boolean
  /** Do clusters get an image registry of their own? */
  registry?: boolean
  /** `vm`, or `bm` for bare metal. */
  serverType?: string
  /** Is there a load balancer before the control plane? */
  loadBalancer?: boolean
  /** Do nodes get floating addresses? */
  floatingIps?: boolean
  hidden?: boolean
  tags?: readonly string[]
  /** What makes the clusters. */
  driver?: string
}

export interface TemplateRequest extends TemplateFields {
  name: string
}

/** `set.labels` replaces all labels; `labels` changes single ones after that. */
export type TemplateChange = Change<TemplateFields>
