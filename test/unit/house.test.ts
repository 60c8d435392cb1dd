/** The rules of the house that a compiler cannot know: which room may use which, who owns what, and how long a file may be. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { registry } from '../../src/commands/registry.ts'
import { below } from '../support/arrows.ts'

const src = fileURLToPath(new URL('../../src/', import.meta.url))

/**
 * Packages that one file owns, so that replacing one is a change of one file. Types may be imported anywhere in the owner's module.
 * The sandbox shares no code with the client, so it has an owner of its own.
 */
const owners: Record<string, readonly string[]> = {
  '@kubernetes/client-node': ['kube/access/client.ts'],
  got: ['http/transport.ts'],
  'node-forge': ['pki/x509.ts'],
  'cli-table3': ['io/formats/table.ts'],
  ora: ['io/progress.ts'],
  commander: ['cli/parse/parser.ts'],
  yaml: ['config/yaml/yaml-parser.ts', 'sandbox/kube/yaml.ts'],
}

interface SourceFile {
  path: string
  room: string
  text: string
  imports: { from: string; typeOnly: boolean }[]
}

const files: SourceFile[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter(f => f.endsWith('.ts'))
  .map(path => {
    const text = readFileSync(join(src, path), 'utf8')
    const room = path.includes('/') ? (path.split('/')[0] as string) : 'main'
    const statements = [...text.matchAll(/^(import|export)( type)?[^'"`]*? from '([^']+)'/gms)]
    const dynamic = [...text.matchAll(/(typeof )?import\('([^']+)'\)/g)].map(m => ({
      from: m[2] as string,
      typeOnly: m[1] !== undefined,
    }))
    return {
      path,
      room,
      text,
      imports: [...statements.map(m => ({ from: m[3] as string, typeOnly: m[2] !== undefined })), ...dynamic],
    }
  })

/** `got`, `@kubernetes/client-node`, whatever file of it is meant. */
const packageOf = (from: string): string => from.split('/', from.startsWith('@') ? 2 : 1).join('/')

const roomOf = (file: SourceFile, from: string): string => {
  const target = relative(src, resolve(dirname(join(src, file.path)), from))
  return target.includes('/') ? (target.split('/')[0] as string) : 'main'
}

/** Each offence as a line, so that a failure reads as a list of what to mend. */
function offences(check: (file: SourceFile) => string[]): string[] {
  return files.flatMap(f => check(f).map(what => `${f.path}: ${what}`))
}

describe('the house', () => {
  it('has files to check', () => {
    expect(files.length).toBeGreaterThan(50)
  })

  it('lets arrows point down only', () => {
    const wrong = offences(file => {
      const allowed =
        file.room === 'model' ? ['model', 'core'] : [file.room, 'model', 'core', ...(below[file.room] ?? [])]
      return file.imports
        .filter(i => i.from.startsWith('.'))
        .map(i => roomOf(file, i.from))
        .filter(
          room =>
            !allowed.includes(file.room === 'core' && room !== 'core' ? 'none' : room) ||
            (file.room === 'core' && room !== 'core'),
        )
        .map(room => `imports from ${room}/`)
    })
    expect(wrong).toEqual([])
  })

  it('keeps local state out of the engine: federations, their members and records know no kubeconfig and no home', () => {
    const wrong = offences(file =>
      /^standalone\/(federations|members|records)\//.test(file.path)
        ? file.imports
            .filter(i => /\/(config|local)\//.test(i.from))
            .map(i => `imports ${i.from}: what it needs of this machine is in model/local-state.ts`)
        : [],
    )
    expect(wrong).toEqual([])
  })

  it('keeps drivers apart from each other', () => {
    const wrong = offences(file => {
      const own = /^drivers\/([^/]+)\//.exec(file.path)?.[1]
      if (own === undefined) return []
      return file.imports
        .filter(i => i.from.startsWith('.'))
        .map(i => /^drivers\/([^/]+)\//.exec(relative(src, resolve(dirname(join(src, file.path)), i.from)))?.[1])
        .filter(other => other !== undefined && other !== own)
        .map(other => `imports driver ${other}`)
    })
    expect(wrong).toEqual([])
  })

  it('has one owner for each package', () => {
    const wrong = offences(file =>
      file.imports
        .filter(i => !/^(\.|node:)/.test(i.from))
        .flatMap(i => {
          const own = owners[packageOf(i.from)] ?? []
          const allowed = i.typeOnly ? own.some(owner => owner.startsWith(`${file.room}/`)) : own.includes(file.path)
          return allowed ? [] : [`imports ${i.from}, which is for ${own.join(', ') || 'nobody'}`]
        }),
    )
    expect(wrong).toEqual([])
  })

  it('touches process in cli/host.ts alone', () => {
    const wrong = offences(file =>
      file.path !== 'cli/host.ts' &&
      /(^|[^\w.'"`/-])process\.[a-z]/m.test(file.text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''))
        ? ['uses process']
        : [],
    )
    expect(wrong).toEqual([])
  })

  it('calls import() for what is bundled only: code that is kept compiled cannot call it for anything else', () => {
    const native = ['core/import-module.ts', 'cli/host.ts'] // which Node itself loads
    const wrong = offences(file =>
      !native.includes(file.path) && /(?:await|=>|return|=) import\((?:'node:|[^'])/.test(file.text)
        ? ['calls import() for what is not bundled: core/import-module.ts can']
        : [],
    )
    expect(wrong).toEqual([])
  })

  it('makes command lines in cli/ and commands/ alone: below, what to run next is data (core/next-step.ts)', () => {
    const first = [...new Set(registry.entries.map(entry => entry.words.replace(/ .*/, '')))].join('|')
    const line = new RegExp(String.raw`["'\x60][^\n]*?\bcoe (?:--[\w-]+ )*(?:\$\{|(?:${first})\b)[^\n]*`, 'g')
    const may = new Set(['commands', 'cli', 'main', 'wiring', 'sandbox'])
    const bare = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')
    expect(offences(f => (may.has(f.room) ? [] : (bare(f.text).match(line) ?? [])))).toEqual([])
  })

  it('has no file of more than 300 lines', () => {
    expect(
      offences(file => (file.text.split('\n').length > 301 ? [`${file.text.split('\n').length} lines`] : [])),
    ).toEqual([])
  })

  it('has no folder of more than 25 files', () => {
    const held = new Map<string, number>()
    for (const { path } of files) held.set(dirname(path), (held.get(dirname(path)) ?? 0) + 1)
    expect([...held].filter(([, count]) => count > 25)).toEqual([])
  })

  it('has no name that tells nothing', () => {
    const vague = /(^|\/)(utils?|helpers?|common|misc|shared|types)(\.ts|\/)/
    expect(files.map(f => f.path).filter(p => vague.test(p))).toEqual([])
  })

  it('tears down in the test that asked: a hook of a module that tests share is one of the first file alone', () => {
    const root = fileURLToPath(new URL('../', import.meta.url))
    const shared = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      path => path.endsWith('.ts') && !path.endsWith('.test.ts'),
    )
    const hooks = /^(before|after)(Each|All)\(/m
    expect(shared.filter(path => hooks.test(readFileSync(join(root, path), 'utf8')))).toEqual([])
  })
})
