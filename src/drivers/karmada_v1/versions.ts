/** The supported releases of Karmada: for each, the tags of its images and the digest of its definitions. */

export interface EngineVersion {
  /** The release, which is also the tag of its images. */
  version: string
  etcd: string
  kubernetes: string
  /**
   * contentDigest() of the definitions. For v1.18.2 it was computed from `charts/karmada/_crds` of the Go module
   * github.com/karmada-io/karmada@v1.18.2, which Go's checksum database verifies; the release contains the same files.
   */
  definitions: string
}

/** A digest as contentDigest() returns it. It may be empty, because a script's variable may be. */

export const digestPattern = '(sha256:[0-9a-f]{64})?'

export const engineVersions: readonly EngineVersion[] = [
  {
    version: 'v1.18.2',
    etcd: '3.6.6-0',
    kubernetes: 'v1.35.2',
    definitions: 'sha256:4d945f8d7f1460236a8266282f17b82e8119cbc571ae99aefa6be3a900adc5fe',
  },
]

export const defaultVersion = engineVersions[0] as EngineVersion
