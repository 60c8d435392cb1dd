import type { ControlPlane } from '../kube/control-plane.ts'
import type { Json, KubeObject } from '../kube/object.ts'

/** The view of a process in a pod: its flags and the files in its volumes. */
export interface PodView {
  pod: KubeObject
  /** The name of the program. */
  program: string
  /** The last value of a flag; an empty string for a flag without a value. */
  flag(name: string): string | undefined
  flags(name: string): string[]
  /** A file of a mounted Secret, ConfigMap or projection; throws with open(2)'s messages. */
  file(path: string): string
  /** The file that a flag names; undefined without the flag. */
  fileOf(flag: string): string | undefined
  image: string
}

const baseName = (path: string) => path.split('/').at(-1) ?? path

export function viewPod(plane: ControlPlane, pod: KubeObject): PodView {
  const container: Json = pod.spec.containers[0]
  const variables = readEnvironment(pod, container)
  const words = [...(container.command ?? []), ...(container.args ?? [])].map(word =>
    String(word).replace(/\$\(([A-Za-z_][A-Za-z0-9_]*)\)/g, (match, name) => variables[name] ?? match),
  )
  const imageName = baseName(container.image ?? '').split(/[:@]/)[0] ?? ''
  const program = container.command?.length ? baseName(words[0] as string) : imageName
  const flags = readFlags(words)
  const file = (path: string): string => {
    const text = readMounted(plane, pod, container, path)
    if (text === undefined) throw new Error(`open ${path}: no such file or directory`)
    return text
  }
  return {
    pod,
    program,
    image: container.image ?? '',
    flag: name => flags.get(name)?.at(-1),
    flags: name => (flags.get(name) ?? []).flatMap(value => value.split(',')),
    file,
    fileOf(flag) {
      const path = flags.get(flag)?.at(-1)
      return path === undefined ? undefined : file(path)
    },
  }
}

function readEnvironment(pod: KubeObject, container: Json): Record<string, string> {
  const known: Record<string, string | undefined> = {
    'metadata.name': pod.metadata.name,
    'metadata.namespace': pod.metadata.namespace,
    'metadata.uid': pod.metadata.uid,
    'status.podIP': pod.status?.podIP,
    'status.hostIP': pod.status?.hostIP,
    'spec.nodeName': pod.spec.nodeName,
  }
  const variables: Record<string, string> = {}
  for (const { name, value, valueFrom } of container.env ?? []) {
    variables[name] = value ?? known[valueFrom?.fieldRef?.fieldPath] ?? ''
  }
  return variables
}

function readFlags(words: string[]): Map<string, string[]> {
  const flags = new Map<string, string[]>()
  words.forEach((word, i) => {
    const match = /^--?([a-z][a-z0-9-]*)(?:=([\s\S]*))?$/.exec(word)
    if (!match) return
    const next = words[i + 1]
    const value = match[2] ?? (next !== undefined && !next.startsWith('-') ? next : '')
    flags.set(match[1] as string, [...(flags.get(match[1] as string) ?? []), value])
  })
  return flags
}

function readMounted(plane: ControlPlane, pod: KubeObject, container: Json, path: string): string | undefined {
  const mounts: Json[] = (container.volumeMounts ?? []).filter(
    (m: Json) => path === m.mountPath || path.startsWith(`${m.mountPath.replace(/\/$/, '')}/`),
  )
  const mount = mounts.sort((a, b) => b.mountPath.length - a.mountPath.length)[0]
  if (!mount) return undefined
  const inside = path.slice(mount.mountPath.length).replace(/^\//, '')
  const name = mount.subPath ? [mount.subPath, inside].filter(Boolean).join('/') : inside
  const volume = (pod.spec.volumes ?? []).find((v: Json) => v.name === mount.name)
  const { namespace } = pod.metadata
  const fromSecret = (source: Json, secretName: string) =>
    pick(plane.store.get('secrets', namespace, secretName)?.data, source.items, name, 'base64')
  const fromConfigMap = (source: Json) =>
    pick(plane.store.get('configmaps', namespace, source.name)?.data, source.items, name, 'utf8')
  if (volume?.secret) return fromSecret(volume.secret, volume.secret.secretName)
  if (volume?.configMap) return fromConfigMap(volume.configMap)
  for (const source of volume?.projected?.sources ?? []) {
    const text = source.secret
      ? fromSecret(source.secret, source.secret.name)
      : source.configMap
        ? fromConfigMap(source.configMap)
        : undefined
    if (text !== undefined) return text
  }
  return undefined
}

function pick(data: Json, items: Json[] | undefined, name: string, encoding: 'base64' | 'utf8'): string | undefined {
  const key = items ? items.find(item => item.path === name)?.key : name
  const value = key === undefined ? undefined : data?.[key]
  return value === undefined ? undefined : Buffer.from(value, encoding).toString('utf8')
}

/** The key of a path's volume, by the lifetime of its content: the claim's volume or the pod. */
export function volumeKey(plane: ControlPlane, pod: KubeObject, path: string): string {
  const container: Json = pod.spec.containers[0]
  const mounts: Json[] = (container.volumeMounts ?? []).filter((m: Json) => path.startsWith(m.mountPath))
  const mount = mounts.sort((a, b) => b.mountPath.length - a.mountPath.length)[0]
  const volume = (pod.spec.volumes ?? []).find((v: Json) => v.name === mount?.name)
  const claim = volume?.persistentVolumeClaim?.claimName
  if (claim) {
    const found = plane.store.get('persistentvolumeclaims', pod.metadata.namespace, claim)
    return `claim ${found?.metadata.uid}`
  }
  if (volume?.hostPath) return `node ${pod.spec.nodeName} ${volume.hostPath.path}`
  return `pod ${pod.metadata.uid}`
}
