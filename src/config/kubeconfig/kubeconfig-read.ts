/** The kubeconfig files, read and merged by kubectl's rules: the first file that has a value wins. */
import { resolve } from 'node:path'
import { fallbackOn, usage } from '../../core/errors.ts'
import type { World } from '../../core/world.ts'
import { envOf, expandHome, under } from '../paths.ts'
import { isMapping, type Mapping, readYamlFile, type YamlFile } from '../yaml/yaml-file.ts'

export interface KubeEntry {
  readonly name: string
  /** The content of `cluster`, `context` or `user` as written. */
  readonly value: Mapping
  readonly file: string
  readonly line: number | undefined
}

export interface Kubeconfig {
  /** All candidate files in order, whether they exist or not. */
  readonly paths: readonly string[]
  /** The files that were read. */
  readonly files: readonly string[]
  readonly currentContext: { readonly name: string; readonly file: string } | undefined
  readonly contexts: ReadonlyMap<string, KubeEntry>
  readonly clusters: ReadonlyMap<string, KubeEntry>
  readonly users: ReadonlyMap<string, KubeEntry>
  /** For stderr: mistakes that kubectl would refuse. */
  readonly warnings: readonly string[]
}

export interface KubeconfigOptions {
  /** `--kubeconfig`: only these files, which must exist. */
  readonly kubeconfig?: string | undefined
  /** The files need not exist, because they are about to be written. */
  readonly mayBeNew?: boolean
  /** Only this file, whatever its name; it need not exist. */
  readonly file?: string | undefined
}

export const sections = { contexts: 'context', clusters: 'cluster', users: 'user' } as const
export type Section = keyof typeof sections

/** `--kubeconfig`, else KUBECONFIG, else ~/.kube/config. Empty without a home folder. */
export function kubeconfigPaths(world: World, options: KubeconfigOptions = {}): string[] {
  if (options.file !== undefined) return [options.file]
  const named = options.kubeconfig || envOf(world, 'KUBECONFIG')
  if (named) {
    const separator = world.platform === 'win32' ? ';' : ':'
    const paths = named.split(separator).filter(p => p !== '')
    return [...new Set(paths.map(p => resolve(world.cwd, expandHome(p, world))))]
  }
  const fallback = under(world.home, '.kube', 'config')
  return fallback ? [fallback] : []
}

export async function loadKubeconfig(world: World, options: KubeconfigOptions = {}): Promise<Kubeconfig> {
  const paths = kubeconfigPaths(world, options)
  const read = await Promise.all(paths.map(path => readOne(path, Boolean(options.kubeconfig) && !options.mayBeNew)))
  const files = read.filter(file => file !== undefined)
  const warnings: string[] = []
  const merged = (section: Section) => mergeSection(files, section, warnings)
  const current = files.find(f => typeof f.data['current-context'] === 'string' && f.data['current-context'] !== '')
  return {
    paths,
    files: files.map(f => f.path),
    currentContext: current && { name: current.data['current-context'] as string, file: current.path },
    contexts: merged('contexts'),
    clusters: merged('clusters'),
    users: merged('users'),
    warnings,
  }
}

async function readOne(path: string, mustExist: boolean): Promise<YamlFile | undefined> {
  const read = readYamlFile(path, 'kubeconfig')
  return mustExist ? read : read.catch(fallbackOn('notFound', undefined))
}

const shape = 'clusters, users and contexts are lists of entries like - {name: c1, cluster: {…}}'

function mergeSection(files: readonly YamlFile[], section: Section, warnings: string[]): Map<string, KubeEntry> {
  const entries = new Map<string, KubeEntry>()
  for (const file of files) {
    const list = file.data[section] ?? []
    const place = (index: number) => file.lineOf([section, index])
    if (!Array.isArray(list)) {
      throw usage(`"${section}" in the kubeconfig ${file.path}:${file.lineOf([section])} is not a list`, {
        hint: shape,
      })
    }
    for (const [index, item] of (list as unknown[]).entries()) {
      const name = isMapping(item) ? item.name : undefined
      const value = isMapping(item) ? (item[sections[section]] ?? {}) : undefined
      if (typeof name !== 'string' || !isMapping(value)) {
        throw usage(
          `an entry of "${section}" in the kubeconfig ${file.path}:${place(index)} has no name or no content`,
          { hint: shape },
        )
      }
      const first = entries.get(name)
      if (!first) entries.set(name, { name, value, file: file.path, line: place(index) })
      else if (first.file === file.path) {
        warnings.push(
          `${file.path}:${place(index)}: a second ${sections[section]} "${name}" is ignored; kubectl refuses this file`,
        )
      }
    }
  }
  return entries
}
